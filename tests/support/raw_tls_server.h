#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <openssl/ssl.h>

#include "aio/net/stream.h"
#include "aio/task/co.h"

namespace weft::tests {

// The server's side of a TLS session without any manners of ours: OpenSSL as it is, on memory. For
// what an honest server never sends: its bytes can be held back, dripped or repeated.
class RawTlsServer {
public:
    explicit RawTlsServer(const std::filesystem::path& certificate);

    // To be changed before the handshake.
    SSL* ssl() { return ssl_.get(); }
    void speak_only(int version);  // TLS1_2_VERSION and the like.

    // Goes on with the handshake after these bytes of the client.
    void hear(std::string_view bytes);

    // What is to be sent; these add to it.
    std::string take();
    void write(std::string_view bytes);
    void update_keys(int kind = SSL_KEY_UPDATE_REQUESTED);
    void send_ticket();
    void ask_to_renegotiate();

    // Shakes hands with the client of `stream`. False when the handshake failed, or the client
    // went.
    aio::Co<bool> accept(aio::Stream& stream);

    // Sends what is to be sent.
    aio::Co<> flush(aio::Stream& stream);

private:
    struct Free {
        void operator()(SSL* ssl) const { SSL_free(ssl); }
    };

    std::unique_ptr<SSL, Free> ssl_;
};

}  // namespace weft::tests

#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <openssl/ssl.h>

#include "aio/net/stream.h"
#include "aio/task/co.h"

namespace weft::tests {

// A TLS server without any manners of ours: OpenSSL as it is, on memory, its bytes carried by a
// stream. For what an honest server never does.
class RawTlsServer {
public:
    RawTlsServer(aio::Stream stream, const std::filesystem::path& certificate);

    // To be changed before accept().
    SSL* ssl() { return ssl_.get(); }
    aio::Stream& stream() { return stream_; }

    // False when the handshake failed, or the client went.
    aio::Co<bool> accept();

    // Sends what OpenSSL has to send.
    aio::Co<> flush();

    aio::Co<> write(std::string_view bytes);

private:
    struct Free {
        void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
        void operator()(SSL* ssl) const { SSL_free(ssl); }
    };

    aio::Stream stream_;
    std::unique_ptr<SSL_CTX, Free> context_;
    std::unique_ptr<SSL, Free> ssl_;
};

}  // namespace weft::tests

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "aio/task/co.h"
#include "hostile/script.h"

struct ssl_st;
struct ssl_ctx_st;

namespace weft::hostile {

// The server's side of a TLS session in memory, for what an honest server never sends: its bytes
// are taken with take() and can be held back, dripped or repeated.
class TlsFront {
public:
    enum class Version { v1_2, v1_3 };

    TlsFront(const std::filesystem::path& certificate, Version version);
    ~TlsFront();
    TlsFront(const TlsFront&) = delete;
    TlsFront& operator=(const TlsFront&) = delete;

    // Shakes hands with the client of `stage`.
    aio::Co<> handshake(Stage& stage);

    // Goes on with the handshake after these bytes of the client.
    void hear(std::string_view bytes);

    // What is to be sent.
    std::string take();

    void write(std::string_view bytes);
    void add_key_update();
    void add_ticket();
    void ask_for_renegotiation();

    bool is_shaken() const;

private:
    ssl_ctx_st* context_;
    ssl_st* ssl_;
};

}  // namespace weft::hostile

#include "hostile/tls_front.h"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include "base/assert.h"
#include "base/error.h"

namespace weft::hostile {

TlsFront::TlsFront(const std::filesystem::path& certificate, Version version)
    : context_(SSL_CTX_new(TLS_server_method())), ssl_(nullptr) {
    const int wire_version = version == Version::v1_2 ? TLS1_2_VERSION : TLS1_3_VERSION;
    SSL_CTX_set_min_proto_version(context_, wire_version);
    SSL_CTX_set_max_proto_version(context_, wire_version);
    WEFT_ASSERT(SSL_CTX_use_certificate_chain_file(context_, certificate.c_str()) == 1);
    WEFT_ASSERT(SSL_CTX_use_PrivateKey_file(context_, certificate.c_str(), SSL_FILETYPE_PEM) == 1);
    ssl_ = SSL_new(context_);
    SSL_set_bio(ssl_, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_accept_state(ssl_);
}

TlsFront::~TlsFront() {
    SSL_free(ssl_);
    SSL_CTX_free(context_);
}

aio::Co<> TlsFront::handshake(Stage& stage) {
    while (!is_shaken()) {
        const bool more = co_await stage.stream.fill();
        if (!more) throw Error("the client went away");
        hear(stage.stream.buffered());
        stage.stream.consume(stage.stream.buffered().size());
        const std::string answer = take();
        co_await stage.stream.write(answer);
    }
}

void TlsFront::hear(std::string_view bytes) {
    BIO_write(SSL_get_rbio(ssl_), bytes.data(), static_cast<int>(bytes.size()));
    SSL_do_handshake(ssl_);
    ERR_clear_error();
}

std::string TlsFront::take() {
    char* bytes = nullptr;
    const long size = BIO_get_mem_data(SSL_get_wbio(ssl_), &bytes);
    std::string taken(bytes, static_cast<std::size_t>(size));
    BIO_reset(SSL_get_wbio(ssl_));
    return taken;
}

void TlsFront::write(std::string_view bytes) {
    SSL_write(ssl_, bytes.data(), static_cast<int>(bytes.size()));
}

void TlsFront::add_key_update() {
    SSL_key_update(ssl_, SSL_KEY_UPDATE_NOT_REQUESTED);
    SSL_do_handshake(ssl_);
}

void TlsFront::add_ticket() {
    SSL_new_session_ticket(ssl_);
    SSL_do_handshake(ssl_);
}

void TlsFront::ask_for_renegotiation() {
    SSL_renegotiate(ssl_);
    SSL_do_handshake(ssl_);
    ERR_clear_error();
}

bool TlsFront::is_shaken() const {
    return SSL_is_init_finished(ssl_) == 1;
}

}  // namespace weft::hostile

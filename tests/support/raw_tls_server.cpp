#include "support/raw_tls_server.h"

#include <openssl/bio.h>
#include <openssl/err.h>

#include "base/assert.h"

namespace weft::tests {

RawTlsServer::RawTlsServer(const std::filesystem::path& certificate) {
    const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context(
        SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
    SSL_CTX_set_security_level(context.get(), 0);
    SSL_CTX_set_dh_auto(context.get(), 1);
    WEFT_ASSERT(SSL_CTX_use_certificate_chain_file(context.get(), certificate.c_str()) == 1);
    WEFT_ASSERT(SSL_CTX_use_PrivateKey_file(context.get(), certificate.c_str(), SSL_FILETYPE_PEM) ==
                1);
    ssl_.reset(SSL_new(context.get()));  // It keeps the context.
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    BIO_set_mem_eof_return(SSL_get_rbio(ssl_.get()), -1);
    SSL_set_accept_state(ssl_.get());
}

void RawTlsServer::speak_only(int version) {
    SSL_set_min_proto_version(ssl_.get(), version);
    SSL_set_max_proto_version(ssl_.get(), version);
}

void RawTlsServer::hear(std::string_view bytes) {
    BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
    SSL_do_handshake(ssl_.get());
    ERR_clear_error();
}

std::string RawTlsServer::take() {
    char* bytes = nullptr;
    const long count = BIO_get_mem_data(SSL_get_wbio(ssl_.get()), &bytes);
    std::string taken(bytes, static_cast<std::size_t>(count));
    BIO_reset(SSL_get_wbio(ssl_.get()));
    return taken;
}

void RawTlsServer::write(std::string_view bytes) {
    WEFT_ASSERT(SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0);
}

void RawTlsServer::update_keys(int kind) {
    WEFT_ASSERT(SSL_key_update(ssl_.get(), kind) == 1);
    WEFT_ASSERT(SSL_do_handshake(ssl_.get()) == 1);
}

void RawTlsServer::send_ticket() {
    WEFT_ASSERT(SSL_new_session_ticket(ssl_.get()) == 1);
    WEFT_ASSERT(SSL_do_handshake(ssl_.get()) == 1);
}

void RawTlsServer::ask_to_renegotiate() {
    WEFT_ASSERT(SSL_renegotiate(ssl_.get()) == 1);
    WEFT_ASSERT(SSL_do_handshake(ssl_.get()) == 1);
}

aio::Co<bool> RawTlsServer::accept(aio::Stream& stream) {
    for (;;) {
        ERR_clear_error();
        const int result = SSL_do_handshake(ssl_.get());
        const int error = SSL_get_error(ssl_.get(), result);
        co_await flush(stream);
        if (result == 1) co_return true;
        if (error != SSL_ERROR_WANT_READ) co_return false;
        const bool more = co_await stream.fill();
        if (!more) co_return false;
        const std::string_view bytes = stream.buffered();
        BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
        stream.consume(bytes.size());
    }
}

aio::Co<> RawTlsServer::flush(aio::Stream& stream) {
    const std::string bytes = take();
    co_await stream.write(bytes);
}

}  // namespace weft::tests

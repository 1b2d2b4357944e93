#include "support/raw_tls_server.h"

#include <openssl/bio.h>
#include <openssl/err.h>

#include "base/assert.h"

namespace weft::tests {

RawTlsServer::RawTlsServer(aio::Stream stream, const std::filesystem::path& certificate)
    : stream_(std::move(stream)), context_(SSL_CTX_new(TLS_server_method())) {
    SSL_CTX_set_security_level(context_.get(), 0);
    SSL_CTX_set_dh_auto(context_.get(), 1);
    WEFT_ASSERT(SSL_CTX_use_certificate_chain_file(context_.get(), certificate.c_str()) == 1);
    WEFT_ASSERT(
        SSL_CTX_use_PrivateKey_file(context_.get(), certificate.c_str(), SSL_FILETYPE_PEM) == 1);
    ssl_.reset(SSL_new(context_.get()));
    SSL_set_bio(ssl_.get(), BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    BIO_set_mem_eof_return(SSL_get_rbio(ssl_.get()), -1);
    SSL_set_accept_state(ssl_.get());
}

aio::Co<bool> RawTlsServer::accept() {
    for (;;) {
        ERR_clear_error();
        const int result = SSL_do_handshake(ssl_.get());
        const int error = SSL_get_error(ssl_.get(), result);
        co_await flush();
        if (result == 1) co_return true;
        if (error != SSL_ERROR_WANT_READ) co_return false;
        const bool more = co_await stream_.fill();
        if (!more) co_return false;
        const std::string_view bytes = stream_.buffered();
        BIO_write(SSL_get_rbio(ssl_.get()), bytes.data(), static_cast<int>(bytes.size()));
        stream_.consume(bytes.size());
    }
}

aio::Co<> RawTlsServer::flush() {
    char* bytes = nullptr;
    const long count = BIO_get_mem_data(SSL_get_wbio(ssl_.get()), &bytes);
    const std::string out(bytes, static_cast<std::size_t>(count));
    BIO_reset(SSL_get_wbio(ssl_.get()));
    co_await stream_.write(out);
}

aio::Co<> RawTlsServer::write(std::string_view bytes) {
    WEFT_ASSERT(SSL_write(ssl_.get(), bytes.data(), static_cast<int>(bytes.size())) > 0);
    co_await flush();
}

}  // namespace weft::tests

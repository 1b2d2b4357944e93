#include "aio/net/tls_context.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <unistd.h>

#include "base/bytes.h"
#include "base/limits.h"

namespace weft::aio {

std::string_view describe(TlsFailure failure) {
    switch (failure) {
        case TlsFailure::expired: return "certificate expired";
        case TlsFailure::not_yet_valid: return "certificate not yet valid";
        case TlsFailure::self_signed: return "certificate is self-signed";
        case TlsFailure::unknown_issuer: return "certificate of an unknown issuer";
        case TlsFailure::wrong_name: return "certificate is for another host";
        case TlsFailure::bad_certificate: return "certificate not acceptable";
        case TlsFailure::not_tls: return "the server does not speak TLS on this port";
        case TlsFailure::closed: return "the server closed during the TLS handshake";
        case TlsFailure::protocol: return "TLS failed";
    }
    std::unreachable();
}

std::shared_ptr<TlsContext> TlsContext::client(const ClientOptions& options) {
    return std::make_shared<detail::OpenSslContext>(options);
}

std::shared_ptr<TlsContext> TlsContext::server(const ServerOptions& options) {
    return std::make_shared<detail::OpenSslContext>(options);
}

namespace detail {

void SessionCache::put(const std::string& key, SSL_SESSION* session) {
    const std::lock_guard lock(mutex_);
    if (const auto found = entries_.find(key); found != entries_.end()) {
        order_.erase(found->second.place);
        entries_.erase(found);
    }
    SSL_SESSION_up_ref(session);
    order_.push_back(key);
    entries_.emplace(key, CachedSession{std::unique_ptr<SSL_SESSION, SslDeleter>(session),
                                        std::prev(order_.end())});
    if (entries_.size() > sessions_max_) {
        entries_.erase(order_.front());
        order_.pop_front();
    }
}

std::unique_ptr<SSL_SESSION, SslDeleter> SessionCache::take(const std::string& key) {
    const std::lock_guard lock(mutex_);
    const auto found = entries_.find(key);
    if (found == entries_.end()) return nullptr;
    if (SSL_SESSION_get_protocol_version(found->second.session.get()) < TLS1_3_VERSION) {
        // A copy, as two connections, perhaps of two threads, may resume it at once.
        return std::unique_ptr<SSL_SESSION, SslDeleter>(
            SSL_SESSION_dup(found->second.session.get()));
    }
    // RFC 8446, appendix C.4: a client should not use a ticket twice, as observers could link the
    // two connections.
    auto session = std::move(found->second.session);
    order_.erase(found->second.place);
    entries_.erase(found);
    return session;
}

namespace {

std::string to_bytes(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        if (!is_hex_digit(hex[i]) || !is_hex_digit(hex[i + 1])) return {};
        bytes += static_cast<char>(hex_value(hex[i]) * 16 + hex_value(hex[i + 1]));
    }
    return bytes;
}

bool is_too_old(const SSL_SESSION* session) {
    return SSL_SESSION_get_time(session) + SSL_SESSION_get_timeout(session) < std::time(nullptr);
}

}  // namespace

std::string SessionCache::to_text() const {
    const std::lock_guard lock(mutex_);
    std::string text;
    for (const std::string& key : order_) {
        SSL_SESSION* session = entries_.at(key).session.get();
        unsigned char* coded = nullptr;
        const int size = i2d_SSL_SESSION(session, &coded);
        if (size <= 0) continue;
        const std::string_view bytes(reinterpret_cast<const char*>(coded),
                                     static_cast<std::size_t>(size));
        text += fmt::format("{}\t{}\n", key, to_hex(bytes));
        OPENSSL_free(coded);
    }
    return text;
}

void SessionCache::add_from_text(std::string_view text) {
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::size_t tab = line.find('\t');
        if (tab == std::string_view::npos) continue;
        const std::string bytes = to_bytes(line.substr(tab + 1));
        const auto* coded = reinterpret_cast<const unsigned char*>(bytes.data());
        const std::unique_ptr<SSL_SESSION, SslDeleter> session(
            d2i_SSL_SESSION(nullptr, &coded, static_cast<long>(bytes.size())));
        if (session && !is_too_old(session.get())) {
            put(std::string(line.substr(0, tab)), session.get());
        }
    }
    ERR_clear_error();
}

std::string alpn_wire(const std::vector<std::string>& protocols) {
    std::string wire;
    for (const std::string& protocol : protocols) {
        wire += static_cast<char>(protocol.size());
        wire += protocol;
    }
    return wire;
}

std::string take_ssl_errors() {
    std::string text;
    while (const unsigned long code = ERR_get_error()) {
        const char* reason = ERR_reason_error_string(code);
        if (!text.empty()) text += "; ";
        text += reason ? reason : fmt::format("error {:x}", code);
    }
    return text.empty() ? "unknown reason" : text;
}

namespace {

// Finite-field Diffie-Hellman is excluded: there the server chooses the size of the numbers, and
// with 10,000 bits one handshake would hold the loop up for a second (H57).
constexpr const char* kCiphers = "DEFAULT:!kDHE:!kPSK:!kSRP";
constexpr const char* kGroups = "X25519:P-256:X448:P-521:P-384";

// At least 112 bits: no RSA below 2,048, no SHA-1. This is Debian's default, set here for other
// systems.
constexpr int kSecurityLevel = 2;

bool has_huge_key(const STACK_OF(X509) * chain) {
    for (int i = 0; i < sk_X509_num(chain); ++i) {
        const EVP_PKEY* key = X509_get0_pubkey(sk_X509_value(chain, i));
        if (key && EVP_PKEY_get_bits(key) > limits::kCertificateKeyBitsMax) return true;
    }
    return false;
}

// Runs before any signature is checked with such a key.
int verify_chain(X509_STORE_CTX* store, void*) {
    if (sk_X509_num(X509_STORE_CTX_get0_untrusted(store)) > limits::kCertificateChainMax) {
        X509_STORE_CTX_set_error(store, X509_V_ERR_CERT_CHAIN_TOO_LONG);
        return 0;
    }
    if (has_huge_key(X509_STORE_CTX_get0_untrusted(store))) {
        X509_STORE_CTX_set_error(store, kHugeKeyVerdict);
        return 0;
    }
    return X509_verify_cert(store);
}

// For Wireshark: writes the secrets of each session to the file that SSLKEYLOGFILE names.
void log_key(const SSL*, const char* line) {
    const char* path = std::getenv("SSLKEYLOGFILE");
    if (!path || !*path) return;
    const int fd = ::open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (fd < 0) return;
    const std::string text = std::string(line) + "\n";
    [[maybe_unused]] const ssize_t n = ::write(fd, text.data(), text.size());
    ::close(fd);
}

}  // namespace

void OpenSslContext::set_common_options() {
    if (!context_) throw TlsError(TlsFailure::protocol, take_ssl_errors());
    SSL_CTX* context = context_.get();
    SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
    SSL_CTX_set_options(context, SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    // A write that would block is repeated with the rest of the data at another address, and idle
    // sessions give their buffers back.
    SSL_CTX_set_mode(context, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                  SSL_MODE_RELEASE_BUFFERS);
    SSL_CTX_set_read_ahead(context, 1);
    SSL_CTX_set_max_cert_list(context, static_cast<long>(limits::kCertificateBytesMax));
    SSL_CTX_set_security_level(context,
                               std::max(kSecurityLevel, SSL_CTX_get_security_level(context)));
    SSL_CTX_set_cipher_list(context, kCiphers);
    SSL_CTX_set1_groups_list(context, kGroups);
    SSL_CTX_set_cert_verify_callback(context, verify_chain, nullptr);
    if (const char* path = std::getenv("SSLKEYLOGFILE"); path && *path) {
        SSL_CTX_set_keylog_callback(context, log_key);
    }
}

OpenSslContext::OpenSslContext(const ClientOptions& options)
    : context_(SSL_CTX_new(TLS_client_method())), sessions_(options.sessions_max) {
    set_common_options();
    SSL_CTX* context = context_.get();
    SSL_CTX_set_verify(context, options.verify ? SSL_VERIFY_PEER : SSL_VERIFY_NONE, nullptr);
    SSL_CTX_set_verify_depth(context, limits::kCertificateChainMax);
    // SSL_CTX_set_default_verify_paths() would also list the whole folder of authorities for every
    // certificate that is not in it: 100 us per handshake.
    SSL_CTX_set_default_verify_file(context);
    SSL_CTX_set_default_verify_dir(context);
    if (!options.ca_file.empty() &&
        SSL_CTX_load_verify_file(context, options.ca_file.c_str()) != 1) {
        throw TlsError(TlsFailure::protocol,
                       fmt::format("cannot use the CA file {}: {}", options.ca_file.string(),
                                   take_ssl_errors()));
    }
    if (!options.certificate_file.empty()) {
        use_certificate(options.certificate_file, options.key_file);
    }
    SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_CLIENT | SSL_SESS_CACHE_NO_INTERNAL);
    SSL_CTX_set_app_data(context, this);
    SSL_CTX_sess_set_new_cb(context, [](SSL* ssl, SSL_SESSION* session) {
        const auto* key = static_cast<const std::string*>(SSL_get_app_data(ssl));
        auto* self = static_cast<OpenSslContext*>(SSL_CTX_get_app_data(SSL_get_SSL_CTX(ssl)));
        if (key && !key->empty()) self->sessions_.put(*key, session);
        // 0: OpenSSL keeps its own reference; put() has taken another one.
        return 0;
    });
}

OpenSslContext::OpenSslContext(const ServerOptions& options)
    : context_(SSL_CTX_new(TLS_server_method())), sessions_(0), alpn_(alpn_wire(options.alpn)) {
    set_common_options();
    use_certificate(options.certificate_file, options.key_file);
    if (options.version_max == TlsVersion::v1_2) {
        SSL_CTX_set_max_proto_version(context_.get(), TLS1_2_VERSION);
    }
    if (!options.client_ca_file.empty()) ask_for_certificates(options.client_ca_file);
    if (alpn_.empty()) return;
    SSL_CTX_set_alpn_select_cb(
        context_.get(),
        [](SSL*, const unsigned char** chosen, unsigned char* length, const unsigned char* offered,
           unsigned offered_length, void* self) {
            const std::string& ours = static_cast<OpenSslContext*>(self)->alpn_;
            unsigned char* out = nullptr;
            const int result = SSL_select_next_proto(
                &out, length, reinterpret_cast<const unsigned char*>(ours.data()),
                static_cast<unsigned>(ours.size()), offered, offered_length);
            *chosen = out;
            // No common protocol: the connection goes on without ALPN.
            return result == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_NOACK;
        },
        this);
}

void OpenSslContext::ask_for_certificates(const std::filesystem::path& ca_file) {
    SSL_CTX* context = context_.get();
    if (SSL_CTX_load_verify_file(context, ca_file.c_str()) != 1) {
        throw TlsError(TlsFailure::protocol, fmt::format("cannot use the CA file {}: {}",
                                                         ca_file.string(), take_ssl_errors()));
    }
    SSL_CTX_set_client_CA_list(context, SSL_load_client_CA_file(ca_file.c_str()));
    SSL_CTX_set_verify(context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
    SSL_CTX_set_verify_depth(context, limits::kCertificateChainMax);
    // A server that asks for certificates resumes sessions only if it has set a session id context.
    constexpr unsigned char name[] = "weft";
    SSL_CTX_set_session_id_context(context, name, sizeof name - 1);
}

void OpenSslContext::use_certificate(const std::filesystem::path& certificate,
                                     const std::filesystem::path& key) {
    if (SSL_CTX_use_certificate_chain_file(context_.get(), certificate.c_str()) != 1 ||
        SSL_CTX_use_PrivateKey_file(context_.get(), key.empty() ? certificate.c_str() : key.c_str(),
                                    SSL_FILETYPE_PEM) != 1) {
        throw TlsError(TlsFailure::protocol, fmt::format("cannot use the certificate {}: {}",
                                                         certificate.string(), take_ssl_errors()));
    }
}

}  // namespace detail
}  // namespace weft::aio

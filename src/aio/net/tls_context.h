#pragma once

#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>

#include <openssl/ssl.h>

#include "aio/net/tls.h"

namespace weft::aio::detail {

struct SslDeleter {
    void operator()(SSL_CTX* context) const { SSL_CTX_free(context); }
    void operator()(SSL_SESSION* session) const { SSL_SESSION_free(session); }
    void operator()(X509* certificate) const { X509_free(certificate); }
};

// Our own error code for a chain in which a key is too long.
inline constexpr int kHugeKeyVerdict = X509_V_ERR_APPLICATION_VERIFICATION;

// The resumable sessions by key; the oldest are dropped first. Safe for several threads.
class SessionCache {
public:
    explicit SessionCache(std::size_t sessions_max) : sessions_max_(sessions_max) {}

    // Takes its own reference to `session` and replaces an earlier one of the same key.
    void put(const std::string& key, SSL_SESSION* session);

    // A session for one use (a TLS 1.3 ticket is used once), or nullptr.
    std::unique_ptr<SSL_SESSION, SslDeleter> take(const std::string& key);

    // One line per session: the key, a tab, and the session in hexadecimal. Oldest first.
    std::string to_text() const;
    void add_from_text(std::string_view text);

private:
    struct CachedSession {
        std::unique_ptr<SSL_SESSION, SslDeleter> session;
        std::list<std::string>::iterator place;
    };
    const std::size_t sessions_max_;
    mutable std::mutex mutex_;  // Guards the rest.
    std::unordered_map<std::string, CachedSession> entries_;
    std::list<std::string> order_;
};

// The TlsContext of OpenSSL. Its sessions point to it through SSL_CTX's app data, so it must not
// move.
class OpenSslContext final : public TlsContext {
public:
    explicit OpenSslContext(const ClientOptions& options);
    explicit OpenSslContext(const ServerOptions& options);

    SSL_CTX* get() const { return context_.get(); }
    SessionCache& sessions() { return sessions_; }

    std::string export_sessions() const override { return sessions_.to_text(); }
    void import_sessions(std::string_view text) override { sessions_.add_from_text(text); }

private:
    void use_certificate(const std::filesystem::path& certificate,
                         const std::filesystem::path& key);
    void ask_for_certificates(const std::filesystem::path& ca_file);
    void set_common_options();

    std::unique_ptr<SSL_CTX, SslDeleter> context_;
    SessionCache sessions_;
    std::string alpn_;  // For a server: the protocols in wire form.
};

// The protocols as length-prefixed strings (RFC 7301, section 3.1).
std::string alpn_wire(const std::vector<std::string>& protocols);

// The messages of OpenSSL's error queue in one line; empties the queue.
std::string take_ssl_errors();

}  // namespace weft::aio::detail

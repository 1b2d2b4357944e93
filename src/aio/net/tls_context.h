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

// Our own verdict on a chain in which a key is too long.
inline constexpr int kHugeKeyVerdict = X509_V_ERR_APPLICATION_VERIFICATION;

// The sessions that may be resumed, by key; the oldest go first. For any threads at a time.
class SessionCache {
public:
    explicit SessionCache(std::size_t sessions_max) : sessions_max_(sessions_max) {}

    void put(const std::string& key, SSL_SESSION* session);

    // A session for one use (a TLS 1.3 ticket is not used twice), or nullptr.
    std::unique_ptr<SSL_SESSION, SslDeleter> take(const std::string& key);

    // One line a session: the key, a tab, and the session in hexadecimal. Oldest first.
    std::string to_text() const;
    void add_from_text(std::string_view text);

private:
    struct Entry {
        std::unique_ptr<SSL_SESSION, SslDeleter> session;
        std::list<std::string>::iterator place;
    };
    const std::size_t sessions_max_;
    mutable std::mutex mutex_;  // Guards the rest.
    std::unordered_map<std::string, Entry> entries_;
    std::list<std::string> order_;
};

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
    std::string alpn_;  // In wire form; of a server.
};

// The protocols as a list of length-prefixed strings.
std::string alpn_wire(const std::vector<std::string>& protocols);

// What OpenSSL's error queue says, in one line; the queue is empty after.
std::string take_ssl_errors();

}  // namespace weft::aio::detail

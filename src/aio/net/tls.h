#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "aio/net/transport.h"
#include "aio/task/co.h"
#include "base/error.h"

namespace weft::aio {

// Why a TLS session could not be established, or broke.
enum class TlsFailure {
    expired,          // The certificate is past its date.
    not_yet_valid,    // The certificate is before its date.
    self_signed,      // Signed by itself, and not trusted.
    unknown_issuer,   // Signed by an authority that is not trusted.
    wrong_name,       // The certificate is for another host.
    bad_certificate,  // Untrusted for any other reason.
    not_tls,          // The peer does not speak TLS on this port.
    closed,           // The peer closed during the handshake.
    protocol,         // Anything else.
};

std::string_view describe(TlsFailure failure);

// A TLS session could not be established or broke; failure() says why.
class TlsError : public Error {
public:
    TlsError(TlsFailure failure, const std::string& what)
        : Error(what), failure_(failure), reason_(what) {}

    // A failed handshake with `host`.
    TlsError(TlsFailure failure, const std::string& host, const std::string& reason)
        : Error("tls: " + host + ": " + reason), failure_(failure), reason_(reason) {}

    TlsFailure failure() const { return failure_; }

    // The message without the host: "certificate expired on 2026-03-01".
    const std::string& reason() const { return reason_; }

private:
    TlsFailure failure_;
    std::string reason_;
};

enum class TlsVersion { v1_2, v1_3 };  // Older versions are never used.

// What the TLS sessions of a program share: trusted authorities, own certificate, resumable
// sessions. Created once and used by any number of loops and threads at a time; each session keeps
// it alive.
//
// TLS 1.2 and 1.3, keys of at least 112 bits of strength, no renegotiation, no finite-field
// Diffie-Hellman. What a peer could make large is bounded (base/limits.h): the chain, its keys, and
// the messages that it sends besides content. Beyond these bounds the session ends with an error.
class TlsContext {
public:
    struct ClientOptions {
        // In addition to the system's authorities (SSL_CERT_FILE and SSL_CERT_DIR are honoured).
        std::filesystem::path ca_file;
        // Our own certificate, for servers that ask for one.
        std::filesystem::path certificate_file;
        std::filesystem::path key_file;
        bool verify = true;
        std::size_t sessions_max = 10'000;  // Kept for resumption; the oldest are dropped first.
    };
    struct ServerOptions {
        std::filesystem::path certificate_file;  // PEM, with the chain.
        std::filesystem::path key_file;
        std::vector<std::string> alpn;  // In order of preference.

        // If set, clients must show a certificate of one of these authorities.
        std::filesystem::path client_ca_file;
        TlsVersion version_max = TlsVersion::v1_3;
    };

    // Both throw TlsError if a file cannot be used. SSLKEYLOGFILE is honoured.
    static std::shared_ptr<TlsContext> client(const ClientOptions& options);
    static std::shared_ptr<TlsContext> server(const ServerOptions& options);

    virtual ~TlsContext() = default;

    // The resumable sessions as text, for a file that only its owner may read: the text is enough
    // to decrypt resumed sessions. Each session keeps its resumption key.
    virtual std::string export_sessions() const = 0;

    // Adds the sessions that another context exported; broken and expired ones are skipped.
    virtual void import_sessions(std::string_view text) = 0;
};

// A TLS session over another transport, which it owns.
class TlsTransport : public Transport {
public:
    virtual std::string_view protocol() const = 0;  // "TLSv1.3"
    virtual std::string_view cipher() const = 0;    // "TLS_AES_256_GCM_SHA384"
    // The protocol that both sides chose; empty if none.
    virtual std::string_view alpn() const = 0;
    virtual bool is_resumed() const = 0;

    // Whether the peer announced its end (close_notify), and the connection did not just break off.
    // If not, content without a length of its own may be truncated.
    virtual bool ended_cleanly() const = 0;

    // Continues the handshake. If it would block, await until_readable() and call again. Throws
    // TlsError, IoError. tls_connect() and tls_accept() do this.
    virtual IoResult try_handshake() = 0;
};

// What one client session needs besides the shared TlsContext.
struct TlsClientSession {
    std::string host;  // A name or an IP address, for SNI and the check of the certificate.
    std::vector<std::string> alpn;  // Offered, in order of preference.
    // Sessions are resumed between equal keys; empty: never resumed.
    std::string resumption_key;
};

// Does the handshake over a connected transport, which the session owns from then on. The loop
// resumes the waiting task when the transport is ready. Throws TlsError, IoError. No deadline of
// its own. If it fails or is cancelled, the transport is closed.
Co<std::unique_ptr<TlsTransport>> tls_connect(std::unique_ptr<Transport> transport,
                                              std::shared_ptr<TlsContext> context,
                                              TlsClientSession session);
// Creates the session without the handshake.
std::unique_ptr<TlsTransport> make_tls_client(std::unique_ptr<Transport> transport,
                                              std::shared_ptr<TlsContext> context,
                                              TlsClientSession session);

Co<std::unique_ptr<TlsTransport>> tls_accept(std::unique_ptr<Transport> transport,
                                             std::shared_ptr<TlsContext> context);

}  // namespace weft::aio

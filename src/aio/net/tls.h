#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "aio/net/transport.h"
#include "aio/task/co.h"
#include "base/error.h"

namespace weft::aio {

// Why a TLS session could not be had, or broke.
enum class TlsFailure {
    expired,          // The certificate is past its date.
    not_yet_valid,    // Or before it.
    self_signed,      // Signed by itself, and not trusted.
    unknown_issuer,   // Signed by an authority that is not trusted.
    wrong_name,       // For another host.
    bad_certificate,  // Untrusted for any other reason.
    not_tls,          // The peer does not speak TLS on this port.
    closed,           // The peer closed during the handshake.
    protocol,         // Anything else.
};

std::string_view describe(TlsFailure failure);

class TlsError : public Error {
public:
    TlsError(TlsFailure failure, const std::string& what)
        : Error(what), failure_(failure), reason_(what) {}

    // What became of a handshake with `host`.
    TlsError(TlsFailure failure, const std::string& host, const std::string& reason)
        : Error("tls: " + host + ": " + reason), failure_(failure), reason_(reason) {}

    TlsFailure failure() const { return failure_; }

    // Without the host: "certificate expired on 2026-03-01".
    const std::string& reason() const { return reason_; }

private:
    TlsFailure failure_;
    std::string reason_;
};

enum class TlsVersion { v1_2, v1_3 };  // Older ones are never spoken.

// What the sessions of a program share: trusted authorities, own certificate, resumable sessions.
// Made once, used by any loops and threads at a time; each session keeps it alive.
//
// TLS 1.2 and 1.3, keys of at least 112 bits' strength, no renegotiation, no finite-field
// Diffie-Hellman. What a peer can make big is bounded (base/limits.h): the chain, its keys, and the
// messages it sends besides content; past that the session ends in an error.
class TlsContext {
public:
    struct ClientOptions {
        // Besides the system's authorities (SSL_CERT_FILE and SSL_CERT_DIR are honoured).
        std::filesystem::path ca_file;
        std::filesystem::path certificate_file;  // Our own, with its key: for servers that ask.
        std::filesystem::path key_file;
        bool verify = true;
        std::size_t sessions_max = 10'000;  // Kept for resumption, the oldest go first.
    };
    struct ServerOptions {
        std::filesystem::path certificate_file;  // With the chain, PEM.
        std::filesystem::path key_file;
        std::vector<std::string> alpn;  // In order of preference.

        // Clients must show a certificate of one of these authorities; empty: none is asked for.
        std::filesystem::path client_ca_file;
        TlsVersion version_max = TlsVersion::v1_3;
    };

    // Throw TlsError when a file cannot be used. SSLKEYLOGFILE is honoured.
    static std::shared_ptr<TlsContext> client(const ClientOptions& options);
    static std::shared_ptr<TlsContext> server(const ServerOptions& options);

    virtual ~TlsContext() = default;

    // The sessions that may be resumed, as text for a file that only its owner can read: whoever
    // has it can read what a resumed session says. Each keeps its key.
    virtual std::string export_sessions() const = 0;

    // Takes in what another context exported; what is broken or too old is passed over.
    virtual void import_sessions(std::string_view text) = 0;
};

// A TLS session over another transport.
class TlsTransport : public Transport {
public:
    virtual std::string_view protocol() const = 0;  // "TLSv1.3"
    virtual std::string_view cipher() const = 0;    // "TLS_AES_256_GCM_SHA384"
    virtual std::string_view alpn() const = 0;      // What both chose; empty if nothing.
    virtual bool is_resumed() const = 0;

    // The peer said that it ends, rather than the connection just breaking off. Without that, what
    // has no length of its own may be cut short.
    virtual bool ended_cleanly() const = 0;

    // Goes on with the handshake; would_block: await until_readable() and call again. Throws
    // TlsError, IoError. tls_connect() and tls_accept() see to it.
    virtual IoResult try_handshake() = 0;
};

struct TlsClientSession {
    std::string host;  // For SNI and for the check of the certificate; a name or an IP.
    std::vector<std::string> alpn;  // Offered, in order of preference.
    std::string resumption_key;     // Sessions are resumed between equal keys; empty: never.
};

// Drives the handshake to its end over a connected transport, which the session owns from then on.
// The waiting task is resumed by the loop as the transport becomes ready. Throws TlsError, IoError.
// No deadline of its own. Failed or cancelled, the transport is closed.
Co<std::unique_ptr<TlsTransport>> tls_connect(std::unique_ptr<Transport> transport,
                                              std::shared_ptr<TlsContext> context,
                                              TlsClientSession session);
// The same before its handshake.
std::unique_ptr<TlsTransport> make_tls_client(std::unique_ptr<Transport> transport,
                                              std::shared_ptr<TlsContext> context,
                                              TlsClientSession session);

Co<std::unique_ptr<TlsTransport>> tls_accept(std::unique_ptr<Transport> transport,
                                             std::shared_ptr<TlsContext> context);

}  // namespace weft::aio

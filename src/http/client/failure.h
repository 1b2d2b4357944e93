#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace weft::http {

// Why a fetch did not end in a complete response. Reports count these classes, logs name them, and
// retries depend on them. A response with any HTTP status is not a failure.
enum class Failure {
    bad_request,  // Our own request cannot be put on the wire.
    no_such_host,
    dns_failed,
    address_denied,
    connect_refused,
    connect_unreachable,
    connect_failed,
    proxy_failed,  // The proxy did not connect us to the host.
    proxy_auth,    // The proxy wants credentials, or rejected ours.
    tls_certificate,
    tls_not_tls,
    tls_failed,
    reset,
    closed_early,  // Before the first byte of an answer.
    truncated,
    not_http,
    bad_response,
    bad_encoding,
    bad_redirect,  // A target that may not be followed, too many redirects, or a loop.
    dns_timeout,
    connect_timeout,
    proxy_timeout,
    tls_timeout,
    send_timeout,
    first_byte_timeout,
    idle_timeout,
    total_timeout,
    too_slow,
    no_resources,  // We ran out of descriptors or memory.
};

// "connect_refused": the name in logs and reports that programs read.
std::string_view name(Failure failure);

// Whether the same request may succeed a little later.
bool is_transient(Failure failure);

// The phases of a fetch, in their order.
enum class Phase { waiting, dns, connect, proxy, tls, sending, head, body };

// "waiting", "dns", ...
std::string_view name(Phase phase);

// A fetch ended without a complete response. what() is one line for people: "example.com:
// truncated: 512 of 2048 bytes". Text from the server in it is escaped.
class FetchError : public Error {
public:
    FetchError(Failure failure, Phase phase, std::string host, std::string reason);

    // For callers that do not know the host. The phase is the one that the failure belongs to.
    FetchError(Failure failure, const std::string& reason);

    Failure failure() const { return failure_; }
    Phase phase() const { return phase_; }

    // As in the URL, the port only if it is written there; may be empty.
    const std::string& host() const { return host_; }

    // "connect refused by 192.0.2.1:80", "tls: certificate expired on 2026-03-01".
    const std::string& reason() const { return reason_; }

private:
    Failure failure_;
    Phase phase_;
    std::string host_;
    std::string reason_;
};

}  // namespace weft::http

#pragma once

#include <string>
#include <string_view>

#include "base/error.h"

namespace weft::http {

// Why a fetch did not end in a whole answer: the classes that reports count, logs name and retries
// go by. An HTTP status, whatever it is, is an answer and no failure.
enum class Failure {
    bad_request,  // Our own request cannot be put on the wire.
    no_such_host,
    dns_failed,
    address_denied,
    connect_refused,
    connect_unreachable,
    connect_failed,
    proxy_failed,  // The proxy would not or could not lead to the host.
    proxy_auth,    // The proxy wants credentials, or others than it got.
    tls_certificate,
    tls_not_tls,
    tls_failed,
    reset,
    closed_early,  // Before the first byte of an answer.
    truncated,
    not_http,
    bad_response,
    bad_encoding,
    bad_redirect,  // Nowhere that may be gone to, or in circles.
    dns_timeout,
    connect_timeout,
    proxy_timeout,
    tls_timeout,
    send_timeout,
    first_byte_timeout,
    idle_timeout,
    total_timeout,
    too_slow,
    no_resources,  // Of ours: descriptors, memory.
};

// "connect_refused": for logs and reports that machines read.
std::string_view name(Failure failure);

// Whether the same request may go better a little later.
bool is_transient(Failure failure);

// What a fetch is doing, in the order in which it does it.
enum class Phase { waiting, dns, connect, proxy, tls, sending, head, body };

// "waiting", "dns", ...
std::string_view name(Phase phase);

// The end of a fetch without a whole answer: what() says it in one line for people, "example.com:
// truncated: 512 of 2048 bytes". Text of the server's in it is escaped.
class FetchError : public Error {
public:
    FetchError(Failure failure, Phase phase, std::string host, std::string reason);

    // Where nobody knows the host: in the phase that the failure belongs to.
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

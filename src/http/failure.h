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
    tls_certificate,
    tls_not_tls,
    tls_failed,
    reset,
    closed_early,  // Before the first byte of an answer.
    truncated,
    not_http,
    bad_response,
    bad_encoding,
    dns_timeout,
    connect_timeout,
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

class FetchError : public Error {
public:
    // `what` is for people and names the host: "connection refused by 192.0.2.1:80".
    FetchError(Failure failure, const std::string& what) : Error(what), failure_(failure) {}

    Failure failure() const { return failure_; }

private:
    Failure failure_;
};

}  // namespace weft::http

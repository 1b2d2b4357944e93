#include "http/client/failure.h"

#include <utility>

namespace weft::http {

std::string_view name(Failure failure) {
    switch (failure) {
        case Failure::bad_request: return "bad_request";
        case Failure::no_such_host: return "no_such_host";
        case Failure::dns_failed: return "dns_failed";
        case Failure::address_denied: return "address_denied";
        case Failure::connect_refused: return "connect_refused";
        case Failure::connect_unreachable: return "connect_unreachable";
        case Failure::connect_failed: return "connect_failed";
        case Failure::proxy_failed: return "proxy_failed";
        case Failure::proxy_auth: return "proxy_auth";
        case Failure::tls_certificate: return "tls_certificate";
        case Failure::tls_not_tls: return "tls_not_tls";
        case Failure::tls_failed: return "tls_failed";
        case Failure::reset: return "reset";
        case Failure::closed_early: return "closed_early";
        case Failure::truncated: return "truncated";
        case Failure::not_http: return "not_http";
        case Failure::bad_response: return "bad_response";
        case Failure::bad_encoding: return "bad_encoding";
        case Failure::bad_redirect: return "bad_redirect";
        case Failure::dns_timeout: return "dns_timeout";
        case Failure::connect_timeout: return "connect_timeout";
        case Failure::proxy_timeout: return "proxy_timeout";
        case Failure::tls_timeout: return "tls_timeout";
        case Failure::send_timeout: return "send_timeout";
        case Failure::first_byte_timeout: return "first_byte_timeout";
        case Failure::idle_timeout: return "idle_timeout";
        case Failure::total_timeout: return "total_timeout";
        case Failure::too_slow: return "too_slow";
        case Failure::no_resources: return "no_resources";
    }
    std::unreachable();
}

// Lists the failures that a retry cannot mend: the request, the name, the policy, the certificate
// or what the server sends is wrong. All others, all timeouts among them, may pass.
bool is_transient(Failure failure) {
    switch (failure) {
        case Failure::bad_request:
        case Failure::no_such_host:
        case Failure::address_denied:
        case Failure::proxy_auth:
        case Failure::tls_certificate:
        case Failure::tls_not_tls:
        case Failure::not_http:
        case Failure::bad_response:
        case Failure::bad_encoding:
        case Failure::bad_redirect: return false;
        default: return true;
    }
}

std::string_view name(Phase phase) {
    switch (phase) {
        case Phase::waiting: return "waiting";
        case Phase::dns: return "dns";
        case Phase::connect: return "connect";
        case Phase::proxy: return "proxy";
        case Phase::tls: return "tls";
        case Phase::sending: return "sending";
        case Phase::head: return "head";
        case Phase::body: return "body";
    }
    std::unreachable();
}

namespace {

// The phase in which a failure usually happens, for errors made outside a fetch.
Phase phase_of(Failure failure) {
    switch (failure) {
        case Failure::bad_request: return Phase::waiting;
        case Failure::no_such_host:
        case Failure::dns_failed:
        case Failure::dns_timeout: return Phase::dns;
        case Failure::address_denied:
        case Failure::connect_refused:
        case Failure::connect_unreachable:
        case Failure::connect_failed:
        case Failure::connect_timeout:
        case Failure::no_resources: return Phase::connect;
        case Failure::proxy_failed:
        case Failure::proxy_auth:
        case Failure::proxy_timeout: return Phase::proxy;
        case Failure::tls_certificate:
        case Failure::tls_not_tls:
        case Failure::tls_failed:
        case Failure::tls_timeout: return Phase::tls;
        case Failure::send_timeout: return Phase::sending;
        case Failure::reset:
        case Failure::closed_early:
        case Failure::not_http:
        case Failure::bad_response:
        case Failure::bad_redirect:
        case Failure::first_byte_timeout: return Phase::head;
        case Failure::truncated:
        case Failure::bad_encoding:
        case Failure::idle_timeout:
        case Failure::total_timeout:
        case Failure::too_slow: return Phase::body;
    }
    std::unreachable();
}

}  // namespace

FetchError::FetchError(Failure failure, Phase phase, std::string host, std::string reason)
    : Error(host.empty() ? reason : host + ": " + reason),
      failure_(failure),
      phase_(phase),
      host_(std::move(host)),
      reason_(std::move(reason)) {}

FetchError::FetchError(Failure failure, const std::string& reason)
    : FetchError(failure, phase_of(failure), "", reason) {}

}  // namespace weft::http

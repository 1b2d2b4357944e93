#include "http/failure.h"

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
        case Failure::tls_certificate: return "tls_certificate";
        case Failure::tls_not_tls: return "tls_not_tls";
        case Failure::tls_failed: return "tls_failed";
        case Failure::reset: return "reset";
        case Failure::closed_early: return "closed_early";
        case Failure::truncated: return "truncated";
        case Failure::not_http: return "not_http";
        case Failure::bad_response: return "bad_response";
        case Failure::bad_encoding: return "bad_encoding";
        case Failure::dns_timeout: return "dns_timeout";
        case Failure::connect_timeout: return "connect_timeout";
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

bool is_transient(Failure failure) {
    switch (failure) {
        case Failure::bad_request:
        case Failure::no_such_host:
        case Failure::address_denied:
        case Failure::tls_certificate:
        case Failure::tls_not_tls:
        case Failure::not_http:
        case Failure::bad_response:
        case Failure::bad_encoding: return false;
        default: return true;
    }
}

}  // namespace weft::http

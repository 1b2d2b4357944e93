#include "cli/exit_status.h"

namespace weft::cli {

ExitStatus status_of(http::Failure failure) {
    using http::Failure;
    switch (failure) {
        case Failure::bad_request: return exit_usage;
        case Failure::proxy_auth: return exit_auth;
        case Failure::tls_certificate:
        case Failure::tls_not_tls:
        case Failure::tls_failed: return exit_tls;
        case Failure::not_http:
        case Failure::bad_response:
        case Failure::bad_encoding:
        case Failure::bad_redirect: return exit_protocol;
        default: return exit_unreachable;
    }
}

ExitStatus status_of_failure(std::string_view name) {
    for (int i = 0; i <= static_cast<int>(http::Failure::no_resources); ++i) {
        const auto failure = static_cast<http::Failure>(i);
        if (http::name(failure) == name) return status_of(failure);
    }
    return exit_unreachable;
}

}  // namespace weft::cli

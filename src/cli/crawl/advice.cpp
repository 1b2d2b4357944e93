#include "cli/crawl/advice.h"

#include "cli/show/exit_status.h"

namespace weft::cli {

std::string_view advice_for(http::Failure failure) {
    using http::Failure;
    switch (failure) {
        case Failure::no_such_host: return "is the name spelt right?";
        case Failure::dns_failed:
        case Failure::dns_timeout: return "try again, or other name servers with --dns-servers";
        case Failure::connect_refused: return "is the server running, and is the port right?";
        case Failure::tls_certificate:
            return "trust its authority with --ca-certificate, or any server with "
                   "--no-check-certificate";
        case Failure::tls_not_tls: return "try http:// in place of https://";
        case Failure::not_http: return "is the port right? a port of https needs https://";
        case Failure::proxy_auth: return "it needs a login: --proxy http://user:password@host:port";
        case Failure::total_timeout: return "give it longer with --timeout";
        default: return "";
    }
}

std::string_view advice_for(std::string_view name) {
    // These are not failures of the http client; the crawl names them.
    if (name == "401") return "it needs a login: --user name:password";
    if (name == "retry_after") return "it asks clients to wait; allow more with --max-retry-after";
    if (name == "robots_unavailable")
        return "its robots.txt could not be fetched, and is needed first; try again later";
    const std::optional<http::Failure> failure = failure_named(name);
    return failure ? advice_for(*failure) : "";
}

}  // namespace weft::cli

#include "http/client/fetch_clock.h"

#include <fmt/format.h>

#include "base/units.h"

namespace weft::http {

namespace {

// The beginning of a sentence that ends in "within 10 s".
std::string_view words_for(Failure failure) {
    switch (failure) {
        case Failure::dns_timeout: return "dns: no name server answered";
        case Failure::connect_timeout: return "connect: not accepted";
        case Failure::proxy_timeout: return "proxy: it did not lead on";
        case Failure::tls_timeout: return "tls: handshake not finished";
        case Failure::send_timeout: return "request not taken";
        case Failure::first_byte_timeout: return "no answer";
        case Failure::idle_timeout: return "silent";
        default: return "nothing happened";
    }
}

}  // namespace

void FetchClock::fail(Failure failure, std::string reason) const {
    throw FetchError(failure, phase_, std::string(host_), std::move(reason));
}

void FetchClock::fail_late() const {
    fail(Failure::total_timeout,
         fmt::format("not done within {} ({})", human_duration(total_), name(phase_)));
}

void FetchClock::fail_slow(Duration limit, Failure failure) const {
    fail(failure, fmt::format("{} within {}", words_for(failure), human_duration(limit)));
}

}  // namespace weft::http

#include "base/clock.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "base/assert.h"

namespace weft {

TimePoint SystemClock::now() const {
    return std::chrono::steady_clock::now();
}

WallTime SystemClock::wall() const {
    return std::chrono::system_clock::now();
}

namespace {

std::tm utc(WallTime time) {
    return fmt::gmtime(std::chrono::system_clock::to_time_t(
        std::chrono::floor<std::chrono::system_clock::duration>(time)));
}

}  // namespace

std::string to_iso8601(WallTime time, int fraction_digits) {
    WEFT_ASSERT(fraction_digits >= 0 && fraction_digits <= 9);
    std::string out = fmt::format("{:%Y-%m-%dT%H:%M:%S}", utc(time));
    if (fraction_digits > 0) {
        const Duration fraction = time - std::chrono::floor<std::chrono::seconds>(time);
        out += '.';
        out += fmt::format("{:09}", fraction.count())
                   .substr(0, static_cast<std::size_t>(fraction_digits));
    }
    return out + "Z";
}

std::string to_timestamp14(WallTime time) {
    return fmt::format("{:%Y%m%d%H%M%S}", utc(time));
}

}  // namespace weft

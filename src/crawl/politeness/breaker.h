#pragma once

#include <cstdint>

#include "base/clock.h"

namespace weft::crawl {

// The circuit breaker of a host: it keeps a crawl from connecting again and again to a dead host
// (H06, H07).
//
// It is closed until `failure_count` fetches in a row have failed. Then it opens: the host is left
// alone for 30 s, after which one fetch may try. If that fails too, it opens again for twice as
// long, up to an hour. After `opening_max` openings the host is given up. One success closes it.
//
// A value without a clock: the caller keeps the pause.
class Breaker {
public:
    // Notes a failure and returns how long to leave the host alone; zero while the breaker is
    // closed. `chance`, a random number in [0, 1), makes the pause up to half as long again. With a
    // `failure_count` of 0 the breaker never opens.
    Duration on_failure(std::uint32_t failure_count, std::uint32_t opening_max, double chance);
    void on_success() { *this = {}; }

    bool is_given_up() const { return is_given_up_; }

private:
    std::uint32_t failures_ = 0;
    std::uint32_t openings_ = 0;
    bool is_given_up_ = false;
};

}  // namespace weft::crawl

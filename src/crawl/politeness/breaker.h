#pragma once

#include <cstdint>

#include "base/clock.h"

namespace weft::crawl {

// Keeps a crawl from knocking at a dead door (H06, H07).
//
// Closed until `failure_count` connections in a row have failed; then open: the host is left alone
// for 30 s, and one fetch may try. If that fails too, it opens again for twice as long, up to an
// hour; after `opening_max` times the host is given up. One success closes it.
class Breaker {
public:
    // Gives how long the host is to be left alone; nothing to wait for while it is closed.
    // `chance` in [0, 1) makes it up to half as long again.
    Duration on_failure(std::uint32_t failure_count, std::uint32_t opening_max, double chance);
    void on_success() { *this = {}; }

    bool is_given_up() const { return is_given_up_; }

private:
    std::uint32_t failures_ = 0;
    std::uint32_t openings_ = 0;
    bool is_given_up_ = false;
};

}  // namespace weft::crawl

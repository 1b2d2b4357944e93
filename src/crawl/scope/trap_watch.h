#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "crawl/run/config.h"
#include "crawl/scope/refusal.h"
#include "web/url/url.h"

namespace weft::crawl {

// A hash of a page's words, those with a digit left out: pages that differ in numbers only, as the
// months of a calendar do, have one skeleton. Text comes in pieces; a piece does not end a word.
class Skeleton {
public:
    void add(std::string_view text);
    std::uint64_t finish();  // Never 0.

private:
    void add_word(std::uint64_t word);

    std::uint64_t hash_ = 0;
    std::uint64_t word_ = 0;
    unsigned kinds_ = 0;  // Of the bytes in the word.
};

// Finds the traps that only show once one is in them (H68): pages without end under one pattern of
// URLs, alike but for numbers, each found on the one before.
//
// Watches the patterns of visited pages, per host. Looks at every page's skeleton while they are
// alike, and ever less often while they are not. A pattern is cut off when `pattern_probe_count`
// pages were alike and the chain of links is long and narrow: a large site is wide, a trap is deep.
// Ids (hexadecimal, random) need no chain: a page that stays the same under ever new ones is one
// page. Bounded: of too many patterns the rarest are forgotten.
class TrapWatch {
public:
    TrapWatch(const Config& config, std::uint64_t hash_seed)
        : config_(config), hash_seed_(hash_seed) {}

    // A chain is so many links long at least, and has so many pages at each step at most.
    static constexpr std::uint32_t kTrapDepthMin = 16;
    static constexpr std::uint64_t kPagesPerStepMax = 8;

    // Why the URL is not to be fetched: its pattern was cut off.
    std::optional<Refusal> refuses(std::uint64_t host, const web::Url& url) const;

    // A page is about to be fetched. Says whether its skeleton is wanted, or that the budget of its
    // pattern is spent.
    struct Look {
        std::uint64_t pattern = 0;  // 0: its URL has none.
        bool wants_skeleton = false;
        bool is_spent = false;
    };
    Look begin(std::uint64_t host, const web::Url& url);

    // The page was fetched. `url` only names the trap.
    void note(std::uint64_t host, const web::Url& url, const Look& look, std::uint64_t skeleton,
              std::uint32_t depth);

    std::size_t pattern_count() const { return patterns_.size(); }

private:
    struct PatternState {
        std::uint64_t page_count = 0;
        std::uint32_t look_in = 1;     // Pages until the next look,
        std::uint32_t look_every = 1;  // and from then on.
        std::uint32_t alike_score = 0;
        std::vector<std::uint64_t> skeletons;  // The last few kinds.
        std::size_t next_skeleton = 0;
    };

    std::uint64_t pattern_key(std::uint64_t host, std::string_view shape) const;
    std::size_t pattern_count_max() const;
    void make_room();

    const Config& config_;
    std::uint64_t hash_seed_;
    std::unordered_map<std::uint64_t, PatternState> patterns_;
    std::unordered_map<std::uint64_t, Refusal> cut_patterns_;
    std::unordered_set<std::uint64_t> cut_hosts_;  // Of the hosts that have such patterns.
};

}  // namespace weft::crawl

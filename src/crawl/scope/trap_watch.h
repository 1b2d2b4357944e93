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

// A hash of a page's words without those that contain a digit. Pages that differ in numbers only,
// such as the months of a calendar, have the same skeleton. The text may come in pieces; a word may
// go over the end of a piece.
class Skeleton {
public:
    void add(std::string_view text);
    std::uint64_t finish();  // Never 0.

private:
    void add_word(std::uint64_t word);

    std::uint64_t hash_ = 0;
    std::uint64_t word_ = 0;
    unsigned kinds_ = 0;  // Which kinds of bytes the word has: letters, digits.
};

// Finds traps that the URL alone does not show (H68): endless pages under one URL pattern that
// differ in numbers only, each found on the page before.
//
// The watch follows the URL patterns of visited pages, per host. It takes every page's skeleton
// while they are alike, and fewer and fewer while they are not. A pattern is cut off when
// `pattern_probe_count` pages were alike and the chain of links is long and narrow: a large site is
// wide, a trap is deep. Patterns with ids (hexadecimal, random) need no chain: a page that stays
// the same under ever new ids is one page.
//
// Bounded: when there are too many patterns, the rarest are forgotten. Owned by the Admission, used
// on its loop; hosts are given by their hash (HostTable).
class TrapWatch {
public:
    TrapWatch(const Config& config, std::uint64_t hash_seed)
        : config_(config), hash_seed_(hash_seed) {}

    // A trap's chain has at least this many links, and at most this many pages per link.
    static constexpr std::uint32_t kTrapDepthMin = 16;
    static constexpr std::uint64_t kPagesPerStepMax = 8;

    // Why the URL must not be fetched: its pattern was cut off. Empty: it may be fetched.
    std::optional<Refusal> refuses(std::uint64_t host, const web::Url& url) const;

    // Call begin() when a page is about to be fetched. It counts the page, and says whether its
    // skeleton is wanted or the budget of its pattern is spent.
    struct Look {
        std::uint64_t pattern = 0;  // 0: the URL has no variable part.
        bool wants_skeleton = false;
        bool is_spent = false;
    };
    Look begin(std::uint64_t host, const web::Url& url);

    // Notes the skeleton of a page that was fetched at `depth`. `url` only decides the name of the
    // trap, if this is one.
    void note(std::uint64_t host, const web::Url& url, const Look& look, std::uint64_t skeleton,
              std::uint32_t depth);

    std::size_t pattern_count() const { return patterns_.size(); }

private:
    struct PatternState {
        std::uint64_t page_count = 0;
        // Pages until the next skeleton is taken. The first page of a pattern is left out: most
        // patterns have only one, as a number in the name of a folder makes one of each page.
        std::uint32_t look_in = 2;
        std::uint32_t look_every = 1;          // Pages between two skeletons after that.
        std::uint32_t alike_score = 0;         // Grows with known skeletons, shrinks with new ones.
        std::vector<std::uint64_t> skeletons;  // The last different ones.
        std::size_t next_skeleton = 0;         // The index that the next one replaces.
    };

    std::uint64_t pattern_key(std::uint64_t host, std::string_view shape) const;
    std::size_t pattern_count_max() const;
    void make_room();

    const Config& config_;
    std::uint64_t hash_seed_;
    std::unordered_map<std::uint64_t, PatternState> patterns_;
    std::unordered_map<std::uint64_t, Refusal> cut_patterns_;
    std::unordered_set<std::uint64_t> cut_hosts_;  // The hosts of cut_patterns_: a quick check.
};

}  // namespace weft::crawl

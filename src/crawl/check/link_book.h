#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"

namespace weft::crawl {

// A page that has a link, and the text of that link.
struct LinkSource {
    std::string page;
    std::string text;  // White space is collapsed; empty if the link has no text.
};

// Which pages link to which targets: for each target the number of pages and the first of them.
// Memory is bounded. Owned by the LinkCheck, used on its loop.
class LinkBook {
public:
    static constexpr std::size_t kSourcesMax = 100;    // Pages that are named per target.
    static constexpr std::size_t kTextBytesMax = 120;  // A longer link text is cut.

    // Beyond `bytes_max` no new target is added.
    explicit LinkBook(std::size_t bytes_max = SIZE_MAX) : bytes_max_(bytes_max) {}

    // Adds a link. A page counts once per target, with the first text of its links there. False:
    // the target is new and the book is full. REQUIRES: all links of a page are added before those
    // of the next page.
    bool add(std::string_view page, std::string_view target, std::string_view text);

    // Calls `take` for each target with the number of pages that link to it, in no order.
    void each(const std::function<void(std::string_view target, std::uint64_t count)>& take) const;

    // The first pages that link to the target, at most kSourcesMax. Empty for an unknown target.
    std::vector<LinkSource> sources_of(std::string_view target) const;

    std::uint64_t count_of(std::string_view target) const;
    std::size_t size() const { return targets_.size(); }

    // What the book holds, estimated.
    std::size_t memory_bytes() const { return bytes_; }

private:
    struct Source {
        std::uint32_t page = 0;  // Index in pages_.
        std::string text;
    };
    struct Target {
        std::vector<Source> sources;
        std::uint64_t count = 0;
        std::uint32_t last_page = 0;
    };

    std::size_t bytes_max_;
    std::size_t bytes_ = 0;
    std::vector<std::string> pages_;
    std::unordered_map<std::string, Target, SecretHash, std::equal_to<>> targets_;
};

}  // namespace weft::crawl

#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace weft::crawl {

// A page that points somewhere, and what its link says.
struct LinkSource {
    std::string page;
    std::string text;  // Of the link, white space collapsed; empty if there is none.
};

// Who points where: for each target the first pages that link to it and how many there are. Pages
// come one after the other: all links of one are added before those of the next.
class LinkBook {
public:
    static constexpr std::size_t kSourcesMax = 100;
    static constexpr std::size_t kTextBytesMax = 120;

    // Past `bytes_max` no target is added.
    explicit LinkBook(std::size_t bytes_max = SIZE_MAX) : bytes_max_(bytes_max) {}

    // A page counts once for a target; of its links there the first text counts. False: it is full.
    bool add(std::string_view page, std::string_view target, std::string_view text);

    // Each target with the number of pages that point to it, in no order.
    void each(const std::function<void(std::string_view target, std::uint64_t count)>& take) const;

    // At most kSourcesMax, the first found first. Empty for a target that nobody names.
    std::vector<LinkSource> sources_of(std::string_view target) const;

    std::uint64_t count_of(std::string_view target) const;
    std::size_t size() const { return targets_.size(); }

    // What the book holds, about.
    std::size_t memory_bytes() const { return bytes_; }

private:
    struct Source {
        std::uint32_t page = 0;  // In pages_.
        std::string text;
    };
    struct Target {
        std::vector<Source> sources;
        std::uint64_t count = 0;
        std::uint32_t last_page = 0;
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const;
    };

    std::size_t bytes_max_;
    std::size_t bytes_ = 0;
    std::vector<std::string> pages_;
    std::unordered_map<std::string, Target, Hash, std::equal_to<>> targets_;
};

}  // namespace weft::crawl

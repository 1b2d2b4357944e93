#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace weft::crawl {

// Finds pages whose text is almost the same as that of an earlier page, by their fingerprints
// (web/html/fingerprint.h). It remembers the last `count_max` different pages, or fewer if their
// URLs are long. Not thread-safe: SeenContent holds a lock.
class NearDuplicates {
public:
    // How many of the 64 bits may differ: about one word in a hundred.
    static constexpr int kDistanceMax = 3;
    static constexpr std::size_t kUrlBytesMax = 8 << 20;  // Of all remembered URLs together.

    explicit NearDuplicates(std::size_t count_max = 50'000) : count_max_(count_max) {}

    // The URL of an earlier page with almost the same text. If there is none, the result is empty
    // and this page is remembered. The view is valid until the next call.
    std::string_view find_or_add(std::uint64_t fingerprint, std::string_view url);

    std::size_t size() const { return pages_.size(); }
    std::size_t url_bytes() const { return url_bytes_; }

private:
    // Three bits can differ in at most three of four quarters: one quarter is always equal. So the
    // pages with an equal quarter are the only ones to compare with.
    static constexpr std::size_t kQuarters = 4;

    struct Page {
        std::uint64_t fingerprint = 0;
        std::string url;
    };

    static std::uint32_t quarter_key(std::uint64_t fingerprint, std::size_t quarter);
    void forget_oldest();

    std::size_t count_max_;
    std::deque<Page> pages_;           // The oldest first.
    std::uint64_t oldest_number_ = 0;  // The number of the oldest page; the next has one more.
    std::size_t url_bytes_ = 0;
    std::unordered_multimap<std::uint32_t, std::uint64_t> by_quarter_;  // Numbers of pages.
};

}  // namespace weft::crawl

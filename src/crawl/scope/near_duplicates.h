#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>

namespace weft::crawl {

// Finds pages whose text is almost that of an earlier one, by their fingerprints (web/fingerprint).
// Remembers the last `count_max` different ones, fewer if their URLs are long.
class NearDuplicates {
public:
    // Of 64 bits, so many may differ: about one word in a hundred.
    static constexpr int kDistanceMax = 3;
    static constexpr std::size_t kUrlBytesMax = 8 << 20;

    explicit NearDuplicates(std::size_t count_max = 50'000) : count_max_(count_max) {}

    // The URL of an earlier page that is almost the same; else empty, and this one is remembered.
    // The view holds until the next call.
    std::string_view find_or_add(std::uint64_t fingerprint, std::string_view url);

    std::size_t size() const { return pages_.size(); }
    std::size_t url_bytes() const { return url_bytes_; }

private:
    // Of two fingerprints that differ in three bits, one of four quarters is equal.
    static constexpr std::size_t kQuarters = 4;

    struct Page {
        std::uint64_t fingerprint = 0;
        std::string url;
    };

    static std::uint32_t quarter_key(std::uint64_t fingerprint, std::size_t quarter);
    void forget_oldest();

    std::size_t count_max_;
    std::deque<Page> pages_;           // The oldest first,
    std::uint64_t oldest_number_ = 0;  // with this number; those after it count on.
    std::size_t url_bytes_ = 0;
    std::unordered_multimap<std::uint32_t, std::uint64_t> by_quarter_;  // Numbers.
};

}  // namespace weft::crawl

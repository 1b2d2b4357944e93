#include "crawl/scope/seen_content.h"

#include <charconv>

namespace weft::crawl {

bool SeenContent::is_duplicate(std::uint64_t digest) {
    const std::lock_guard lock(mutex_);
    return !digests_.insert(digest);
}

std::string SeenContent::find_near(std::uint64_t fingerprint, std::string_view url) {
    const std::lock_guard lock(mutex_);
    return std::string(near_.find_or_add(fingerprint, url));
}

void SeenContent::remember(const Outcome& outcome) {
    if (outcome.simhash != 0) find_near(outcome.simhash, outcome.url);
    constexpr std::string_view kKind = "xxh3:";
    const std::string_view text = outcome.digest;
    if (!text.starts_with(kKind)) return;
    std::uint64_t digest = 0;
    const auto read =
        std::from_chars(text.data() + kKind.size(), text.data() + text.size(), digest, 16);
    if (read.ec == std::errc()) is_duplicate(digest);
}

}  // namespace weft::crawl

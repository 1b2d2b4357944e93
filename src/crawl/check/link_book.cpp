#include "crawl/check/link_book.h"

#include "base/escape.h"

namespace weft::crawl {
namespace {

constexpr std::size_t kBytesPerTarget = 160;  // An entry of the table, with its node and bucket.

}  // namespace

bool LinkBook::add(std::string_view page, std::string_view target, std::string_view text) {
    if (pages_.empty() || pages_.back() != page) {
        pages_.emplace_back(page);
        bytes_ += 2 * sizeof(std::string) + page.size();  // Twice: the list is copied to grow.
    }
    const auto number = static_cast<std::uint32_t>(pages_.size() - 1);
    auto found = targets_.find(target);
    if (found == targets_.end()) {
        if (bytes_ >= bytes_max_) return false;
        found = targets_.emplace(target, Target{}).first;
        bytes_ += kBytesPerTarget + target.size();
    }
    Target& entry = found->second;
    if (entry.count > 0 && entry.last_page == number) {
        const bool has_text = entry.sources.back().page != number ||  // Beyond kSourcesMax.
                              !entry.sources.back().text.empty();
        if (!has_text) entry.sources.back().text = utf8_prefix(text, kTextBytesMax);
        return true;
    }
    ++entry.count;
    entry.last_page = number;
    if (entry.sources.size() == kSourcesMax || bytes_ >= bytes_max_) return true;
    entry.sources.push_back({number, std::string(utf8_prefix(text, kTextBytesMax))});
    bytes_ += 2 * sizeof(Source) + text.size();
    return true;
}

void LinkBook::each(
    const std::function<void(std::string_view target, std::uint64_t count)>& take) const {
    for (const auto& [target, entry] : targets_) take(target, entry.count);
}

std::vector<LinkSource> LinkBook::sources_of(std::string_view target) const {
    std::vector<LinkSource> sources;
    const auto found = targets_.find(target);
    if (found == targets_.end()) return sources;
    for (const Source& source : found->second.sources) {
        sources.push_back({pages_[source.page], source.text});
    }
    return sources;
}

std::uint64_t LinkBook::count_of(std::string_view target) const {
    const auto found = targets_.find(target);
    return found == targets_.end() ? 0 : found->second.count;
}

}  // namespace weft::crawl

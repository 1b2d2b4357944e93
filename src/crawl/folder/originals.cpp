#include "crawl/folder/originals.h"

#include <set>
#include <tuple>

namespace weft::crawl {

namespace {
constexpr std::size_t kLossesToldMax = 10;
}

OriginalsReport each_original(
    const archive::CrawlSnapshot& snapshot, const EarlierCrawl& crawl,
    const std::function<void(const std::filesystem::path& file, std::uint64_t offset)>& take) {
    OriginalsReport report;
    std::set<std::tuple<const EarlierCrawl*, std::string, std::uint64_t>> taken;
    snapshot.each_page([&](const Outcome& entry) {
        if (entry.archived.file.empty() || !(entry.is_revisit || entry.is_unchanged)) return;
        const auto answer = crawl.read_answer(entry);
        if (!answer) {
            ++report.lost_count;
            if (report.losses.size() < kLossesToldMax) report.losses.push_back(answer.error().what);
            return;
        }
        if (answer->crawl == &crawl) return;  // The original is in this crawl's own archive.
        ++report.elsewhere_count;
        const Outcome& original = answer->entry;
        if (!taken.emplace(answer->crawl, original.archived.file, original.archived.offset).second)
            return;
        take(answer->crawl->folder() / "archive" / original.archived.file,
             original.archived.offset);
    });
    return report;
}

}  // namespace weft::crawl

#include "cli/report/explain_links.h"

#include <algorithm>

#include "archive/index/page_reader.h"
#include "web/url/canonical.h"

namespace weft::cli {
namespace {

// Whether a link is the URL, in any spelling.
class SameUrl {
public:
    SameUrl(const web::Url& url, bool keeps_session_ids)
        : options_{.drop_session_ids = !keeps_session_ids}, key_(canonical_key(url, options_)) {}

    bool operator()(std::string_view href) const {
        if (href == key_) return true;
        // Links in the page log are normalised, so other spellings contain one of these characters.
        // Most links need no parsing.
        if (href.find_first_of("%?;") == std::string_view::npos) return false;
        const auto url = web::Url::parse(href);
        return url && canonical_key(*url, options_) == key_;
    }

private:
    web::CanonicalOptions options_;
    std::string key_;
};

void note(std::vector<std::string>& first, std::uint64_t& count, const std::string& url) {
    ++count;
    if (first.size() < LinksTo::kPagesMax) first.push_back(url);
}

}  // namespace

LinksTo find_links_to(aio::FileSystem& files, const std::filesystem::path& folder,
                      const web::Url& url, bool keeps_session_ids) {
    LinksTo found;
    const SameUrl is_same(url, keeps_session_ids);
    const std::unique_ptr<aio::File> log =
        files.open(folder / "pages" / "pages.jsonl", aio::OpenMode::read);
    archive::read_pages(*log, [&](const archive::Outcome& page) {
        if (page.ending == archive::Ending::redirect) {
            if (is_same(page.redirect_target))
                note(found.redirects, found.redirect_count, page.url);
            return;
        }
        if (page.ending != archive::Ending::fetched) return;
        ++found.page_count;
        if (std::ranges::any_of(page.links, is_same)) note(found.pages, found.count, page.url);
        if (page.is_truncated) {
            if (found.cut_count++ == 0) found.cut_page = page.url;
        }
        if (page.links.empty() && (page.link_count > 0 || !page.refused.empty())) {
            ++found.unlisted_count;
            for (const auto& [rule, count] : page.refused) found.refused[rule] += count;
        }
    });
    return found;
}

}  // namespace weft::cli

#include "extract/fields/title.h"

#include <algorithm>
#include <vector>

#include "base/bytes.h"
#include "extract/fields/field_text.h"

namespace weft::extract {
namespace {

constexpr std::size_t kHeadingsMax = 20;
constexpr std::size_t kTitleCharsMin = 4;  // A shorter h1 is found in any title by chance.

std::string title_element(const web::HtmlTree& tree) {
    const std::uint32_t title = tree.find(web::Element::title);
    return title == 0 ? std::string() : field_text(tree, title, kTitleBytesMax);
}

// The headings of a page, judged by the titles that it gives itself.
class Headings {
public:
    // `titles` are without the site's name, `whole` is with it.
    Headings(const MetadataSources& from, std::string_view titles, std::string_view whole,
             std::string_view site)
        : titles_(to_lower(titles)), whole_(to_lower(whole)), site_(site) {
        const web::HtmlTree& tree = from.tree;
        std::size_t count = 0;
        for (std::uint32_t i = 1; i < tree.size() && count < kHeadingsMax; ++i) {
            if (!tree[i].is_html(web::Element::h1)) continue;
            ++count;
            // An h1 after the content is of something else.
            take(field_text(tree, i, kTitleBytesMax), i < tree[from.kept.root].end);
        }
    }

    std::string titled;  // The longest h1 that is a part of a title.
    std::string first;   // The first h1 before or in the content.

private:
    void take(std::string heading, bool is_near) {
        if (heading.size() < kTitleCharsMin || equals_ignore_case(heading, site_)) return;
        const std::string lower = to_lower(heading);
        if (titles_.contains(lower) && heading.size() > titled.size()) titled = heading;
        // What only the whole title has is the site's part of it.
        const bool is_site = whole_.contains(lower);
        if (is_near && !is_site && first.empty()) first = std::move(heading);
    }

    std::string titles_;
    std::string whole_;
    std::string_view site_;
};

std::vector<std::string_view> split_title(std::string_view title) {
    constexpr std::string_view kSeparators[] = {" | ", " » ", " « ", " :: ", " - ",
                                                " – ", " — ", " · ", " • "};
    std::vector<std::string_view> parts;
    while (true) {
        std::size_t at = title.npos, size = 0;
        for (const std::string_view sign : kSeparators) {
            if (const std::size_t found = title.find(sign); found < at) {
                at = found;
                size = sign.size();
            }
        }
        parts.push_back(title.substr(0, at));
        if (at == title.npos) return parts;
        title.remove_prefix(at + size);
    }
}

std::size_t begin_of(std::string_view part, std::string_view title) {
    return static_cast<std::size_t>(part.data() - title.data());
}
std::size_t end_of(std::string_view part, std::string_view title) {
    return begin_of(part, title) + part.size();
}

}  // namespace

std::string without_site_name(std::string_view title, std::string_view site) {
    const std::vector<std::string_view> parts = split_title(title);
    if (parts.size() < 2) return std::string(title);
    if (!site.empty() && equals_ignore_case(parts.back(), site))
        return std::string(title.substr(0, end_of(parts[parts.size() - 2], title)));
    if (!site.empty() && equals_ignore_case(parts.front(), site))
        return std::string(title.substr(begin_of(parts[1], title)));
    // The site comes last, and is shorter than what it has published.
    const std::size_t rest = end_of(parts[parts.size() - 2], title);
    return std::string(parts.back().size() < rest ? title.substr(0, rest) : title);
}

std::string choose_title(const MetadataSources& from, std::string_view site) {
    const std::string og =
        collapsed(from.metas.find_first({"og:title", "twitter:title"}), kTitleBytesMax);
    const std::string title = title_element(from.tree);
    const std::string own = without_site_name(title, site);
    const std::string own_og = without_site_name(og, site);
    Headings headings(from, own_og + "\n" + own, og + "\n" + title, site);
    if (!headings.titled.empty()) return headings.titled;
    if (!own.empty()) return own;
    if (!og.empty()) return own_og;
    std::string headline = collapsed(from.json_ld.headline, kTitleBytesMax);
    return headline.empty() ? headings.first : headline;
}

}  // namespace weft::extract

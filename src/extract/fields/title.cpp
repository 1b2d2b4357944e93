#include "extract/fields/title.h"

#include <algorithm>
#include <initializer_list>
#include <set>
#include <vector>

#include "base/bytes.h"
#include "extract/fields/field_text.h"

namespace weft::extract {
namespace {

constexpr std::size_t kHeadingsMax = 20;
constexpr std::size_t kHeadingBytesMax = 250;  // A longer h1 is a paragraph.
constexpr std::size_t kTitleCharsMin = 4;      // A shorter h1 is found in any title by chance.

std::string title_element(const web::HtmlTree& tree) {
    const std::uint32_t title = tree.find(web::Element::title);
    return title == 0 ? std::string() : field_text(tree, title, kTitleBytesMax);
}

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

// Without the sign that documentation puts behind headings as a link to them.
std::string heading_text(const web::HtmlTree& tree, std::uint32_t i) {
    std::string text = field_text(tree, i, kTitleBytesMax);
    for (const std::string_view sign : {"¶", "#", "§"}) {
        if (text.ends_with(sign))
            text.resize(trim(text.substr(0, text.size() - sign.size())).size());
    }
    return text;
}

// The bytes of a sign beyond ASCII at `i` that is no part of a word: quotes and dashes of general
// punctuation, the signs of Latin 1, trade marks. 0 if there is none.
std::size_t sign_size(std::string_view text, std::size_t i) {
    if (text[i] == '\xC2' && i + 1 < text.size()) return 2;
    const bool is_sign = text[i] == '\xE2' && i + 2 < text.size() && text[i + 1] <= '\x84';
    return is_sign ? 3 : 0;
}

// The words of at least three bytes, in lower case, each once.
std::set<std::string> title_words(std::string_view text) {
    constexpr std::size_t kWordBytesMin = 3;
    std::set<std::string> words;
    std::string word;
    const auto end_word = [&] {
        if (word.size() >= kWordBytesMin) words.insert(std::move(word));
        word.clear();
    };
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::size_t sign = sign_size(text, i);
        if (sign == 0 && (is_alnum(text[i]) || static_cast<unsigned char>(text[i]) >= 0x80)) {
            word += to_lower(text[i]);
            continue;
        }
        end_word();
        if (sign > 0) i += sign - 1;
    }
    end_word();
    return words;
}

// An h1 that may be the title.
struct Heading {
    std::string text;
    double shared = 0;  // The share of its words that the page's titles have.
};

// Whether the whole element is a link to the site's first page: then it shows the site's name.
bool links_home(const web::HtmlTree& tree, std::uint32_t i) {
    std::uint32_t link = tree.find(web::Element::a, i);
    for (std::uint32_t up = tree[i].parent; link == 0 && up != 0; up = tree[up].parent) {
        if (tree[up].is_html(web::Element::a)) link = up;
    }
    if (link == 0) return false;
    std::string_view target = trim(tree.attribute(link, "href").value_or(""));
    const std::size_t scheme = target.find("//");
    if (scheme != target.npos) {
        const std::size_t path = target.find('/', scheme + 2);
        target = path == target.npos ? "/" : target.substr(path);
    }
    return target == "/" || target == "./" || target == "../" || target == "index.html" ||
           target == "/index.html";
}

// The headings of a page, judged by the titles that it gives itself.
class Headings {
public:
    // `titles` are without the site's name, `whole` is with it.
    Headings(const MetadataSources& from, std::string_view titles, std::string_view whole,
             std::string_view site)
        : titles_(to_lower(titles)),
          whole_(to_lower(whole)),
          site_(site),
          words_(title_words(titles)) {
        const web::HtmlTree& tree = from.tree;
        std::size_t count = 0;
        for (std::uint32_t i = 1; i < tree.size() && count < kHeadingsMax; ++i) {
            if (!tree[i].is_html(web::Element::h1)) continue;
            ++count;
            if (links_home(tree, i)) continue;
            // An h1 after the content is of something else.
            const bool is_inside = i >= from.kept.root && i < tree[from.kept.root].end;
            take(heading_text(tree, i), i < tree[from.kept.root].end, is_inside);
        }
    }

    std::string titled;  // The longest h1 that is a part of a title.
    std::string first;   // The first h1 before or in the content.
    // The h1 before or in the content that has most words of the titles, and how many texts there
    // are to choose from.
    Heading closest;
    std::size_t near_count = 0;

private:
    void take(std::string heading, bool is_near, bool is_inside) {
        if (heading.size() < kTitleCharsMin || equals_ignore_case(heading, site_)) return;
        const std::string lower = to_lower(heading);
        // "Chapter - The Book", and the book's name above all chapters.
        if (!is_inside && is_last_part(lower)) return;
        if (titles_.contains(lower) && heading.size() > titled.size()) titled = heading;
        if (is_near && heading.size() <= kHeadingBytesMax) compare(heading);
        // What only the whole title has is the site's part of it.
        const bool is_site = whole_.contains(lower);
        if (is_near && !is_site && first.empty()) first = std::move(heading);
    }

    bool is_last_part(std::string_view heading) const {
        const std::string_view title = std::string_view(whole_).substr(whole_.find('\n') + 1);
        const std::vector<std::string_view> parts = split_title(title);
        return parts.size() > 1 && parts.back() == heading;
    }

    void compare(const std::string& heading) {
        if (heading == closest.text) return;
        ++near_count;
        const std::set<std::string> words = title_words(heading);
        const auto shared = std::ranges::count_if(
            words, [&](const std::string& word) { return words_.contains(word); });
        const double share =
            words.empty() ? 0 : static_cast<double>(shared) / static_cast<double>(words.size());
        if (closest.text.empty() || share > closest.shared) closest = {heading, share};
    }

    std::string titles_;
    std::string whole_;
    std::string_view site_;
    std::set<std::string> words_;
};

// og:type does not count: many sites say "article" on all their pages.
bool is_article(const MetadataSources& from) {
    return from.json_ld.is_article || !from.metas.find("article:published_time").empty();
}

bool is_first_page(std::string_view url) {
    const std::size_t scheme = url.find("://");
    if (scheme == url.npos) return false;
    const std::size_t path = url.find('/', scheme + 3);
    return path == url.npos || path + 1 == url.size() || url[path + 1] == '?';
}

// Whether the h1 says better than the page's own title what the page is about. Titles are also
// written for search engines; the h1 is for readers. But the h1 of a shop's or a company's page is
// often a slogan, so there it must be close to the title.
bool is_better_title(const Headings& headings, const MetadataSources& from,
                     std::initializer_list<std::string_view> titles) {
    constexpr double kArticleShare = 0.2;
    constexpr double kPageShare = 0.66;
    const Heading& heading = headings.closest;
    if (heading.text.empty()) return false;
    const std::set<std::string> words = title_words(heading.text);
    // The same words in the title: only its punctuation differs.
    for (const std::string_view title : titles) {
        if (title_words(title) == words) return false;
    }
    if (is_article(from)) return heading.shared >= kArticleShare;
    return headings.near_count == 1 && heading.shared >= kPageShare && !is_first_page(from.url);
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
    if (is_better_title(headings, from, {own, own_og})) return headings.closest.text;
    if (!own.empty()) return own;
    if (!og.empty()) return own_og;
    std::string headline = collapsed(from.json_ld.headline, kTitleBytesMax);
    return headline.empty() ? headings.first : headline;
}

}  // namespace weft::extract

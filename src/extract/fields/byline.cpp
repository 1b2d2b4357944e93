#include "extract/fields/byline.h"

#include <algorithm>

#include "base/bytes.h"
#include "extract/fields/field_text.h"
#include "web/fields/date.h"

namespace weft::extract {
namespace {

constexpr std::size_t kBylineTextBytesMax = 400;
constexpr std::uint32_t kBylineNodesMax = 40;  // A box with more is not a byline.

bool is_url_like(std::string_view text) {
    return text.contains("://") || text.starts_with("www.") || text.starts_with('/') ||
           text.starts_with('@') || text.starts_with("{");
}

// A name that a program left: "page.head.author".
bool is_variable(std::string_view text) {
    return !text.contains(' ') && std::ranges::count(text, '.') > 2 &&
           std::ranges::none_of(text, [](char c) { return c >= 'A' && c <= 'Z'; });
}

// Labels beside names, which stand alone where the name is in another element.
bool is_label(std::string_view text) {
    constexpr std::string_view kLabels[] = {
        "author", "authors", "written by", "by",         "posted by", "topic author", "sign in",
        "log in", "login",   "updated",    "updated on", "published", "staff writer", "guest"};
    return std::ranges::any_of(
        kLabels, [&](std::string_view label) { return equals_ignore_case(text, label); });
}

// Where a number begins that is a word of its own: a date or a count, no part of a name. Also a
// month before it.
std::size_t number_at(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (!is_digit(text[i]) || (i > 0 && text[i - 1] != ' ')) continue;
        const std::size_t space = i < 2 ? text.npos : text.rfind(' ', i - 2);
        const std::size_t before = space == text.npos ? 0 : space + 1;
        return i > 0 && web::month_from_name(text.substr(before)) ? before : i;
    }
    return text.size();
}

// Drops what follows the names: a date, a role, a link to more.
std::string_view before_details(std::string_view text) {
    for (const std::string_view end :
         {" | ", " · ", " • ", " – ", " — ", " - ", " on ", " in ", " Published", " Updated",
          " Posted", " published", " updated", "Posted on", "Published on", "View all", " Last"}) {
        text = text.substr(0, text.find(end));
    }
    text = text.substr(0, number_at(text));
    while (!text.empty() && (text.back() == ',' || text.back() == ' ' || text.back() == '|' ||
                             text.back() == '-' || text.back() == ':' || text.back() == '('))
        text.remove_suffix(1);
    return text;
}

std::string_view without_by(std::string_view text) {
    bool has_changed = true;
    while (has_changed) {
        has_changed = false;
        for (const std::string_view by :
             {"by ",          "by:",        "written by ", "posted by ", "published by ",
              "authored by ", "author:",    "authors:",    "author ",    "words by ",
              "story by ",    "from ",      "von ",        "par ",       "por ",
              "door ",        "autor:",     "autor ",      "text:",      "by\xC2\xA0",
              "reviewed by ", "- ",         "| ",          "& ",         "guide by ",
              "written by:",  "article by "}) {
            if (starts_with_ignore_case(text, by)) {
                text = trim(text.substr(by.size()));
                has_changed = true;
            }
        }
    }
    return text;
}

class BylineOnPage {
public:
    explicit BylineOnPage(const MetadataSources& from) : from_(from) {}

    std::string find() {
        const web::HtmlTree& tree = from_.tree;
        const std::uint32_t end = tree[from_.kept.root].end;
        for (std::uint32_t i = 1; i < tree.size(); ++i) {
            if (tree[i].is_element()) look_at(i, i < end);
        }
        for (const std::string& byline : found_) {
            if (!byline.empty()) return byline;
        }
        return {};
    }

private:
    enum Rank : std::size_t {
        rel_author,
        item_prop,
        byline_class,
        author_class,
        author_link,
        by_line,
        forum_user,
        late_author,  // rel=author after the content.
        rank_count
    };

    // What the attributes of one element say, read in one pass: every element is looked at.
    struct Signs {
        bool is_author_item = false;
        bool is_author_rel = false;
        bool has_byline = false;
        bool has_author = false;
        bool has_comment = false;
        bool is_user = false;
    };
    Signs signs_of(std::uint32_t i) const {
        Signs signs;
        for (std::size_t k = 0; k < from_.tree.attribute_count(i); ++k) {
            const auto [name, value] = from_.tree.attribute_at(i, k);
            if (name == "itemprop") {
                signs.is_author_item = equals_ignore_case(value, "author");
            } else if (name == "rel") {
                signs.is_author_rel = equals_ignore_case(value, "author");
            } else if (name == "class" || name == "id") {
                signs.has_byline |= contains_word(value, "byline");
                signs.has_author |= contains_word(value, "author");
                signs.has_comment |= contains_word(value, "comment");
                signs.is_user |= contains_word(value, "username");
            }
        }
        return signs;
    }

    void look_at(std::uint32_t i, bool is_near) {
        const web::HtmlTree& tree = from_.tree;
        if (tree[i].end - i > kBylineNodesMax) return;
        const Signs signs = signs_of(i);
        if (signs.is_author_item) return keep_item(i);
        const bool is_link = tree[i].is_html(web::Element::a);
        if (is_link && signs.is_author_rel) return keep(is_near ? rel_author : late_author, i);
        if (!is_near) return;
        if (from_.json_ld.is_forum && signs.is_user) return keep(forum_user, i);
        if (signs.has_byline) return keep_box(byline_class, i);
        if (signs.has_author && !signs.has_comment) return keep_box(author_class, i);
        if (is_link && is_author_link(i)) return keep(author_link, i);
        if (found_[by_line].empty() && tree[i].end - i <= kByLineNodesMax && begins_with_by(i))
            keep_by_line(i);
    }

    // Cheap, because it is asked of every small element.
    bool begins_with_by(std::uint32_t i) const {
        const web::HtmlTree& tree = from_.tree;
        for (std::uint32_t k = i; k < tree[i].end; ++k) {
            if (!tree[k].is_text()) continue;
            const std::string_view text = trim(tree.text(k).substr(0, kBylineTextBytesMax));
            if (!text.empty()) return text.starts_with("By") || text.starts_with("by");
        }
        return false;
    }

    bool is_author_link(std::uint32_t i) const {
        const std::string_view target = from_.tree.attribute(i, "href").value_or("");
        return target.contains("/author/") || target.contains("/authors/");
    }

    // A short line that begins with "By".
    void keep_by_line(std::uint32_t i) {
        const std::string text = field_text(from_.tree, i, kBylineCharsMax + 2);
        if (text.size() <= kBylineCharsMax && (text.starts_with("By ") || text.starts_with("by ")))
            found_[by_line] = clean_byline(text);
    }

    // The name inside of an author's item, else its text.
    void keep_item(std::uint32_t i) {
        const web::HtmlTree& tree = from_.tree;
        for (std::uint32_t k = i; k < tree[i].end; ++k) {
            if (tree[k].is_element() &&
                equals_ignore_case(tree.attribute(k, "itemprop").value_or(""), "name"))
                return keep(item_prop, k);
        }
        keep(item_prop, i);
    }

    // A box may have a role and a picture beside the name: then the link inside is the name.
    void keep_box(Rank rank, std::uint32_t i) {
        const web::HtmlTree& tree = from_.tree;
        std::uint32_t only = 0;
        int count = 0;
        for (std::uint32_t k = i + 1; k < tree[i].end; ++k) {
            if (!tree[k].is_html(web::Element::a)) continue;
            const std::string text = field_text(tree, k, kBylineTextBytesMax);
            if (text.empty() || !text.contains(' ')) continue;
            only = k;
            ++count;
        }
        if (count == 1) keep(rank, only);
        keep(rank, i);
    }

    void keep(Rank rank, std::uint32_t i) {
        if (!found_[rank].empty()) return;
        std::string_view content = tree_content(i);
        found_[rank] = content.empty()
                           ? clean_byline(field_text(from_.tree, i, kBylineTextBytesMax))
                           : clean_byline(content);
    }

    std::string_view tree_content(std::uint32_t i) const {
        return trim(from_.tree.attribute(i, "content").value_or(""));
    }

    static constexpr std::uint32_t kByLineNodesMax = 8;

    const MetadataSources& from_;
    std::string found_[rank_count];
};

}  // namespace

std::string clean_byline(std::string_view text) {
    std::string whole = collapsed(text, kBylineTextBytesMax);
    if (is_url_like(whole)) return {};
    const std::string_view names = before_details(without_by(whole));
    const bool has_letter = std::ranges::any_of(
        names, [](char c) { return is_alpha(c) || static_cast<unsigned char>(c) >= 0x80; });
    if (names.size() < 2 || names.size() > kBylineCharsMax || !has_letter) return {};
    if (is_variable(names) || is_label(names)) return {};
    return std::string(names);
}

std::string choose_byline(const MetadataSources& from, std::string_view site) {
    // Where a site names itself as the author, a person is better, if there is one.
    std::string site_itself;
    const auto is_person = [&](const std::string& byline) {
        if (byline.empty() || equals_ignore_case(byline, "admin")) return false;
        if (!equals_ignore_case(byline, site)) return true;
        if (site_itself.empty()) site_itself = byline;
        return false;
    };
    std::string byline = clean_byline(from.json_ld.author);
    if (is_person(byline)) return byline;
    for (const std::string_view name :
         {"author", "article:author", "parsely-author", "sailthru.author", "byl", "dc.creator",
          "dcterms.creator", "citation_author", "article:author_name", "twitter:data1"}) {
        if (name == "twitter:data1" &&
            !equals_ignore_case(from.metas.find("twitter:label1"), "Written by"))
            continue;
        byline = clean_byline(from.metas.find(name));
        if (is_person(byline)) return byline;
    }
    byline = BylineOnPage(from).find();
    return is_person(byline) ? byline : site_itself;
}

}  // namespace weft::extract

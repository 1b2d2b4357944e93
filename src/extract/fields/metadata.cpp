#include "extract/fields/metadata.h"

#include <algorithm>

#include "base/bytes.h"
#include "extract/fields/byline.h"
#include "extract/fields/field_text.h"
#include "extract/fields/title.h"
#include "web/fields/date.h"

namespace weft::extract {
namespace {

using web::Element;

std::string_view html_lang(const web::HtmlTree& tree) {
    const std::uint32_t html = tree.find(Element::html);
    return html == 0 ? std::string_view() : tree.attribute(html, "lang").value_or("");
}

std::string_view canonical_link(const web::HtmlTree& tree) {
    for (std::uint32_t i = 0; i < tree.size(); ++i) {
        if (tree[i].is_html(Element::link) &&
            equals_ignore_case(tree.attribute(i, "rel").value_or(""), "canonical"))
            return trim(tree.attribute(i, "href").value_or(""));
        if (tree[i].is_html(Element::body)) break;
    }
    return {};
}

// The element's machine-readable date, or its text.
std::string date_text(const web::HtmlTree& tree, std::uint32_t i) {
    for (const std::string_view name : {"datetime", "content", "title"}) {
        if (const auto value = tree.attribute(i, name); value && !trim(*value).empty())
            return std::string(trim(*value));
    }
    return field_text(tree, i, kDateTextBytesMax);
}

bool has_date_word(std::string_view names) {
    return contains_word(names, "date") || contains_word(names, "publish") ||
           contains_word(names, "posted") || contains_word(names, "time");
}

// Ranks of elements that may hold the date: the best rank wins, then the first.
class DateOnPage {
public:
    explicit DateOnPage(const MetadataSources& sources)
        : sources_(sources), heading_(sources.tree.find(Element::h1)) {
        if (heading_ == 0) heading_ = sources.kept.root;
    }

    std::string find() {
        const web::HtmlTree& tree = sources_.tree;
        const std::uint32_t end = tree[sources_.kept.root].end;
        for (std::uint32_t i = 1; i < tree.size(); ++i) {
            if (tree[i].is_element()) look_at(i, i >= end);
            if (i >= end) continue;
            if (tree[i].is_text() && i + kNearNodes > heading_ &&
                i < sources_.kept.root + kNearNodes && found_[short_text].empty())
                look_at_text(i);
        }
        for (const std::string& date : found_) {
            if (!date.empty()) return date;
        }
        return {};
    }

private:
    // What stands after the content is worth least: it may be of another page.
    enum Rank : std::size_t {
        item_prop,
        time_element,
        class_word,
        short_text,
        late_item,
        late_time,
        late_class,
        rank_count
    };

    void look_at(std::uint32_t i, bool is_late) {
        const web::HtmlTree& tree = sources_.tree;
        std::string_view classes;
        for (std::size_t k = 0; k < tree.attribute_count(i); ++k) {
            const auto [name, value] = tree.attribute_at(i, k);
            if (name == "class") classes = value;
            if (name == "itemprop" && equals_ignore_case(value, "datepublished"))
                return keep(is_late ? late_item : item_prop, i);
        }
        if (tree[i].element == Element::unknown && tree.name(i) == "time")
            return keep(is_late ? late_time : time_element, i);
        const Rank by_class = is_late ? late_class : class_word;
        if (!found_[by_class].empty() || tree[i].end - i > kDateNodesMax) return;
        if (has_date_word(classes)) keep(by_class, i);
    }

    // A line such as "Published on Oct 21, 2025" near the heading.
    void look_at_text(std::uint32_t i) {
        const std::string_view text = trim(sources_.tree.text(i));
        if (text.size() < 8 || text.size() > kDateLineBytesMax) return;
        if (auto date = find_date(text, sources_.days)) found_[short_text] = std::move(*date);
    }

    void keep(Rank rank, std::uint32_t i) {
        if (!found_[rank].empty()) return;
        if (auto date = find_date(date_text(sources_.tree, i), sources_.days))
            found_[rank] = std::move(*date);
    }

    static constexpr std::uint32_t kDateNodesMax = 12;  // A box with more is not a date.

    static constexpr std::uint32_t kNearNodes = 60;
    static constexpr std::size_t kDateLineBytesMax = 60;

    const MetadataSources& sources_;
    std::uint32_t heading_;
    std::string found_[rank_count];
};

std::string first_date(const DayRange& days, std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts) {
        if (auto date = find_date(text, days)) return *date;
    }
    return {};
}

std::string modified_date(const MetadataSources& from) {
    return first_date(from.days,
                      {from.json_ld.modified, from.metas.find("article:modified_time"),
                       from.metas.find("og:updated_time"), from.metas.find("dcterms.modified"),
                       from.metas.find("last-modified"), from.metas.find("lastmod")});
}

// A time in UTC may be of the day before or after where the page was written. The URL has the day
// that its readers see.
std::string day_of_url(std::string date, const MetadataSources& from) {
    const auto in_url = date_in_url(from.url, from.days);
    if (!in_url || date.starts_with(*in_url)) return date;
    const auto days = web::parse_w3c_date(date.substr(0, 10));
    const auto url_days = web::parse_w3c_date(*in_url);
    if (!days || !url_days || std::chrono::abs(*days - *url_days) > std::chrono::days(1))
        return date;
    return *in_url;
}

std::string published_date(const MetadataSources& from) {
    const MetaTags& metas = from.metas;
    std::string date = first_date(
        from.days, {from.json_ld.published,          metas.find("article:published_time"),
                    metas.find("article:published"), metas.find("og:published_time"),
                    metas.find("datePublished"),     metas.find("parsely-pub-date"),
                    metas.find("sailthru.date"),     metas.find("dc.date.issued"),
                    metas.find("dcterms.created"),   metas.find("dc.date"),
                    metas.find("dcterms.date"),      metas.find("citation_publication_date"),
                    metas.find("citation_date"),     metas.find("pubdate"),
                    metas.find("publishdate"),       metas.find("publish_date"),
                    metas.find("publish-date"),      metas.find("publication_date"),
                    metas.find("article.published"), metas.find("date"),
                    metas.find("created"),           metas.find("og:article:published_time"),
                    metas.find("published"),         metas.find("published-date"),
                    metas.find("published_date"),    metas.find("publication-date"),
                    metas.find("date-published"),    metas.find("published_at")});
    if (!date.empty()) return day_of_url(std::move(date), from);
    if (auto in_url = date_in_url(from.url, from.days)) return *in_url;
    date = DateOnPage(from).find();
    // The day of the last change is better than none: many pages give only that.
    return date.empty() ? modified_date(from) : date;
}

}  // namespace

Metadata read_metadata(const MetadataSources& from) {
    Metadata out;
    const MetaTags& metas = from.metas;
    out.site = collapsed(metas.find_first({"og:site_name", "application-name"}), kTitleBytesMax);
    if (out.site.empty()) out.site = collapsed(from.json_ld.site, kTitleBytesMax);
    out.title = choose_title(from, out.site);
    out.byline = choose_byline(from, out.site);
    out.published = published_date(from);
    out.modified = modified_date(from);
    out.lang = trim(html_lang(from.tree));
    if (out.lang.empty()) out.lang = metas.find_first({"og:locale", "dc.language", "language"});
    out.description = collapsed(
        metas.find_first({"og:description", "description", "twitter:description"}), kTitleBytesMax);
    if (out.description.empty())
        out.description = collapsed(from.json_ld.description, kTitleBytesMax);
    out.canonical = canonical_link(from.tree);
    return out;
}

}  // namespace weft::extract

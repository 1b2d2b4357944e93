#include <string>

#include "base/bytes.h"
#include "web/html/html_page_builder.h"
#include "web/markup/html_reference.h"
#include "web/markup/html_scan.h"

// The part of HtmlPageBuilder for the elements of a page's head: base, link and meta.
namespace weft::web {
namespace {

// Splits a list at separators and calls `visit` with each token, until it returns true.
template <typename IsSeparator, typename Visit>
bool any_token(std::string_view list, IsSeparator is_separator, Visit visit) {
    std::size_t i = 0;
    while (i < list.size()) {
        while (i < list.size() && is_separator(list[i])) ++i;
        const std::size_t begin = i;
        while (i < list.size() && !is_separator(list[i])) ++i;
        if (i > begin && visit(list.substr(begin, i - begin))) return true;
    }
    return false;
}

bool has_token(std::string_view list, std::string_view token) {
    return any_token(list, is_html_space,
                     [&](std::string_view t) { return equals_ignore_case(t, token); });
}

bool is_robots_directive(std::string_view token) {
    for (const std::string_view known :
         {"all", "none", "index", "noindex", "follow", "nofollow", "archive", "noarchive",
          "nosnippet", "noimageindex", "notranslate", "nocache", "noodp", "noydir"}) {
        if (equals_ignore_case(token, known)) return true;
    }
    const std::string lower = to_lower(token);
    return lower.starts_with("max-") || lower.starts_with("unavailable_after");
}

}  // namespace

void HtmlPageBuilder::read_base(const HtmlTag& tag) {
    if (page_.base_href) return;
    if (const auto href = value_of(tag, "href")) page_.base_href = keep(*href);
}

void HtmlPageBuilder::read_link_element(const HtmlTag& tag) {
    const auto rel = value_of(tag, "rel");
    if (!rel) return;
    const bool is_canonical = !page_.canonical && has_token(*rel, "canonical");
    const bool is_alternate = has_token(*rel, "alternate");
    if (!is_canonical && !is_alternate) return;
    const auto href = value_of(tag, "href");
    if (!href || trim(*href).empty()) return;
    const auto kept = keep(*href);
    if (!kept) return;
    if (is_canonical) page_.canonical = kept;
    if (!is_alternate || page_.alternates.size() >= options_.link_count_max) return;
    if (const auto language = value_of(tag, "hreflang")) {
        if (const auto kept_language = keep(*language)) {
            page_.alternates.push_back({*kept_language, *kept});
        }
    }
}

void HtmlPageBuilder::read_meta(const HtmlTag& tag, const Placement& placement) {
    const auto content_raw = tag.find("content");
    if (!content_raw) return;
    // `content` needs memory of its own: the calls of value_of() below overwrite `scratch_`.
    std::string content_scratch;
    const std::string_view content = decode_attribute(*content_raw, content_scratch);
    if (const auto http_equiv = value_of(tag, "http-equiv")) {
        if (equals_ignore_case(*http_equiv, "refresh")) {
            read_refresh(content, {.element = "meta",
                                   .attribute = "http-equiv=refresh",
                                   .offset = tag.offset,
                                   .is_in_template = placement.is_in_template,
                                   .is_in_noscript = placement.is_in_noscript});
        }
    }
    if (placement.is_in_template) return;
    const auto name = value_of(tag, "name");
    if (!name) return;
    if (equals_ignore_case(trim(*name), "description")) {
        if (!page_.description) page_.description = keep(trim(content));
    } else {
        read_robots(trim(*name), content);
    }
}

// Any name of a meta may be the name of a crawler. It counts as one if the content starts with a
// robots directive.
void HtmlPageBuilder::read_robots(std::string_view name, std::string_view content) {
    const auto is_separator = [](char c) { return c == ',' || is_html_space(c); };
    HtmlRobots robots;
    bool is_for_crawlers = equals_ignore_case(name, "robots");
    any_token(content, is_separator, [&](std::string_view token) {
        const bool is_none = equals_ignore_case(token, "none");
        robots.noindex |= is_none || equals_ignore_case(token, "noindex");
        robots.nofollow |= is_none || equals_ignore_case(token, "nofollow");
        robots.noarchive |= equals_ignore_case(token, "noarchive");
        is_for_crawlers = is_for_crawlers || is_robots_directive(token);
        return !is_for_crawlers;  // The first token decides.
    });
    if (!is_for_crawlers || page_.robots.size() >= options_.link_count_max) return;
    const auto agent = keep(to_lower(name));
    const auto kept = keep(content);
    if (!agent || !kept) return;
    robots.agent = *agent;
    robots.content = *kept;
    page_.robots.push_back(robots);
}

void HtmlPageBuilder::read_refresh(std::string_view content, HtmlLink link) {
    auto refresh = parse_meta_refresh(content);
    if (!refresh) return;
    const std::size_t before = page_.links.size();
    if (refresh->url && !trim(*refresh->url).empty()) {
        add_link(link, *refresh->url);
        if (page_.links.size() == before) return;  // A repeat, or over a limit.
        refresh->url = page_.links.back().value;
    } else {
        refresh->url.reset();
    }
    if (!page_.refresh && !link.is_in_template) page_.refresh = *refresh;
}

}  // namespace weft::web

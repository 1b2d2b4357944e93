#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "crawl/scope/recent_set.h"
#include "crawl/visit/trail.h"
#include "http/message/headers.h"
#include "web/charset/encoding.h"
#include "web/html/css.h"
#include "web/html/html.h"
#include "web/url/url.h"

namespace weft::crawl {

// A URL that a page leads to, not yet judged by the scope.
struct FoundLink {
    web::Url url;
    Via via = Via::link;
    bool is_nofollow = false;  // The link says rel=nofollow: a hint, recorded.
};

// What kind of link an attribute of HTML is. Nothing for those that name nothing to fetch with GET:
// forms, pings, citations.
std::optional<Via> via_of(const web::HtmlLink& link);

// Gathers where a page leads: resolved, without fragment, user and password, each once, in order,
// at most `count_max`. What is no http URL is left out.
class LinkList {
public:
    // Asked before the links take so many bytes in all; false: no more are added.
    using Lend = std::function<bool(std::size_t bytes)>;

    explicit LinkList(web::Url base, Lend lend = {},
                      std::size_t count_max = web::HtmlOptions().link_count_max);

    // Attributes of HTML that name something to fetch with GET; forms, pings and citations do not.
    // `encoding` is the page's: queries of its links are written in it.
    void add_page(const web::HtmlPage& page, web::Encoding encoding);

    // The Link and Refresh fields of an answer.
    void add_headers(const http::Headers& headers);

    void add_style(const std::vector<web::CssUrl>& urls);

    // One reference, relative to the base.
    void add(std::string_view reference, Via via, bool is_nofollow = false,
             const web::UrlOptions& options = web::kBoundedUrl);

    std::vector<FoundLink> take() { return std::move(links_); }
    std::size_t size() const { return links_.size(); }

    // There were more links than the count or the memory allows.
    bool is_cut() const { return is_cut_; }

private:
    bool has_room(std::size_t href_bytes);

    web::Url base_;
    Lend lend_;
    std::size_t count_max_;
    std::size_t held_bytes_ = 0;
    std::size_t lent_bytes_ = 0;
    bool is_cut_ = false;
    std::vector<FoundLink> links_;
    RecentSet seen_;  // Of what is in `links_`; a link and a requisite are two things.
};

}  // namespace weft::crawl

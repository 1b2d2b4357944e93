#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aio/task/co.h"
#include "aio/task/co_function.h"
#include "crawl/scope/links.h"
#include "crawl/scope/refusal.h"
#include "crawl/visit/outcome.h"
#include "crawl/visit/trail.h"
#include "http/message/message.h"
#include "web/html/html.h"
#include "web/url/url.h"

namespace weft::crawl {

// A whole answer, as a handler sees it: before its links are judged and its outcome is recorded.
// Valid during the call.
struct Page {
    const web::Url& url;
    const http::Response& response;
    const Outcome& outcome;
    const std::string& content;     // Codings undone; text is in the page's own charset. Empty
                                    // unless Hooks::reads_content.
    const web::HtmlPage* html;      // Null if it is no HTML.
    std::vector<FoundLink>& links;  // Where the crawl goes on, if the scope allows: add or remove.
    web::Encoding encoding;         // Of the HTML: queries of its links are written in it.

    // One link more, relative to the page. What is no URL is passed over.
    void follow(std::string_view reference);
};

// Called for each answer that is no redirect, many at once. What it throws (an Error) is the
// outcome's failure `handler` and does not end the crawl.
using PageHandler = aio::CoFunction<aio::Co<>(Page&)>;

// Told of each URL that has reached its terminal state, once, on the loop's thread.
using OutcomeHandler = std::function<void(const Outcome&)>;

// A rule of the program's own, asked for each URL that the scope wants: the reason to leave it, in
// a word or two, or nothing.
using ScopeRule = std::function<std::optional<std::string>(const web::Url&, const Step&)>;

// Told of each link that is not followed, and why; `page` is where it was found.
using RefusalHandler = std::function<void(const web::Url&, const Refused&, const web::Url& page)>;

// What a program adds to a crawl; each may be left out. They outlive the crawl.
struct Hooks {
    PageHandler on_page;
    OutcomeHandler on_outcome;
    ScopeRule refuses;
    RefusalHandler on_refusal;

    bool reads_content = true;  // Whether on_page looks at Page::content; else it is empty.
    bool wants_content() const { return on_page && reads_content; }
};

}  // namespace weft::crawl

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
#include "extract/extract.h"
#include "extract/extractor.h"
#include "http/message/message.h"
#include "web/html/html.h"
#include "web/url/url.h"

namespace weft::crawl {

// A complete response as a page handler sees it, before the scope judges its links and before its
// outcome is recorded. All references are valid only during the call.
struct Page {
    const web::Url& url;
    const http::Response& response;
    const Outcome& outcome;
    const std::string& content;     // Content codings removed; text keeps the page's charset. Empty
                                    // unless Hooks::reads_content.
    const web::HtmlPage* html;      // Null if the content is not HTML.
    std::vector<FoundLink>& links;  // The crawl follows those that the scope allows. The handler
                                    // may add and remove links.
    web::Encoding encoding;         // Of the HTML; queries of its links are encoded with it.

    // The main text of an HTML page and the facts about it, as Hooks::extracts wishes. Made at the
    // first call, from `content`; of other content all of it is empty. Valid during the handler's
    // call.
    const extract::Extract& extract();

    // Used by extract(). The extractor is shared by all pages.
    std::optional<extract::Extractor>& extractor;
    const extract::Wishes& wishes;
    std::optional<extract::Extract> extracted = {};

    // Adds a link, resolved against the page's URL. A reference that is not a valid URL is ignored.
    void follow(std::string_view reference);
};

// Called for each response that is not a redirect. Many calls may be under way at once, one per
// visit. An Error that it throws becomes the outcome's failure `handler` and does not end the
// crawl.
using PageHandler = aio::CoFunction<aio::Co<>(Page&)>;

// Called once for each URL that has reached its terminal state, on the loop's thread.
using OutcomeHandler = std::function<void(const Outcome&)>;

// A rule of the program, called for each URL that the scope allows. It returns the reason to refuse
// the URL in a word or two, or nothing to allow it.
using ScopeRule = std::function<std::optional<std::string>(const web::Url&, const Trail&)>;

// Called for each link that is not followed, with the reason. `page` is where it was found.
using RefusalHandler = std::function<void(const web::Url&, const Refused&, const web::Url& page)>;

// The callbacks that a program adds to a crawl. Each may be empty. What they refer to must outlive
// the crawl.
struct Hooks {
    PageHandler on_page;
    OutcomeHandler on_outcome;
    ScopeRule refuses;
    RefusalHandler on_refusal;

    // What Page::extract() gives.
    extract::Wishes extracts = {.text = extract::TextForm::markdown, .lists_links = true};

    bool reads_content = true;  // Whether on_page uses Page::content. If not, it stays empty.
    bool wants_content() const { return on_page && reads_content; }
};

}  // namespace weft::crawl

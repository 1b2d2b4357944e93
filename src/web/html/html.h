#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "web/html/meta_refresh.h"
#include "web/html/text_store.h"

// What a crawler needs from an HTML page, read in one pass while the page arrives.
namespace weft::web {

// A place in the page that refers to another resource.
struct HtmlLink {
    std::string_view element = {};    // "a", "img", "svg:use", "math:a": lower case.
    std::string_view attribute = {};  // "href", "srcset", "http-equiv=refresh", "style".

    // The value with character references decoded, neither trimmed nor resolved. A srcset gives one
    // link for each candidate, a ping one for each URL, a refresh one for its URL.
    std::string_view value = {};

    std::string_view rel = {};   // Of a, area, link and form; as written.
    std::string_view text = {};  // Of a and area, white space collapsed; only if asked for.
    std::uint64_t offset = 0;    // Of the '<' of its tag, in bytes.
    bool is_in_template = false;
    bool is_in_noscript = false;
};

// `<meta name=robots content="noindex, nofollow">`, also with the name of one crawler.
struct HtmlRobots {
    std::string_view agent;    // Lower case; "robots" means all crawlers.
    std::string_view content;  // As written.
    bool noindex = false;
    bool nofollow = false;
    bool noarchive = false;
};

// `<link rel=alternate hreflang=de href=...>`.
struct HtmlAlternate {
    std::string_view language;
    std::string_view href;
};

// What a page contains. All views point into the page's own store. They stay valid when the page is
// moved, and end with it. Texts that do not fit into kPageStoreBytesMax are left out.
struct HtmlPage {
    HtmlPage() : store(limits::kPageStoreBytesMax) {}

    // In source order, within a tag in the order of the attributes. Values that are empty or white
    // space are left out, except for a and area, where they mean the page itself.
    std::vector<HtmlLink> links;

    // Some links, anchors or texts are missing, because there were more than the limits allow.
    bool is_cut = false;

    // The first <base href>. It also applies to the links before it, so resolve links when the page
    // is complete. If it is absent or not a URL, resolve against the page's URL.
    std::optional<std::string_view> base_href;

    std::optional<std::string_view> title;  // White space collapsed, at most kTitleBytesMax.
    std::optional<std::string_view> description;
    std::optional<std::string_view> language;   // Of the html element, as written.
    std::optional<std::string_view> canonical;  // The first <link rel=canonical>, unresolved.
    std::optional<MetaRefresh> refresh;         // The first one. Its URL is in `links` too.
    std::vector<HtmlRobots> robots;
    std::vector<HtmlAlternate> alternates;
    std::vector<std::string_view> anchors;  // The targets of fragments; only if asked for.
    std::vector<std::string_view> json_ld;  // Scripts of that type, raw; only if asked for.
    std::string text;                       // The visible text; only if asked for.

    TextStore store;

    // The memory that the page uses.
    std::size_t memory_bytes() const {
        return store.memory_bytes() + text.capacity() + links.capacity() * sizeof(HtmlLink) +
               robots.capacity() * sizeof(HtmlRobots) +
               alternates.capacity() * sizeof(HtmlAlternate) +
               (anchors.capacity() + json_ld.capacity()) * sizeof(std::string_view);
    }
};

struct HtmlOptions {
    // After this many links, a link is added only if its value is new: large pages repeat the same
    // few links. After `link_count_max` links the page is marked as cut.
    std::size_t repeated_link_count_max = 10'000;
    std::size_t link_count_max = 1'000'000;

    // Also report links from style elements (element "style", attribute "@import" or "url()") and
    // from style attributes (attribute "style"). An archive needs them, a search does not.
    bool wants_style_links = false;

    // Each of these is a cost: text is read that is skipped otherwise.
    bool wants_link_text = false;
    bool wants_json_ld = false;
    bool wants_text = false;

    // Collect the ids of all elements and the names of a elements, to check fragments of links.
    bool wants_anchors = false;
    std::size_t anchor_count_max = 1'000'000;
};

// Reads one page after another. A page comes in pieces that may be cut anywhere; the cuts do not
// change the result. There are no errors: any bytes make a page. The input is UTF-8 (web/charset
// decodes), and a byte order mark is skipped. Used by one thread at a time.
//
// Scripts do not run, so the content of noscript is markup, as in a browser without scripts.
class HtmlReader {
public:
    explicit HtmlReader(HtmlOptions options = {});
    ~HtmlReader();
    HtmlReader(HtmlReader&&) noexcept;
    HtmlReader& operator=(HtmlReader&&) noexcept;

    void feed(std::string_view piece);

    // The page so far. The caller may follow its links before the page is complete, but a late
    // <base> can still change their meaning. The reference is valid until finish(); feed() may move
    // the elements of its vectors.
    const HtmlPage& page() const;

    // The memory of the reader and of the page so far.
    std::size_t memory_bytes() const;

    // Returns the complete page. Then the reader is ready for the next one.
    HtmlPage finish();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// The same for a document in one piece.
HtmlPage read_html(std::string_view document, HtmlOptions options = {});

}  // namespace weft::web

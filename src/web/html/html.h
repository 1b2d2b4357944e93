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

// What a crawler wants to know of an HTML page, read in one pass while the page streams in.
namespace weft::web {

// A place of the page that names another resource.
struct HtmlLink {
    std::string_view element = {};    // "a", "img", "svg:use", "math:a": lower case.
    std::string_view attribute = {};  // "href", "srcset", "http-equiv=refresh", "style".

    // As a script would read it: character references decoded, neither trimmed nor resolved. Of a
    // srcset one candidate, of a ping one URL, of a refresh its URL.
    std::string_view value = {};

    std::string_view rel = {};   // Of a, area, link and form; as written.
    std::string_view text = {};  // Of a and area, white space collapsed; only if asked for.
    std::uint64_t offset = 0;    // Of the '<' of its tag, in bytes.
    bool is_in_template = false;
    bool is_in_noscript = false;
};

// `<meta name=robots content="noindex, nofollow">`, or with the name of one crawler.
struct HtmlRobots {
    std::string_view agent;    // Lower case; "robots" speaks to all.
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

// All views look into the page's own store and live as long as it does; moving it is fine.
// Texts that would pass kPageStoreBytesMax are left out.
struct HtmlPage {
    HtmlPage() : store(limits::kPageStoreBytesMax) {}

    // In source order, and in the order of the attributes in a tag. Values that are empty or white
    // space are left out but for a and area, where they mean the page itself.
    std::vector<HtmlLink> links;

    // Links, ids or texts of the page are missing here: there were more than the limits allow.
    bool is_cut = false;

    // The first <base href> counts, for the links before it too, so resolve when the page is whole.
    // Absent or not parsable: resolve against the page's URL.
    std::optional<std::string_view> base_href;

    std::optional<std::string_view> title;  // White space collapsed, at most kTitleBytesMax.
    std::optional<std::string_view> description;
    std::optional<std::string_view> language;   // Of the html element, as written.
    std::optional<std::string_view> canonical;  // The first <link rel=canonical>, unresolved.
    std::optional<MetaRefresh> refresh;         // The first; its URL is among the links too.
    std::vector<HtmlRobots> robots;
    std::vector<HtmlAlternate> alternates;
    std::vector<std::string_view> anchors;  // What a fragment can name; only if asked for.
    std::vector<std::string_view> json_ld;  // Scripts of that type, raw; only if asked for.
    std::string text;                       // What a reader sees; only if asked for.

    TextStore store;

    // What the page holds in memory.
    std::size_t memory_bytes() const {
        return store.memory_bytes() + text.capacity() + links.capacity() * sizeof(HtmlLink) +
               robots.capacity() * sizeof(HtmlRobots) +
               alternates.capacity() * sizeof(HtmlAlternate) +
               (anchors.capacity() + json_ld.capacity()) * sizeof(std::string_view);
    }
};

struct HtmlOptions {
    // Past this many links only those count whose value is new to the page: large pages repeat the
    // same few links. Past `link_count_max` the page is marked as cut.
    std::size_t repeated_link_count_max = 10'000;
    std::size_t link_count_max = 1'000'000;

    // Links from style elements (element "style", attribute "@import" or "url()") and style
    // attributes (attribute "style"): an archive wants them, a search does not.
    bool wants_style_links = false;

    // Each of these makes text be read that is otherwise skipped.
    bool wants_link_text = false;
    bool wants_json_ld = false;
    bool wants_text = false;

    // The ids of all elements and the names of a: for who checks fragments.
    bool wants_anchors = false;
    std::size_t anchor_count_max = 1'000'000;
};

// Reads one page after another. Pieces may be cut anywhere; the page is the same. Any bytes make a
// page: there is no error. Input is UTF-8 (web/charset decodes); a byte order mark is skipped.
//
// Scripts do not run, so noscript content is markup, as it is for a browser without scripts.
class HtmlReader {
public:
    explicit HtmlReader(HtmlOptions options = {});
    ~HtmlReader();
    HtmlReader(HtmlReader&&) noexcept;
    HtmlReader& operator=(HtmlReader&&) noexcept;

    void feed(std::string_view piece);

    // The page so far: its links may be followed before the whole page is there, at the risk that a
    // late <base> changes their meaning.
    const HtmlPage& page() const;

    // What the reader and the page so far hold in memory.
    std::size_t memory_bytes() const;

    // The whole page; the reader is ready for the next.
    HtmlPage finish();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// The same for a document in one piece.
HtmlPage read_html(std::string_view document, HtmlOptions options = {});

}  // namespace weft::web

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace weft::archive {

// When each phase of a fetch ended, in microseconds from its start. 0: the phase was not needed.
struct PagePhases {
    std::uint64_t dns = 0;
    std::uint64_t connect = 0;
    std::uint64_t tls = 0;
    std::uint64_t sent = 0;
    std::uint64_t first_byte = 0;
    std::uint64_t total = 0;
};

// A line of pages.jsonl: the outcome of one URL, with everything that reports and `explain` show
// about it. Empty, zero and false fields are not written.
struct PageEntry {
    std::string url;
    WallTime date;       // When its last fetch began.
    std::string ending;  // fetched, redirect, denied, skipped, failed

    int status = 0;       // Of the response; 0: there was none.
    std::string failure;  // The class of the failure, for programs: "connect_refused".
    std::string reason;   // The same for people.

    std::string content_type;  // Without parameters, lower case.
    std::string charset;
    std::uint64_t content_bytes = 0;
    std::string digest;          // Of the content: "sha1:...", "xxh3:...".
    std::uint64_t simhash = 0;   // Of the visible text, to find near duplicates.
    std::uint64_t skeleton = 0;  // Of its words without numbers, to find traps.
    std::string title;
    std::string redirect_target;
    std::string canonical;          // The URL that the page claims as its own: a hint.
    std::string near_duplicate_of;  // An earlier page with almost the same text.
    std::string address;            // Of the server: "192.0.2.1:443".

    std::string referrer;  // The page on which the URL was first found; empty for a seed.
    std::string via;       // How it was found: "redirect", "sitemap"; empty for a plain link.
    std::uint32_t depth = 0;
    std::uint32_t attempt_count = 1;
    PagePhases phases;

    bool is_truncated = false;  // The content was larger than our limit.
    bool is_duplicate = false;  // The same content was seen before.
    bool is_noindex = false;
    bool is_nofollow = false;       // The page says so; its links were not followed.
    bool is_nofollow_link = false;  // The link to the page says so: a hint, not obeyed.

    std::uint64_t link_count = 0;                  // Links on the page that are in scope.
    std::map<std::string, std::uint64_t> refused;  // Counts of other links, by the rule's name.
    std::vector<std::string> links;                // All links; only if the user asks for them.
    std::string text;                              // The visible text; only if asked for.

    std::string warc_file;  // Empty: not archived.
    std::uint64_t warc_offset = 0;
    std::uint64_t warc_length = 0;
    std::string payload_digest;  // Of the response's body as received: "sha1:...".
    bool is_revisit = false;     // The record has no body: it is stored in another record.

    // As the server sent them. A later crawl uses them to ask whether the page has changed.
    std::string etag;
    std::string last_modified;

    // The server answered 304: the content is that of the earlier crawl.
    bool is_unchanged = false;

    // Whether a link checker reports it. A sitemap whose URL was only guessed need not exist.
    bool is_broken() const { return via != "guess" && (ending == "failed" || status >= 400); }
};

// One JSON object and a line end.
std::string to_json_line(const PageEntry& entry);

// Nothing if the line is not such an object; so for the first line, which names the format. Unknown
// members are ignored.
std::optional<PageEntry> parse_page_line(std::string_view line);

// Whether the entry has what every line must have: a known ending and a date. If not, the line is
// damaged.
bool is_sound(const PageEntry& entry);

// The first line of the file, as replay tools expect it.
inline constexpr std::string_view kPagesFormatLine =
    "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All Pages\"}\n";

// The file in a crawl's folder that lists the archived robots.txt files, and its first line. The
// entries are like those of pages, with `via` "robots".
inline constexpr const char* kRobotsLogName = "pages/robots.jsonl";
inline constexpr std::string_view kRobotsFormatLine =
    "{\"format\":\"json-pages-1.0\",\"id\":\"robots\",\"title\":\"robots.txt files\"}\n";

}  // namespace weft::archive

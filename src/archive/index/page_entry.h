#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace weft::archive {

// When each phase of a fetch was over, in microseconds from its start; 0: it was not needed.
struct PagePhases {
    std::uint64_t dns = 0;
    std::uint64_t connect = 0;
    std::uint64_t tls = 0;
    std::uint64_t sent = 0;
    std::uint64_t first_byte = 0;
    std::uint64_t total = 0;
};

// A line of pages.jsonl: what became of one URL, and all that reports and `explain` say of it.
// Empty fields, zeros and falsehoods are left out of the line.
struct PageEntry {
    std::string url;
    WallTime date;       // When its last fetch began.
    std::string ending;  // fetched, redirect, denied, skipped, failed

    int status = 0;       // Of the answer; 0: none came.
    std::string failure;  // "connect_refused": the class, for machines.
    std::string reason;   // For people.

    std::string content_type;  // Without parameters, lower case.
    std::string charset;
    std::uint64_t content_bytes = 0;
    std::string digest;          // Of the content: "sha1:...", "xxh3:...".
    std::uint64_t simhash = 0;   // Of the visible text: for near duplicates.
    std::uint64_t skeleton = 0;  // Of its words without the numbers: for traps.
    std::string title;
    std::string redirect_target;
    std::string canonical;          // What the page calls its own address: a hint.
    std::string near_duplicate_of;  // An earlier page with almost the same text.
    std::string address;            // Of the server: "192.0.2.1:443".

    std::string referrer;  // The page it was first found on; none for a seed.
    std::string via;       // How: "redirect", "sitemap" and the like; empty for a plain link.
    std::uint32_t depth = 0;
    std::uint32_t attempt_count = 1;
    PagePhases phases;

    bool is_truncated = false;  // Larger than we take.
    bool is_duplicate = false;  // The same content was seen before.
    bool is_noindex = false;
    bool is_nofollow = false;       // The page says so; its links were not followed.
    bool is_nofollow_link = false;  // The link to it said so: a hint, not obeyed.

    std::uint64_t link_count = 0;                  // Wanted links on the page.
    std::map<std::string, std::uint64_t> refused;  // Links not wanted, by the rule's name.
    std::vector<std::string> links;                // All links; only if asked for.
    std::string text;                              // What a reader sees; only if asked for.

    std::string warc_file;  // Empty: not archived.
    std::uint64_t warc_offset = 0;
    std::uint64_t warc_length = 0;
    std::string payload_digest;  // Of the answer's body as received: "sha1:...".
    bool is_revisit = false;     // The record there leaves the body out: it is stored elsewhere.

    // What a later crawl asks with whether the page has changed; as the server sent them.
    std::string etag;
    std::string last_modified;

    // The server said so (304): the content is that of the earlier crawl.
    bool is_unchanged = false;

    // What a link checker reports. A sitemap that was only guessed at need not be there.
    bool is_broken() const { return via != "guess" && (ending == "failed" || status >= 400); }
};

// One JSON object and a line end.
std::string to_json_line(const PageEntry& entry);

// Nothing if the line is no such object: the first line, which names the format, for one. Unknown
// names are passed over.
std::optional<PageEntry> parse_page_line(std::string_view line);

// Whether the entry has what every line has: a known ending and a date. Else the line is damaged.
bool is_sound(const PageEntry& entry);

// The first line of the file, as replay tools expect it.
inline constexpr std::string_view kPagesFormatLine =
    "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All Pages\"}\n";

// Where the folder of a crawl lists the robots.txt files in its archive, as entries like those of
// pages, found as "robots"; and the first line there.
inline constexpr const char* kRobotsLogName = "pages/robots.jsonl";
inline constexpr std::string_view kRobotsFormatLine =
    "{\"format\":\"json-pages-1.0\",\"id\":\"robots\",\"title\":\"robots.txt files\"}\n";

}  // namespace weft::archive

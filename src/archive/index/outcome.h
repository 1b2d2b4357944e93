#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/archive_place.h"
#include "base/clock.h"
#include "http/message/message.h"

namespace weft::archive {

// The terminal state of a URL: each URL that was queued ends in exactly one.
enum class Ending {
    fetched,   // A response came, with any status that is not a redirect.
    redirect,  // The response is a redirect.
    denied,    // robots.txt disallows it.
    skipped,   // Not requested: a budget was spent, or a trap was recognised.
    failed,    // No response, or only a part of one.
    unknown,   // Only in a line that was read: it names none of these. See is_sound().
};
std::string_view name(Ending ending);

// How the crawl found a URL. The frontier stores the numbers on disk: they must not change.
enum class Via : std::uint8_t {
    seed,       // The user gave it.
    link,       // A link that a reader can follow.
    redirect,   // A Location header.
    refresh,    // A meta refresh or a Refresh header: the same as a redirect (H36).
    requisite,  // A page needs it to be displayed.
    hint,       // canonical, hreflang, next and the like.
    sitemap,    // A sitemap file that was named.
    guess,      // A sitemap file at its usual place; it may not exist.
    listed,     // A page that a sitemap or feed lists.
    robots,     // A robots.txt file. It is not queued, and only robots.jsonl lists it.
};
std::string_view name(Via via);
Via parse_via(std::string_view name);  // An unknown name is a link.

// What happened to a URL, and why: a line of pages.jsonl. A new member needs a row in kMembers
// (outcome.cpp) and in docs/reference/pages.md.
struct Outcome {
    std::string url;
    std::string referrer;  // The page on which the URL was first found; empty for a seed.
    std::uint32_t depth = 0;
    Via via = Via::link;
    bool is_nofollow = false;  // The link to it said rel=nofollow: a hint, not obeyed.
    std::uint32_t attempt_count = 1;

    Ending ending = Ending::failed;
    int status = 0;       // Of the response; 0 if there is none.
    std::string failure;  // The class of failure, for programs: "connect_refused". May be empty.
    std::string reason;   // The explanation for people. May be empty.

    std::string content_type;  // Without parameters, lower case.
    std::string charset;       // The charset that the page was decoded with.
    std::uint64_t content_bytes = 0;
    std::string digest;         // Of the content: "xxh3:0123456789abcdef"; empty without content.
    bool is_truncated = false;  // A part was left out because it exceeds a limit.
    std::string title;
    std::string redirect_target;
    std::string canonical;           // The page's rel=canonical, resolved; only a hint.
    bool says_noindex = false;       // By meta element or header. Recorded only.
    bool says_nofollow = false;      // By meta element or header. Obeyed.
    bool is_duplicate = false;       // The same content was seen before.
    std::string near_duplicate_of;   // An earlier page with almost the same text.
    std::uint64_t simhash = 0;       // Fingerprint of the text; 0: not computed.
    std::uint64_t skeleton = 0;      // Fingerprint for TrapWatch; 0: not computed.
    std::uint64_t link_count = 0;    // Links on the page that the crawl wants.
    std::size_t new_link_count = 0;  // Those of them that were not seen before. Not in the line.
    std::map<std::string, std::uint64_t> refused;  // Refused links, by the rule's name.
    std::vector<std::string> links;                // All links; only if the user asks for them.
    std::string text;                              // The visible text; only if asked for.

    WallTime date;  // When the last fetch began.
    Duration elapsed{};
    http::Timings timings;       // The line has neither `waited` nor `proxy` nor `total`.
    std::string address;         // Of the server: "192.0.2.1:443".
    ArchivePlace archived;       // The response or revisit record.
    std::string payload_digest;  // Of the body as received, if it is archived: "sha1:...".
    bool is_revisit = false;     // Archived as a revisit record: the body is stored elsewhere.
    // Validators of a 200 response that a later request can send back.
    std::string etag;
    std::string last_modified;
    bool is_unchanged = false;  // A 304: the content is that of an earlier crawl.

    // The content bytes that were transferred in this crawl.
    std::uint64_t new_bytes() const { return is_unchanged ? 0 : content_bytes; }

    // Whether a link checker reports the URL. A sitemap that was only guessed need not exist.
    bool is_broken() const {
        return via != Via::guess && (ending == Ending::failed || status >= 400);
    }
};

// One JSON object and a line end. Empty, zero and false members are not written.
std::string to_json_line(const Outcome& outcome);

// Nothing if the line is not such an object; so for the first line, which names the format. Unknown
// members are ignored.
std::optional<Outcome> parse_page_line(std::string_view line);

// Whether the outcome has what every line must have: a known ending and a date. If not, the line is
// damaged.
bool is_sound(const Outcome& outcome);

// The first line of the file, as replay tools expect it.
inline constexpr std::string_view kPagesFormatLine =
    "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All Pages\"}\n";

// The file in a crawl's folder that lists the archived robots.txt files, and its first line. The
// lines are like those of pages, with Via::robots.
inline constexpr const char* kRobotsLogName = "pages/robots.jsonl";
inline constexpr std::string_view kRobotsFormatLine =
    "{\"format\":\"json-pages-1.0\",\"id\":\"robots\",\"title\":\"robots.txt files\"}\n";

}  // namespace weft::archive

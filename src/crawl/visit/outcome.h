#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "archive/warc/warc_writer.h"
#include "base/clock.h"
#include "crawl/visit/trail.h"
#include "http/message/message.h"

namespace weft::crawl {

// The terminal state of a URL: each URL that was queued ends in exactly one.
enum class Ending {
    fetched,   // An answer came, whatever its status.
    redirect,  // An answer that leads elsewhere.
    denied,    // robots.txt keeps it out.
    skipped,   // Not asked for: a budget was spent, or a trap was recognised.
    failed,    // No answer, or only a part of one.
};

std::string_view name(Ending ending);

// What became of a URL, and why.
struct Outcome {
    std::string url;
    std::string referrer;
    std::uint32_t depth = 0;
    Via via = Via::link;
    bool is_nofollow = false;  // The link to it said rel=nofollow.
    std::uint32_t attempt_count = 1;

    Ending ending = Ending::failed;
    int status = 0;       // Of the answer; 0 if none came.
    std::string failure;  // "connect_refused": the class, for machines; empty if none.
    std::string reason;   // For people; empty if there is nothing to explain.

    std::string content_type;  // Without parameters, lower case.
    std::string charset;       // Of a page, as it was read.
    std::uint64_t content_bytes = 0;
    std::string digest;         // Of the content: "xxh3:0123456789abcdef"; none without content.
    bool is_truncated = false;  // Larger than we take.
    std::string title;
    std::string redirect_target;
    std::string canonical;           // What the page calls its own address, resolved; a hint.
    bool says_noindex = false;       // In its head or header: recorded.
    bool says_nofollow = false;      // Obeyed.
    bool is_duplicate = false;       // The same content was seen before.
    std::string near_duplicate_of;   // An earlier page with almost the same text.
    std::uint64_t simhash = 0;       // What tells; 0: nobody asked.
    std::uint64_t skeleton = 0;      // Likewise, for TrapWatch.
    std::size_t link_count = 0;      // Wanted links on the page,
    std::size_t new_link_count = 0;  // and those first seen there.
    std::map<std::string, std::uint64_t> refused;  // Links not wanted, by the rule's name.
    std::vector<std::string> links;                // All links; only if the crawl keeps them.

    std::string text;  // What a reader sees; only if the crawl keeps it.

    WallTime date;
    Duration elapsed{};
    http::Timings timings;
    std::string address;  // Of the server: "192.0.2.1:443".
    archive::Position archived;
    std::string payload_digest;  // Of the body as received, if it is archived: "sha1:...".
    bool is_revisit = false;     // Archived without its body, which is stored elsewhere.
    std::string etag;            // Of an answer 200, usable in a later request; likewise
    std::string last_modified;
    bool is_unchanged = false;  // A 304: the content is that of an earlier crawl.

    // Of its content, what came in this crawl.
    std::uint64_t new_bytes() const { return is_unchanged ? 0 : content_bytes; }

    // What a link checker reports. A sitemap that was only guessed at need not be there.
    bool is_broken() const {
        return via != Via::guess && (ending == Ending::failed || status >= 400);
    }
};

}  // namespace weft::crawl

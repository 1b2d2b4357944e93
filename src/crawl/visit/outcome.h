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
    fetched,   // A response came, with any status that is not a redirect.
    redirect,  // The response is a redirect.
    denied,    // robots.txt disallows it.
    skipped,   // Not requested: a budget was spent, or a trap was recognised.
    failed,    // No response, or only a part of one.
};

std::string_view name(Ending ending);

// What happened to a URL, and why. The page log has one line for each (PageRecord).
struct Outcome {
    std::string url;
    std::string referrer;
    std::uint32_t depth = 0;
    Via via = Via::link;
    bool is_nofollow = false;  // The link to it said rel=nofollow.
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
    std::size_t link_count = 0;      // Links on the page that the crawl wants.
    std::size_t new_link_count = 0;  // Those of them that were not seen before.
    std::map<std::string, std::uint64_t> refused;  // Refused links, by the rule's name.
    std::vector<std::string> links;                // All links, if Config::keeps_links.

    std::string text;  // The visible text, if Config::keeps_text.

    WallTime date;
    Duration elapsed{};
    http::Timings timings;
    std::string address;  // Of the server: "192.0.2.1:443".
    archive::Position archived;
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

}  // namespace weft::crawl

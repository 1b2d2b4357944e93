#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "demo/server/site.h"

// How the demo web is put together. A host has parts. A part serves some paths and makes their
// documents. A document knows its own links, so that the truth can be computed without parsing.
namespace weft::demo {

struct SiteHost;

// One URL that is requested. The options and the host outlive it.
struct DemoPlace {
    const Options* options;
    const SiteHost* host;
    std::string path;   // "/rooms/one.html", normalised.
    std::string query;  // "a=1&b=2", without the question mark.

    std::string target() const;  // Path and query.
    std::string origin() const;  // "http://127.0.0.1:8080"
};

// A link of a document, as the truth counts it. `target` is a path on the same host or an absolute
// URL, without fragment, in its canonical spelling.
struct Edge {
    std::string target;
    Reach reach = Reach::link;
};

// What a part serves at a place, and the links in it.
struct Document {
    int status = 200;
    std::string type = "text/html; charset=utf-8";
    std::vector<std::pair<std::string, std::string>> headers;  // Besides Content-Type.
    std::string body;
    std::vector<Edge> edges;
    std::string redirect;  // The target of a redirect. The Location header may spell it otherwise.
    Duration delay = Duration::zero();
    Behaviour behaviour = Behaviour::whole;
    bool gzip = false;  // The body is sent with Content-Encoding: gzip.
};

// A part of a host. Returns nothing if the path does not belong to this part.
using SitePart = std::optional<Document> (*)(const DemoPlace& place);

struct SiteHost {
    std::string_view name;
    std::string_view title;
    std::string_view character;
    std::span<const SitePart> parts;
    std::span<const std::pair<std::string_view, std::string_view>> nav;  // Path and text.
    int robots_status = 200;
    std::span<const std::string_view> disallow = {};  // Path prefixes.
    std::span<const std::string_view> allow = {};  // They win over shorter prefixes in `disallow`.
    unsigned crawl_delay_s = 0;
    std::string_view sitemap = {};  // The path in the Sitemap line of robots.txt.
    bool is_plain = false;          // Its pages have no style sheet and no images.

    bool disallows(std::string_view path) const;
};

// In the order of their addresses, 127.0.0.1 first.
std::span<const SiteHost> hosts();
const SiteHost* find_host(std::string_view name);

// The document of the first part that serves the place; otherwise the host's 404 page.
Document find_document(const DemoPlace& place);

// The place of a request target. REQUIRES: target begins with '/'.
DemoPlace find_place(const Options& options, const SiteHost& host, std::string_view target);

// "http://127.0.0.N:port" for N from 1 to 8.
std::string origin_of(const Options& options, unsigned number);

// Paths with these prefixes are endless, or never linked. The truth lists the prefixes.
inline constexpr std::string_view kEndlessPrefix = "/calendar/";
inline constexpr std::string_view kNeverPrefix = "/never/";

}  // namespace weft::demo

#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "demo/server/site.h"

// How the made web is put together: a host has rooms, a room knows some paths and makes the
// document that stands at one. A document knows where it leads, so that the truth need not read it.
namespace weft::demo {

struct Host;

// One address that is asked for.
struct Place {
    const Options* options;
    const Host* host;
    std::string path;   // "/rooms/one.html", normalised.
    std::string query;  // "a=1&b=2", without the question mark.

    std::string target() const;  // Path and query.
    std::string origin() const;  // "http://127.0.0.1:8080"
};

// A way out of a document, as the truth counts it. `target` is a path on the same host or an
// absolute URL, without fragment, in the one spelling that counts.
struct Edge {
    std::string target;
    Reach reach = Reach::link;
};

struct Document {
    int status = 200;
    std::string type = "text/html; charset=utf-8";
    std::vector<std::pair<std::string, std::string>> headers;  // Besides Content-Type.
    std::string body;
    std::vector<Edge> edges;
    std::string redirect;  // The edge that is a redirect; Location may spell it otherwise.
    Duration delay = Duration::zero();
    Behaviour behaviour = Behaviour::whole;
    bool gzip = false;  // The body travels with Content-Encoding: gzip.
};

// Nothing if the path is none of this room's.
using Room = std::optional<Document> (*)(const Place& place);

struct Host {
    std::string_view name;
    std::string_view title;
    std::string_view character;
    std::span<const Room> rooms;
    std::span<const std::pair<std::string_view, std::string_view>> nav;  // Path and words.
    int robots_status = 200;
    std::span<const std::string_view> disallow = {};  // Path prefixes.
    std::span<const std::string_view> allow = {};     // Win over shorter `disallow` ones.
    unsigned crawl_delay_s = 0;
    std::string_view sitemap = {};  // Path, as robots.txt names it.
    bool is_plain = false;          // No style sheet and no pictures around its pages.

    bool disallows(std::string_view path) const;
};

// In order, 127.0.0.1 first.
std::span<const Host> hosts();
const Host* find_host(std::string_view name);

// The document at a place: that of the first room that knows it, else the host's 404.
Document find_document(const Place& place);

// The place for a request target. REQUIRES: target begins with '/'.
Place find_place(const Options& options, const Host& host, std::string_view target);

// "http://127.0.0.N:port" for N from 1 to 8.
std::string origin_of(const Options& options, unsigned number);

// Paths below these have no end or no business being asked for; the truth names them.
inline constexpr std::string_view kEndlessPrefix = "/calendar/";
inline constexpr std::string_view kNeverPrefix = "/never/";

}  // namespace weft::demo

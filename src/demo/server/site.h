#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "demo/server/truth.h"

// A demo web of eight sites, and the truth about it.
//
// The hosts are the loopback addresses 127.0.0.1 to 127.0.0.8, all on one port, each with a
// character of its own (hosts.cpp):
//
//   127.0.0.1  the gazette: articles, and a room for every oddity that a crawl must handle
//   127.0.0.2  the plain site: only quoted, absolute links; no robots.txt
//   127.0.0.3  the slow site: slow responses, and a Crawl-delay
//   127.0.0.4  the library: pages that only its sitemaps name
//   127.0.0.5  the crossroads: redirects of every kind
//   127.0.0.6  the calendar: an endless trap
//   127.0.0.7  babel: character sets, content types and codings
//   127.0.0.8  the rough house: responses that break crawlers
//
// Nothing here opens a socket: a server calls answer() and sends the Answer.
namespace weft::demo {

struct Options {
    // The number of articles on 127.0.0.1 and of pages on 127.0.0.2. Pages are made when they are
    // requested, so a million of them need no memory. The other parts add about 100 URLs to
    // 127.0.0.1, and its images and styles about 40.
    unsigned page_count = 220;

    // Before every response, in addition to the delay of a slow page.
    Duration delay = Duration::zero();

    // The delay of slow pages; some take two or three times as long.
    Duration slow_delay = 200ms;

    // The port of the server, which is part of every absolute link.
    std::uint16_t port = 8080;

    // Determines the words, the images and the links between articles.
    std::uint64_t seed = 1;

    // Whether home pages link to /hostile/. The pages there are served in any case.
    bool hostile = false;
};

// How the server sends a body. The framing headers (Content-Length, Transfer-Encoding, Connection)
// follow from this value.
enum class Behaviour {
    whole,        // Content-Length, then the whole body.
    chunked,      // Transfer-Encoding: chunked, in several chunks.
    until_close,  // No length: the end of the connection is the end of the body.
    cut_short,    // Content-Length of the whole body; closes after half of it.
    cut_chunks,   // Chunked; closes after half of the body, without a last chunk.
    drip,         // Content-Length; one byte every kDripInterval.
    endless,      // No length; the body is repeated until the client closes.
    silent,       // Reads the request and never answers.
    hang_up,      // Reads the request and closes.
};
std::string_view name(Behaviour behaviour);

inline constexpr Duration kDripInterval = 200ms;

// The truth as JSON, on every host: of the whole web, or of one host with "?host=127.0.0.1".
inline constexpr std::string_view kTruthPath = "/.well-known/weft-demo-truth.json";

struct Answer {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    Duration delay = Duration::zero();  // Before the first byte.
    Behaviour behaviour = Behaviour::whole;
};

// The responses and the truth of the demo web. The same options always give the same bytes.
// Immutable, so it can be used from any thread.
class Site {
public:
    // REQUIRES: options.page_count >= 1.
    explicit Site(Options options);

    // The response of `host` (an address as above, without port) to a GET of `target` (path and
    // query, as in a request line). Dot segments and needless percent escapes are removed first, as
    // servers do. An unknown host gives 421. A HEAD is answered the same, without the body.
    Answer answer(std::string_view host, std::string_view target) const;

    // Everything that can be reached, computed from the definitions of the pages, not by parsing
    // them. Takes about 25 us and 1 KiB for each page.
    Truth truth() const;

    const Options& options() const { return options_; }

private:
    Options options_;
};

}  // namespace weft::demo

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "demo/server/truth.h"

// A made web of eight sites, and the truth about it.
//
// The hosts are the loopback literals 127.0.0.1 to 127.0.0.8, all on one port, each with a
// character of its own (hosts.cpp):
//
//   127.0.0.1  the gazette: articles, and a room for every oddity that a crawl can get right
//   127.0.0.2  the plain site: only quoted, absolute links; no robots.txt
//   127.0.0.3  the slow site: late answers, and a Crawl-delay
//   127.0.0.4  the library: pages that only its sitemaps know
//   127.0.0.5  the crossroads: redirects of every kind
//   127.0.0.6  the calendar: a trap without end
//   127.0.0.7  babel: character sets, content types and codings
//   127.0.0.8  the rough house: answers that break crawlers
//
// Nothing here opens a socket: a server asks answer() and puts the Answer on the wire.
namespace weft::demo {

struct Options {
    // Articles on 127.0.0.1 and pages on 127.0.0.2. Pages are made when asked for, so a million
    // cost no memory. The rooms around them add some 100 addresses to 127.0.0.1, and its pictures
    // and styles some 40.
    unsigned page_count = 220;

    // Before every answer, on top of what a slow page waits for.
    Duration delay = Duration::zero();

    // What the slow pages wait for; some wait two or three times as long.
    Duration slow_delay = 200ms;

    // Where the server listens: it stands in every absolute link.
    std::uint16_t port = 8080;

    // Chooses the words, the pictures and the links between articles.
    std::uint64_t seed = 1;

    // Whether home pages link to /hostile/. The pages there answer in any case.
    bool hostile = false;
};

// What a server does with a body, beyond sending it. Framing headers (Content-Length,
// Transfer-Encoding, Connection) are the server's, chosen by this value.
enum class Behaviour {
    whole,        // Content-Length, then all of the body.
    chunked,      // Transfer-Encoding: chunked, in several chunks.
    until_close,  // No length: the end of the connection is the end of the body.
    cut_short,    // Content-Length of the whole body; closes after half of it.
    cut_chunks,   // Chunked; closes after half of the body, without a last chunk.
    drip,         // Content-Length; one byte every kDripInterval.
    endless,      // No length; the body again and again until the client has enough.
    silent,       // Reads the request and never answers.
    hang_up,      // Reads the request and closes.
};
std::string_view name(Behaviour behaviour);

inline constexpr Duration kDripInterval = 200ms;

// The truth as JSON, on every host: the whole web, or one host with "?host=127.0.0.1".
inline constexpr std::string_view kTruthPath = "/.well-known/weft-demo-truth.json";

struct Answer {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers;
    std::string body;
    Duration delay = Duration::zero();  // To wait before the first byte.
    Behaviour behaviour = Behaviour::whole;
};

// The same options give the same bytes. Immutable: any thread may ask.
class Site {
public:
    // REQUIRES: options.page_count >= 1.
    explicit Site(Options options);

    // What `host` (a literal as above, without port) answers to a GET of `target` (path and query,
    // as in a request line; dot segments and needless percent escapes are undone first, as servers
    // do). An unknown host is answered with 421. A HEAD is the same without its body.
    Answer answer(std::string_view host, std::string_view target) const;

    // All that can be reached, computed from the definitions of the pages and not by reading them
    // back. Takes some 25 us and 1 KiB for each page.
    Truth truth() const;

    const Options& options() const { return options_; }

private:
    Options options_;
};

}  // namespace weft::demo

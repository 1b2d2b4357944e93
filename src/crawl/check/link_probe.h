#pragma once

#include <string>

#include "aio/task/co.h"
#include "crawl/run/config.h"
#include "http/client/client.h"
#include "web/url/url.h"

namespace weft::crawl {

// Whether a link works, as far as one request can tell.
struct LinkFate {
    enum class State : std::uint8_t {
        fine,
        broken,
        unverified,  // Unknown: the server is busy, or the URL must not be requested.
    };

    State state = State::unverified;
    int status = 0;       // Of the last response; 0: there was none.
    std::string failure;  // For programs: "connect_refused".
    std::string reason;   // For people; empty if the status is enough.
    std::string end_url;  // Where redirects end; empty: there are none.

    // The state for a status. A 429 says nothing about the page.
    static State judge(int status);
};

// Requests single URLs to see whether they exist. It sends HEAD and follows redirects. If the
// response is bad, it sends GET, because many servers do not support HEAD. Failures that may be
// temporary are tried again. Used on one loop; many ask() may be under way.
class LinkProbe {
public:
    // `config` outlives the probe. The client has the crawl's options with narrower limits.
    explicit LinkProbe(const Config& config);

    // The caller limits the requests to one host. If it is cancelled, the request ends.
    aio::Co<LinkFate> ask(web::Url url);

private:
    struct Try;

    aio::Co<Try> try_once(const web::Url& url);
    aio::Co<Try> request(web::Url url, std::string method);

    const Config& config_;
    http::Client client_;
};

}  // namespace weft::crawl

#pragma once

#include <string>

#include "aio/task/co.h"
#include "crawl/run/config.h"
#include "http/client/client.h"
#include "web/url/url.h"

namespace weft::crawl {

// Whether there is something at the end of a link, as far as one request can tell.
struct LinkFate {
    enum class State : std::uint8_t {
        fine,
        broken,
        unverified,  // Nobody can say: the server is busy, or it is not ours to ask.
    };

    State state = State::unverified;
    int status = 0;       // Of the last answer; 0: none came.
    std::string failure;  // "connect_refused": for machines.
    std::string reason;   // For people; empty if the status says it all.
    std::string end_url;  // Where redirects have led; empty: nowhere else.

    // What is to be thought of a status: 429 says nothing of the page.
    static State judge(int status);
};

// Asks for single pages, to learn whether they are there: HEAD, redirects followed; and if that is
// not answered well, GET, as many servers know no HEAD. What may pass is tried again. On one loop.
class LinkProbe {
public:
    // `config` outlives the probe. Its client is as that of the crawl, with narrower limits.
    explicit LinkProbe(const Config& config);

    aio::Co<LinkFate> ask(web::Url url);

private:
    struct Try;

    aio::Co<Try> try_once(const web::Url& url);
    aio::Co<Try> request(web::Url url, std::string method);

    const Config& config_;
    http::Client client_;
};

}  // namespace weft::crawl

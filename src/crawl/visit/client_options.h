#pragma once

#include "crawl/run/config.h"
#include "http/client/client_options.h"

namespace weft::crawl {

// The options of every HTTP client of a crawl: how it reaches hosts, and with which credentials.
// All fetches of a crawl (pages, robots.txt, sitemaps, links that are only checked) start from
// these options and may only narrow the limits. So none bypasses a proxy, the address policy or a
// login (H116, H121). `tools/tidy` allows no other place in this library to make such options.
//
// The address policy allows the addresses and ports of the seeds, each for its own origin, because
// the user typed them.
// tidy: allow banned-call: this is the one place
http::ClientOptions client_options(const Config& config);

}  // namespace weft::crawl

#pragma once

#include "crawl/run/config.h"
#include "http/client/client_options.h"

namespace weft::crawl {

// How every client of a crawl reaches hosts, and who it is to them. All that fetch for a crawl
// (pages, robots.txt, sitemaps, links of others that are checked) start from these options and only
// narrow limits, so that none goes round a proxy, an address policy or a login (H116, H121);
// `tools/tidy` knows no other place in this library that makes some.
//
// The addresses and ports of the seeds are open, each for its own origin: they were typed.
// tidy: allow banned-call: this is the one place
http::ClientOptions client_options(const Config& config);

}  // namespace weft::crawl

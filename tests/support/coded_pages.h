#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "aio/simulated/simulation.h"
#include "aio/task/co.h"
#include "http/server/server.h"

namespace weft::tests {

// A page of some host that is long once its coding is undone.
struct CodedPage {
    std::string host;
    std::string coding;  // As in Content-Encoding; empty: none.
    std::string content;
    std::string body;  // The content, coded.
    std::uint64_t digest = 0;

    std::string url() const { return "http://" + host + "/"; }
};

// So many hosts, each with one page of 300 to 700 KiB. No two pages have a line in common, and the
// codings take turns.
std::vector<CodedPage> make_coded_pages(std::size_t count);

// Serves each page as `/` of its host until cancelled; other paths are 404. Latency, jitter,
// segments and buffers of each host come from the seed.
aio::Co<> serve_coded_pages(aio::SimulatedLoop& loop, const std::vector<CodedPage>& pages,
                            std::uint64_t seed);

}  // namespace weft::tests

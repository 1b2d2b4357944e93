#pragma once

#include <map>
#include <string>
#include <vector>

#include "hostile/arena.h"
#include "support/dns_stub.h"

namespace weft::hostile {

// A case on the machine's own sockets: a scripted server on 127.0.0.1, names from a name server of
// the test's own, and a canary host if wanted.
struct LoopbackCase {
    std::vector<Script> scripts;
    std::map<std::string, tests::DnsAnswer> names = {};
    std::vector<Fetch> fetches = {{}};  // `:0` in a URL becomes the server's port.
    bool has_canary = false;
};

struct LoopbackEnding {
    std::vector<Ending> endings;
    std::map<std::string, std::size_t> question_counts;
    std::size_t connection_count = 0;
    Duration cpu_time{};  // Of the whole process.
};

LoopbackEnding run_on_loopback(LoopbackCase loopback_case);

}  // namespace weft::hostile

#pragma once

#include <ctime>
#include <string>
#include <vector>

#include "aio/task/co.h"
#include "base/random.h"
#include "frontier/frontier.h"

// What a crawl does to a frontier, without the crawl: pages of 40 links, 5 of them new, over many
// hosts whose sizes differ as the web's do.
namespace weft::bench {

// CPU time of the whole process, all threads.
inline double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// Made URLs, each a pure function of its number: about 70 bytes, hosts by Zipf's law.
class MadeUrls {
public:
    explicit MadeUrls(std::size_t host_count) : host_count_(host_count) {}

    frontier::Candidate candidate(std::uint64_t number) const {
        frontier::Candidate candidate;
        Random random(number * 0x9e3779b97f4a7c15U + 1);
        // Inverse of the distribution function, close enough to Zipf(1).
        const double share = random.unit();
        const auto host =
            static_cast<std::uint64_t>(std::pow(static_cast<double>(host_count_), share));
        candidate.host = fmt::format("www.host-{}.example", host);
        candidate.url = fmt::format("https://{}/section-{}/article-{:x}.html", candidate.host,
                                    number % 50, number);
        candidate.key = candidate.url;
        candidate.depth = 3;
        candidate.priority = 3;
        candidate.trail = 20;
        return candidate;
    }

private:
    std::size_t host_count_;
};

}  // namespace weft::bench

#pragma once

#include <string>
#include <utility>

#include "aio/loop/loop.h"
#include "frontier/frontier.h"

namespace weft::frontier {

inline Candidate candidate(std::string host, const std::string& path, std::uint8_t priority = 0) {
    Candidate result;
    result.url = "http://" + host + path;
    result.key = result.url;
    result.host = std::move(host);
    result.priority = priority;
    return result;
}

inline TimePoint now() {
    return aio::EventLoop::running().time();
}

}  // namespace weft::frontier

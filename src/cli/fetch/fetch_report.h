#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/client/failure.h"
#include "http/message/message.h"

namespace weft::cli {

// A redirect on the way.
struct Hop {
    int status = 0;
    std::string url;     // That redirected,
    std::string target;  // and where to.
};

// The lines of a request or answer head, each behind `mark`, safe for a terminal. What would let
// others log in as the user is left out.
std::string show_head(std::string_view head, char mark);

// The status line and fields of an answer.
std::string head_text(const http::Response& response);

// How the time was spent: a line a phase with its bar, as a waterfall.
std::string show_timings(const http::Timings& timings, bool unicode);

// What came of a fetch, for scripts.
struct FetchFacts {
    std::string url;  // As asked, without user and password.
    std::string final_url;
    const std::vector<Hop>& hops;
    const http::Response& response;
    const http::FetchError* error = nullptr;  // None: the answer is whole.
};
std::string to_json(const FetchFacts& facts);

}  // namespace weft::cli

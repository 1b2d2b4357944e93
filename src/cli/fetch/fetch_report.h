#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "http/client/failure.h"
#include "http/message/message.h"

namespace weft::cli {

// One redirect that was followed.
struct Hop {
    int status = 0;
    std::string url;     // The URL that redirected,
    std::string target;  // and where to.
};

// The lines of a request or response head, each behind `mark`, safe for a terminal. Values that
// would let others log in as the user are left out.
std::string show_head(std::string_view head, char mark);

// The status line and the header fields of a response.
std::string head_text(const http::Response& response);

// How the time was spent, as a waterfall: one line with a bar for each phase.
std::string show_timings(const http::Timings& timings, bool unicode);

// The result of a fetch, for scripts. The references must outlive to_json().
struct FetchFacts {
    std::string url;  // As typed, without user and password.
    std::string final_url;
    const std::vector<Hop>& hops;
    const http::Response& response;
    const http::FetchError* error = nullptr;  // Null: the response is complete.
};
std::string to_json(const FetchFacts& facts);

}  // namespace weft::cli

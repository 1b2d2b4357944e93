#pragma once

#include "cli/options/fetch_options.h"
#include "http/client/client_options.h"
#include "http/client/get.h"
#include "http/message/message.h"

namespace weft::cli {

// The arguments of `weft fetch` as values, with their files read.
struct FetchPlan {
    http::ClientOptions client;
    http::Request request;
    http::FollowOptions follow;
};

// Throws UsageError, and IoError if a file cannot be read.
FetchPlan make_plan(FetchArguments& arguments);

}  // namespace weft::cli

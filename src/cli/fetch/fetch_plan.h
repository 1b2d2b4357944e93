#pragma once

#include "cli/options/fetch_options.h"
#include "http/client/client_options.h"
#include "http/client/get.h"
#include "http/message/message.h"

namespace weft::cli {

// What `weft fetch` is to do: the arguments as values, files of theirs read.
struct FetchPlan {
    http::ClientOptions client;
    http::Request request;
    http::FollowOptions follow;
};

// Throws UsageError, and IoError for a file that cannot be read.
FetchPlan make_plan(const FetchArguments& arguments);

}  // namespace weft::cli

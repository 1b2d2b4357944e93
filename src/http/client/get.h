#pragma once

#include <functional>
#include <string>

#include "aio/task/co.h"
#include "base/limits.h"
#include "http/client/client.h"

namespace weft::http {

// How follow() treats redirects.
struct FollowOptions {
    int redirect_count_max = limits::kRedirectCountMax;

    // Send the request's own fields to other origins too; see redirect_request().
    bool fields_go_on = false;

    // Called for each redirect before it is followed.
    std::function<void(const Response&, const web::Url& target)> on_redirect;
};

// The last response, and how follow() got there.
struct Followed {
    Response response;
    web::Url url;  // The URL after all redirects.
    int redirect_count = 0;
};

// Fetches, and follows redirects as http/client/redirect.h describes. `sink` gets the heads of all
// responses, but only the content of the last one. All requests together have the time of one
// fetch: Request::total_timeout or the client's. `client` and `sink` must outlive the call.
//
// A redirect without a Location is returned like any other response. Throws FetchError:
// bad_redirect for a target that may not be followed, for too many redirects, and for a loop, that
// is the same request (method, URL and cookies) a second time.
aio::Co<Followed> follow(Client& client, Request request, ResponseSink& sink,
                         FollowOptions options = {});

// One page in memory.
struct FetchedPage {
    Response response;
    std::string content;
    web::Url url;  // The URL after all redirects.
};

// Fetches a URL, follows redirects, and returns the content. Enough for most callers.
aio::Co<FetchedPage> get(Client& client, web::Url url);

}  // namespace weft::http

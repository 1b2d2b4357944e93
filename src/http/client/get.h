#pragma once

#include <functional>
#include <string>

#include "aio/task/co.h"
#include "base/limits.h"
#include "http/client/client.h"

namespace weft::http {

struct FollowOptions {
    int redirect_count_max = limits::kRedirectCountMax;

    // The request's own fields go to other origins too; see redirect_request().
    bool fields_go_on = false;

    // Told of each redirect before it is followed.
    std::function<void(const Response&, const web::Url& target)> on_redirect;
};

struct Followed {
    Response response;
    web::Url url;  // Where the redirects led.
    int redirect_count = 0;
};

// Fetches, and follows redirects as http/client/redirect.h says. `sink` sees the content of the
// last answer only. The time of the whole is that of one fetch: Request::total_timeout or the
// client's.
//
// A redirect that has nowhere to lead is an answer as any other. Throws FetchError: bad_redirect
// for one that may not be followed, for too many, and for a circle: the same request, cookies
// included, a second time.
aio::Co<Followed> follow(Client& client, Request request, ResponseSink& sink,
                         FollowOptions options = {});

// One page, redirects followed: all there is to most fetches.
struct Page {
    Response response;
    std::string content;
    web::Url url;  // Where the redirects led.
};
aio::Co<Page> get(Client& client, web::Url url);

}  // namespace weft::http

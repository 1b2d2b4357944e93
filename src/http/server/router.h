#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aio/task/co.h"
#include "http/server/server.h"

namespace weft::http {

// Gives each request to the handler of its path and method: 404 where no path fits, 405 with Allow
// where only the method does not, and OPTIONS is answered.
//
//     Router router;
//     router.add("GET", "/api/state", state);
//     router.add("GET", "/pages/*", page);
//     http::Server server(router.handler());
//
// Outlives the handlers it gives out.
class Router {
public:
    // `path` exactly, or with a final "*" everything that begins like it; the longest that fits
    // wins. Compared with the path as it was sent. A GET also answers HEAD.
    void add(std::string_view method, std::string_view path, Handler handler);

    aio::Co<> route(const ServerRequest& request, Responder& responder) const;
    Handler handler() const;

private:
    struct Route {
        std::string method;
        std::string path;  // Without the star.
        bool is_prefix;
        Handler handler;
    };

    std::vector<Route> routes_;
};

}  // namespace weft::http

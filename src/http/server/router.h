#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aio/task/co.h"
#include "http/server/server.h"

namespace weft::http {

// Passes each request to the handler of its path and method. Responds 404 if no path matches, 405
// with Allow if only the method does not match, and answers OPTIONS itself.
//
//     Router router;
//     router.add("GET", "/api/state", state);
//     router.add("GET", "/pages/*", page);
//     http::HttpServer server(router.handler());
//
// Must outlive the handlers that it returns.
class Router {
public:
    // `path` matches exactly; with a final "*" it matches every path with this prefix. The longest
    // match wins. The request's path is compared as it was sent, still percent-encoded. A handler
    // for GET also gets HEAD requests.
    void add(std::string_view method, std::string_view path, Handler handler);

    // Responds to one request. Throws Refusal(404), for the server to send.
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

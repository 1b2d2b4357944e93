#include "http/server/router.h"

#include <algorithm>

namespace weft::http {

using aio::Co;

void Router::add(std::string_view method, std::string_view path, Handler handler) {
    const bool is_prefix = path.ends_with('*');
    if (is_prefix) path.remove_suffix(1);
    routes_.push_back({std::string(method), std::string(path), is_prefix, std::move(handler)});
}

Co<> Router::route(const ServerRequest& request, Responder& responder) const {
    const std::string_view path = request.path();
    const auto fits = [&](const Route& route) {
        return route.is_prefix ? path.starts_with(route.path) : path == route.path;
    };
    // The path is chosen first, over all methods, so that a known path with another method is a
    // 405.
    const Route* best = nullptr;
    for (const Route& route : routes_) {
        const bool is_better =
            !best || route.path.size() > best->path.size() || (best->is_prefix && !route.is_prefix);
        if (fits(route) && is_better) best = &route;
    }
    if (!best) throw HttpRefusal(404);

    std::string allow = "OPTIONS";
    for (const Route& route : routes_) {
        if (route.path != best->path || route.is_prefix != best->is_prefix) continue;
        const bool is_get = route.method == "GET";
        if (route.method == request.method || (is_get && request.method == "HEAD")) {
            co_await route.handler(request, responder);
            co_return;
        }
        allow += is_get ? ", GET, HEAD" : ", " + route.method;
    }
    Reply reply = request.method == "OPTIONS" ? Reply{.status = 204} : status_reply(405);
    reply.headers.emplace_back("Allow", std::move(allow));
    co_await responder.reply(std::move(reply));
}

Handler Router::handler() const {
    return [this](const ServerRequest& request, Responder& responder) -> Co<> {
        co_await route(request, responder);
    };
}

}  // namespace weft::http

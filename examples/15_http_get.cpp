// Pages over HTTP: a client keeps its connections, follows redirects, and bounds what it takes. It
// asks a small server of its own.

#include <fmt/format.h>

#include "aio/loop/run.h"
#include "aio/task/gather.h"
#include "aio/task/task_group.h"
#include "http/client/get.h"
#include "http/server/server.h"

using namespace weft;

aio::Co<> answer(const http::ServerRequest& request, http::Responder& responder) {
    if (request.path() == "/old") {
        co_await responder.reply({.status = 301, .headers = {{"Location", "/new"}}});
    } else {
        co_await responder.reply({.body = fmt::format("this is {}", request.path())});
    }
}

aio::Co<> fetch(web::Url home) {
    http::Client client({.user_agent = "example/1.0 (+https://example.com/bot)"});
    client.addresses().open(home);  // Addresses that are not public are denied unless meant.
    const web::Url old = home.resolve("/old").value();
    const web::Url news = home.resolve("/news").value();
    auto [moved, other] = co_await aio::gather(http::get(client, old), http::get(client, news));
    fmt::print("{} {}: {}\n", moved.response.status, moved.url.pathname(), moved.content);
    fmt::print("{} {}: {}\n", other.response.status, other.url.pathname(), other.content);
}

aio::Co<> serve_and_fetch() {
    auto listener = aio::EventLoop::running().network().listen({aio::IpAddress::loopback(), 0});
    const std::string home = fmt::format("http://{}/", listener->local().to_string());
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        group.create_task(http::serve(std::move(listener), answer));
        co_await fetch(web::Url::parse(home).value());
        group.cancel();
    });
}

int main() {
    aio::run(serve_and_fetch());
}

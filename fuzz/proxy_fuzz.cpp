// What a proxy says to a client that wants to be led on: SOCKS with and without a login, and
// CONNECT. It leads on or refuses, in the time it has, however its bytes are cut.
#include <string>

#include "aio/net/stream.h"
#include "aio/simulated/simulation.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "fuzz/cuts.h"
#include "http/connect/proxy.h"
#include "http/connect/socks.h"
#include "http/connect/tunnel.h"

namespace weft::http {
namespace {

using aio::Co;

Co<> say(std::unique_ptr<aio::Listener> listener, std::string_view bytes, fuzz::Cutter cutter) {
    aio::Stream stream(co_await listener->accept());
    try {
        while (!bytes.empty()) {
            const std::string_view piece = bytes.substr(0, cutter.next());
            bytes.remove_prefix(piece.size());
            co_await stream.write(piece);
            co_await aio::yield_now();
        }
        stream.write_eof();
        for (bool more = true; more; stream.consume(stream.buffered().size())) {
            more = co_await stream.fill();
        }
    } catch (const aio::IoError&) {
        // The client has heard enough.
    }
}

Co<> lead_on(aio::Stream& stream, unsigned way) {
    const Proxy proxy{.kind = ProxyKind::socks5h,
                      .host = "p.test",
                      .port = 1080,
                      .user = way % 4 == 1 ? "name" : "",
                      .password = way % 4 == 1 ? "word" : ""};
    if (way % 2 == 0) {
        co_await tunnel(stream, proxy, "a.test:443", "fuzz");
    } else {
        co_await socks_connect(stream, proxy, {.host = "a.test", .address = {}, .port = 80});
    }
}

// "led" and what is left for the server to have said, or why not.
std::string ending(std::string_view bytes, unsigned way, fuzz::Cutter cutter) {
    aio::SimulatedLoop loop;
    auto listener = loop.network().listen("p.test", 1080);
    return loop.run([](aio::SimulatedLoop& simulated, std::unique_ptr<aio::Listener> at,
                       std::string_view said, unsigned how, fuzz::Cutter cut) -> Co<std::string> {
        std::string end;
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            const aio::Endpoint place = simulated.network().host("p.test").endpoint(1080);
            group.create_task(say(std::move(at), said, cut));
            aio::Stream stream = co_await aio::connect(place);
            try {
                co_await lead_on(stream, how);
                end = "led";
            } catch (const ProxyRefusal& refusal) {
                end = refusal.what();
            } catch (const aio::IncompleteReadError&) {
                end = "cut";
            }
            fuzz::require(!end.empty() && !end.contains('\n') && !end.contains('\x1b'));
            group.cancel();
        });
        co_return end;
    }(loop, std::move(listener), bytes, way, cutter));
}

}  // namespace
}  // namespace weft::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    fuzz::Choices choices({reinterpret_cast<const char*>(data), size});
    const unsigned way = choices.take();
    const unsigned seed = 2 + choices.take();
    const std::string whole = http::ending(choices.rest(), way, fuzz::Cutter(0));
    fuzz::require(whole == http::ending(choices.rest(), way, fuzz::Cutter(seed)));
    return 0;
}

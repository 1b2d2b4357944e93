// A fetch on a kept connection allocates nothing besides its body.
#include <cstdlib>
#include <new>

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/net/server.h"
#include "http/client/client.h"

namespace {

std::size_t allocation_count = 0;

}  // namespace

// Everything in this program is counted, coroutine frames that come from no pool included.
void* operator new(std::size_t bytes) {
    ++allocation_count;
    if (void* memory = std::malloc(bytes)) return memory;
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace weft::http {
namespace {

using aio::Co;

class CountingSink final : public ResponseSink {
public:
    void on_content(std::string_view piece) override { bytes += piece.size(); }
    std::size_t bytes = 0;
};

// Answers each packet with the same page.
Co<> answer_all(aio::Stream stream) {
    static const std::string answer =
        "HTTP/1.1 200 OK\r\nServer: test\r\nDate: Thu, 01 Jan 2026 00:00:00 GMT\r\n"
        "Content-Type: text/html\r\nContent-Length: 1000\r\nLast-Modified: long ago\r\n\r\n" +
        std::string(1000, 'x');
    for (;;) {
        const bool more = co_await stream.fill();
        if (!more) co_return;
        stream.consume(stream.buffered().size());
        co_await stream.write(answer);
    }
}

Co<> fetch_many(Client& client, const Request& request, int count) {
    CountingSink sink;
    Response response;
    for (int i = 0; i < count; ++i) {
        co_await client.fetch(request, sink, response);
        EXPECT_EQ(response.status, 200);
    }
    EXPECT_EQ(sink.bytes, 1000u * static_cast<std::size_t>(count));
}

Co<> fetch_steadily() {
    const aio::Server server = aio::start_server(
        [](aio::Stream stream) -> Co<> { co_await answer_all(std::move(stream)); },
        {aio::IpAddress::loopback(), 0});
    ClientOptions options;
    options.addresses.allow(*AddressRange::parse("127.0.0.0/8"));
    Client client(std::move(options));
    const Request request{
        .url =
            web::Url::parse(fmt::format("http://127.0.0.1:{}/page", server.local().port)).value()};
    co_await fetch_many(client, request, 100);
    const std::size_t before = allocation_count;

    co_await fetch_many(client, request, 1'000);

    // The first of them fills a new Response and its headers.
    EXPECT_LE(allocation_count - before, 10u);
}

}  // namespace

TEST(SteadyFetch, AllocatesNothingBesidesTheBody) {
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
    GTEST_SKIP() << "under a sanitizer frames are not recycled";
#endif
    aio::run(fetch_steadily());
}

}  // namespace weft::http

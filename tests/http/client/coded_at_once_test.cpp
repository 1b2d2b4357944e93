// All fetches of a thread once decoded into one buffer, and a fetch that gave others a turn between
// filling it and handing it on got their bytes: one site's content in another site's page.
#include <gtest/gtest.h>

#include "aio/net/stream.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "base/hash.h"
#include "base/units.h"
#include "http/client/client.h"
#include "http/client/content.h"
#include "support/coded_pages.h"
#include "support/packing.h"

namespace weft::http {
namespace {

using aio::Co;
using aio::SimulatedLoop;
using tests::CodedPage;

class Digest final : public ResponseSink {
public:
    void on_content(std::string_view piece) override { hash.update(piece); }
    Hash64 hash;
};

enum class Way { pushed, pulled };

Co<> fetch_one(Client& client, std::string url, Way way, std::uint64_t& digest) {
    const web::Url parsed = web::Url::parse(url).value();
    Digest sink;
    if (way == Way::pushed) {
        co_await client.fetch({.url = parsed}, sink);
    } else {
        Download download = co_await client.stream({.url = parsed});
        while (auto piece = co_await download.body.next()) {
            co_await aio::yield_now();  // A reader may take its time.
            sink.hash.update(*piece);
        }
    }
    digest = sink.hash.finish();
}

// By page. Every third page is pulled.
Co<std::vector<std::uint64_t>> fetch_all(SimulatedLoop& loop, const std::vector<CodedPage>& pages,
                                         std::uint64_t seed) {
    std::vector<std::uint64_t> digests(pages.size());
    co_await aio::task_group([&](aio::TaskGroup& servers) -> Co<> {
        servers.create_task(tests::serve_coded_pages(loop, pages, seed));
        co_await aio::yield_now();
        Client client;
        co_await aio::task_group([&](aio::TaskGroup& fetches) -> Co<> {
            for (std::size_t i = 0; i < pages.size(); ++i) {
                fetches.create_task(fetch_one(client, pages[i].url(),
                                              i % 3 == 2 ? Way::pulled : Way::pushed, digests[i]));
            }
            co_return;
        });
        servers.cancel();
    });
    co_return digests;
}

}  // namespace

TEST(CodedAtOnce, H135EachPageIsWhatItIsWhenFetchedAlone) {
    const std::vector<CodedPage> pages = tests::make_coded_pages(24);
    std::vector<std::uint64_t> alone;
    for (const CodedPage& page : pages) {
        SimulatedLoop loop;
        const std::vector<CodedPage> one{page};
        alone.push_back(loop.run(fetch_all(loop, one, 1)).front());
        ASSERT_EQ(alone.back(), page.digest) << page.coding;
    }
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        SimulatedLoop loop(seed);

        const std::vector<std::uint64_t> digests = loop.run(fetch_all(loop, pages, seed));

        for (std::size_t i = 0; i < pages.size(); ++i) {
            EXPECT_EQ(digests[i], alone[i])
                << pages[i].url() << " as '" << pages[i].coding << "', seed " << seed;
        }
        if (testing::Test::HasFailure()) return;
    }
}

// What the outer of two codings unpacks to is no content, so nobody else ran meanwhile.
TEST(Content, H41WhatUnpacksToNothingGivesWayInBetween) {
    using namespace std::string_literals;
    constexpr std::size_t kBytes = 8_MiB;
    const std::string skipped =
        "\x50\x2a\x4d\x18\x00\x00\x80\x00"s + std::string(kBytes, '\0');  // A frame to skip.
    const std::string coded = tests::gzip(skipped);
    const std::size_t pauses = SimulatedLoop().run([](std::string_view body) -> Co<std::size_t> {
        Response response;
        response.headers.add("Content-Encoding", "zstd, gzip");
        const FetchLimits limits;
        const FetchClock clock("a.test", 1h);
        Content content(response, limits, clock);
        content.decode("");
        content.take(body);
        std::vector<char> room(limits::kDecodeStepBytes);
        std::size_t count = 0;
        for (;; ++count) {
            EXPECT_TRUE(content.next(room).empty());
            if (!content.is_busy()) break;
        }
        content.finish();
        co_return count;
    }(coded));

    EXPECT_GE(pauses, kBytes / aio::kBytesPerTurnMax);
}

}  // namespace weft::http

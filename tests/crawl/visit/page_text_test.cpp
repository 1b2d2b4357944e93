#include "crawl/visit/page_text.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "base/limits.h"
#include "crawl/run/run.h"
#include "http/server/responder.h"
#include "http/server/server.h"

namespace weft::crawl {
namespace {

using aio::Co;

TEST(PageText, ReadsAsMuchHtmlAsItsMemoryAllows) {
    const auto html_max = [](TextMemory memory) {
        return PageText({.text = extract::TextForm::plain}, "weft", memory).html_bytes_max();
    };
    const PageText none({.text = extract::TextForm::none}, "weft", {.shard_bytes = 128_MiB});
    EXPECT_EQ(none.html_bytes_max(), 0u);
    EXPECT_EQ(html_max({.shard_bytes = 128_MiB}), 4_MiB);
    EXPECT_EQ(html_max({.shard_bytes = 32_MiB, .large_bytes = 64_MiB}), 2_MiB);
    EXPECT_EQ(html_max({.shard_bytes = 10'000_MiB}), limits::kHtmlBytesMax);
}

TEST(PageText, ADateAfterTheFetchIsNoDateOfThePage) {
    PageText texts({.text = extract::TextForm::plain}, "weft", {.shard_bytes = 1_MiB});
    const WallTime date{std::chrono::sys_days{std::chrono::year{2026} / 3 / 1}};
    const auto published = [&](std::string_view day) {
        const std::string html =
            "<meta property=article:published_time content=" + std::string(day) + "><p>x";
        return texts.read({.html = html, .headers = {}, .url = "", .date = date}).fields.published;
    };
    EXPECT_EQ(published("2026-03-02"), "2026-03-02");
    EXPECT_EQ(published("2026-03-03"), "");
}

// Many handlers run at once, so a page keeps its extract while other pages are extracted.
TEST(PageExtract, AHandlerGetsTheTextOfThePage) {
    aio::SimulatedLoop loop;
    std::map<std::string, std::string> texts;
    loop.run([&]() -> Co<> {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            http::Handler handler = [](const http::ServerRequest& request,
                                       http::Responder& responder) -> Co<> {
                const bool is_page = request.target != "/data";
                const std::string body = request.target == "/"
                                             ? "<h1>Home</h1><p>see <a href=/a>a</a> <a href=/b>b"
                                               "</a> <a href=/data>d</a>"
                                             : "<h1>" + request.target + "</h1>";
                co_await responder.reply(
                    {.headers = {{"Content-Type", is_page ? "text/html" : "text/plain"}},
                     .body = body});
            };
            group.create_task(http::serve(loop.network().listen("a.test", 80), std::move(handler)));
            co_await aio::yield_now();
            Config config;
            config.seeds = {web::Url::parse("http://a.test/").value()};
            config.wait = Duration::zero();
            config.max_per_host = 4;
            config.obey_robots = false;
            Hooks hooks;
            hooks.on_page = [&](Page& page) -> Co<> {
                const extract::Extract& text = page.extract();
                co_await aio::sleep(1s);  // Others are extracted meanwhile.
                EXPECT_EQ(&text, &page.extract());
                texts[page.url.href()] = text.text;
            };
            co_await run(std::move(config), std::move(hooks));
            group.cancel();
        });
    }());

    EXPECT_TRUE(texts["http://a.test/"].contains("[a](http://a.test/a)"))
        << texts["http://a.test/"];
    EXPECT_EQ(texts["http://a.test/a"], "# /a\n");
    EXPECT_EQ(texts["http://a.test/b"], "# /b\n");
    EXPECT_EQ(texts["http://a.test/data"], "");
}

}  // namespace
}  // namespace weft::crawl

#include <gtest/gtest.h>

#include "aio/files/free_space.h"
#include "aio/files/memory_files.h"
#include "aio/simulated/simulation.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "crawl/crawl_site.h"
#include "crawl/run/disk_watch.h"
#include "crawl/run/memory_plan.h"
#include "crawl/run/memory_watch.h"
#include "crawl/scope/listing_reader.h"
#include "crawl/scope/page_links.h"
#include "crawl/visit/body_credit.h"
#include "crawl/visit/page_sink.h"
#include "support/simulate.h"

// What is held in memory, and who lends it. What a process really holds: tests/cli/memory_test.py.
namespace weft::crawl {
namespace {

std::string links_page(int count) {
    std::string html;
    for (int i = 0; i < count; ++i) html += fmt::format("<a href=/{}>x</a>", i);
    return html;
}

http::Response html_response() {
    http::Response response;
    response.status = 200;
    response.headers.add("Content-Type", "text/html; charset=utf-8");
    return response;
}

}  // namespace

TEST(MemoryPlan, ItsPartsAreWithinTheWhole) {
    for (const std::uint64_t bytes : {64_MiB, 512_MiB, 16_GiB}) {
        for (const MemoryPlan& plan : {MemoryPlan::of_crawl(bytes), MemoryPlan::of_check(bytes)}) {
            const std::uint64_t robots_on_their_way = plan.answer_bytes / 8;
            EXPECT_LE(plan.frontier_bytes + plan.link_bytes + plan.answer_bytes +
                          robots_on_their_way + plan.robots_cache_bytes + 500 * plan.payload_count +
                          32 * plan.digest_count + 1'024 * plan.host_count,
                      bytes);
            EXPECT_LT(plan.watched_bytes, bytes + MemoryPlan::kOverheadBytes);
        }
    }
    EXPECT_EQ(MemoryPlan::least_bytes(256), 64_MiB);
}

TEST(MemoryWatch, NothingIsLentWhileTheProcessHoldsTooMuch) {
    aio::simulate([]() -> Co<> {
        std::uint64_t resident = 50;
        const auto watch = std::make_shared<MemoryWatch>(100, [&] { return resident; });
        BodyCredit credit(1'000, watch);
        BodyCredit::Loan first = co_await credit.borrow(10);
        EXPECT_TRUE(first.grow(20));
        resident = 101;
        co_await aio::sleep(1s);
        EXPECT_FALSE(first.grow(30));
        bool is_lent = false;
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task([](BodyCredit& from, bool& done) -> Co<> {
                const BodyCredit::Loan loan = co_await from.borrow(10);
                done = true;
            }(credit, is_lent));
            co_await aio::sleep(5s);
            EXPECT_FALSE(is_lent);
            resident = 100;
        });
        EXPECT_TRUE(is_lent);
    });
}

TEST(MemoryWatch, WhatStaysTooMuchEndsTheWaiting) {
    aio::simulate([]() -> Co<> {
        int release_count = 0;
        const auto watch =
            std::make_shared<MemoryWatch>(100, [] { return 101; }, [&] { ++release_count; });
        BodyCredit credit(1'000, watch);
        bool has_ended = false;
        try {
            const BodyCredit::Loan loan = co_await credit.borrow(10);
        } catch (const OutOfMemory&) {
            has_ended = true;
        }
        EXPECT_TRUE(has_ended);
        EXPECT_GE(aio::elapsed(), MemoryWatch::kPatience);
        EXPECT_GT(release_count, 10);
    });
}

TEST(PageSink, LinksAreLentBeforeTheyAreHeld) {
    aio::simulate([]() -> Co<> {
        const std::string page = links_page(20'000);
        ReaderPool readers({});
        const http::Response response = html_response();
        for (const std::size_t bytes : {std::size_t{100'000}, std::size_t{100'000'000}}) {
            BodyCredit credit(bytes);
            BodyCredit::Loan loan = co_await credit.borrow(50'000);
            PageSink sink({.url = "http://a.test/"}, std::move(loan), readers);
            sink.on_head(response);
            for (std::size_t at = 0; at < page.size(); at += 60'000) {
                sink.on_content(std::string_view(page).substr(at, 60'000));
            }
            const std::optional<web::HtmlPage> html = sink.finish_page();
            const auto url = web::Url::parse("http://a.test/").value();
            const std::vector<FoundLink> links =
                links_of(url, response.headers, &*html, sink).found;

            const bool is_enough = bytes > 1'000'000;
            EXPECT_EQ(sink.is_cut(), !is_enough);
            EXPECT_EQ(links.size() == 20'000, is_enough) << links.size();
            EXPECT_LT(html->memory_bytes(), 100'000u + (is_enough ? 10'000'000 : 100'000));
        }
        co_return;
    });
}

TEST(PageSink, AnAnswerTooLargeForItsLoanIsGivenUpUnlessPartsAreTaken) {
    aio::simulate([]() -> Co<> {
        ReaderPool readers({});
        for (const bool takes_parts : {false, true}) {
            BodyCredit credit(200'000);
            BodyCredit::Loan loan = co_await credit.borrow(50'000);
            PageSink sink({.url = "http://a.test/", .takes_parts = takes_parts}, std::move(loan),
                          readers);
            sink.on_head(html_response());
            sink.on_content(links_page(20'000));
            EXPECT_EQ(sink.has_overflowed(), !takes_parts);
            EXPECT_TRUE(sink.is_cut());
            EXPECT_EQ(sink.lends(100), takes_parts);
            EXPECT_EQ(sink.finish_page().has_value(), takes_parts);
        }
        co_return;
    });
}

// What was read of a page used up the loan, so that none of its links could be resolved.
TEST(PageSink, OfAPageThatIsCutTheLinksThatWereReadAreResolved) {
    aio::simulate([]() -> Co<> {
        const std::string page = links_page(100'000);
        ReaderPool readers({});
        const http::Response response = html_response();
        for (const std::size_t bytes : {200'000u, 1'000'000u, 3'000'000u, 5'000'000u, 8'000'000u}) {
            BodyCredit credit(bytes);
            PageSink sink({.url = "http://a.test/"}, co_await credit.borrow(bytes), readers);
            sink.on_head(response);
            for (std::size_t at = 0; at < page.size(); at += 16'000) {
                sink.on_content(std::string_view(page).substr(at, 16'000));
            }
            EXPECT_TRUE(sink.is_cut());
            const std::optional<web::HtmlPage> html = sink.finish_page();
            const auto url = web::Url::parse("http://a.test/").value();
            const std::vector<FoundLink> links =
                links_of(url, response.headers, &*html, sink).found;

            EXPECT_GT(links.size(), bytes / 1'500) << bytes;
            EXPECT_EQ(links.size(), html->links.size()) << bytes;
        }
        co_return;
    });
}

TEST(PageSink, WhatTheFetchHoldsIsLentToo) {
    aio::simulate([]() -> Co<> {
        ReaderPool readers({});
        BodyCredit credit(1'000'000);
        BodyCredit::Loan loan = co_await credit.borrow(50'000);
        PageSink sink({.url = "http://a.test/"}, std::move(loan), readers);
        sink.on_head(html_response());
        EXPECT_TRUE(sink.lends(900'000));
        EXPECT_GE(credit.held_bytes(), 900'000u);
        EXPECT_FALSE(sink.lends(8'000'000));
        co_return;
    });
}

// The last line of a plain sitemap, without a line end, was lent for by a reader already let go.
TEST(PageSink, AListingsLastEntryMayEndWithTheAnswer) {
    aio::simulate([]() -> Co<> {
        ReaderPool readers({});
        http::Response response;
        response.status = 200;
        response.headers.add("Content-Type", "text/plain");
        for (const std::size_t bytes : {std::size_t{2'000}, std::size_t{1'000'000}}) {
            for (const bool takes_parts : {false, true}) {
                BodyCredit credit(bytes);
                BodyCredit::Loan loan = co_await credit.borrow(1'000);
                PageSink sink({.is_sitemap = true,
                               .url = "http://a.test/sitemap.txt",
                               .takes_parts = takes_parts},
                              std::move(loan), readers);
                sink.on_head(response);
                sink.on_content("http://a.test/listed");
                const std::optional<Listing> listing = sink.finish_listing();

                const bool is_enough = bytes > 100'000;
                EXPECT_EQ(sink.is_cut(), !is_enough);
                EXPECT_EQ(sink.has_overflowed(), !is_enough && !takes_parts);
                EXPECT_EQ(listing.has_value(), is_enough || takes_parts);
                if (listing) EXPECT_EQ(listing->locations.size(), is_enough ? 1u : 0u);
            }
        }
        co_return;
    });
}

// 130 answers of 93 KB, unpacked 45 MiB of locations each, held 4.3 GiB.
TEST(ListingReader, H83ItsEntriesAreLentInStepsOfABomb) {
    std::size_t lent_bytes = 0;
    ListingReader reader("http://a.test/sitemap.xml", [&](std::size_t bytes) {
        if (bytes > 1'000'000) return false;
        lent_bytes = bytes;
        return true;
    });
    std::string bomb = "<urlset>";
    for (int i = 0; i < 40'000; ++i) {
        bomb += fmt::format("<url><loc>/{}/{}</loc></url>", i, std::string(900, 'a'));
    }
    reader.feed(bomb);

    EXPECT_TRUE(reader.is_cut());
    EXPECT_TRUE(reader.lacks_memory());
    const Listing listing = reader.finish();
    EXPECT_GT(listing.locations.size(), 200u);
    EXPECT_LT(listing.locations.size(), 1'100u);
    EXPECT_GT(lent_bytes, 900'000u);
}

TEST(LinkList, LinksOfALongBaseAreLentByWhatTheyBecome) {
    const std::string base = "http://a.test/" + std::string(7'000, 'b') + "/";
    LinkList list(web::Url::parse(base).value(),
                  [](std::size_t bytes) { return bytes <= 1'000'000; });
    for (int i = 0; i < 10'000; ++i) list.add(fmt::format("?{}", i), Via::link);

    EXPECT_TRUE(list.is_cut());
    EXPECT_LT(list.size(), 80u);
    EXPECT_GT(list.size(), 40u);
}

TEST(DiskWatch, TellsOnceLessThanTheReserveIsFree) {
    aio::SimulatedLoop loop;
    loop.files().set_space(10_GiB);
    int told_count = 0;
    loop.run([](aio::MemoryFiles& files, int& told) -> Co<> {
        co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
            group.create_task(watch_disk("/", 1_GiB, [&] { ++told; }));
            co_await aio::sleep(1min);
            EXPECT_EQ(told, 0);
            files.set_space(1_GiB - 1);
            co_await aio::sleep(5s);
            EXPECT_EQ(told, 1);
        });
    }(loop.files(), told_count));
    EXPECT_EQ(told_count, 1);
}

TEST(DiskWatch, ADiskWithoutABoundIsNeverLow) {
    aio::MemoryFiles files;
    EXPECT_EQ(aio::free_space(files, "/"), UINT64_MAX);
    aio::SystemFiles system;
    EXPECT_GT(aio::free_space(system, "/"), 0u);
    EXPECT_THROW(aio::free_space(system, "/no/such/place"), aio::IoError);
}

// A page of 60,000 different links lost 50,000 of them without a word.
TEST(Crawler, ALargePageIsCrawledWhole) {
    const CrawlResult result =
        crawl_site([](TestSite& site) { site.page("/", links_page(60'000)); },
                   [](Config& config) { config.crawl_budget.page_count_max = 1; });

    EXPECT_EQ(result.at("/").link_count, 60'000u);
    EXPECT_EQ(result.at("/").new_link_count, 60'000u);
    EXPECT_FALSE(result.at("/").is_truncated);
    EXPECT_EQ(result.at("/").reason, "");
}

TEST(Crawler, APageThatIsCutSaysSo) {
    const CrawlResult result =
        crawl_site([](TestSite& site) { site.page("/", links_page(60'000)); },
                   [](Config& config) {
                       config.crawl_budget.page_count_max = 1;
                       config.body_bytes_held_max = 4'000'000;
                   });

    EXPECT_TRUE(result.at("/").is_truncated);
    EXPECT_LT(result.at("/").link_count, 30'000u);
    EXPECT_GT(result.at("/").link_count, 1'000u);
    EXPECT_NE(result.at("/").reason.find("only a part of its links was read"), std::string::npos);
}

}  // namespace weft::crawl

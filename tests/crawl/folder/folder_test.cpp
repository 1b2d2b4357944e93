#include "crawl/folder/folder.h"

#include <charconv>

#include <gtest/gtest.h>

#include "crawl/made_folder.h"
#include "frontier/store/store_error.h"

namespace weft::crawl {
namespace {

using aio::Co;
using namespace made;

// A folder that a crawl has left: finished, or killed when so many pages were done.
struct Left {
    explicit Left(bool is_finished, std::size_t stop_after = kAllPages) {
        loop.run(crawl_made_site(loop, site, made_config(), made_options(), true, is_finished,
                                 stop_after));
        loop.files().crash(aio::CrashLoss::none);
    }

    std::string complaint(FolderOptions options = made_options()) {
        try {
            loop.run([](FolderOptions owned) -> Co<> {
                const auto folder = co_await CrawlFolder::open(made_config(), std::move(owned));
            }(std::move(options)));
        } catch (const frontier::StoreError& error) {
            return error.what();
        }
        return "";
    }

    void go_on() {
        loop.run(
            crawl_made_site(loop, site, made_config(), made_options(), false, true, kAllPages));
    }

    // All but the frontier, whose log may be written anew.
    Contents kept() {
        Contents contents = read_tree(loop.files(), "crawl");
        std::erase_if(contents, [](const auto& file) { return file.first.contains("frontier"); });
        return contents;
    }

    std::vector<std::string> warc_files() {
        std::vector<std::string> paths;
        for (const std::string& name : loop.files().list("crawl/archive")) {
            paths.push_back("crawl/archive/" + name);
        }
        return paths;
    }

    void cut(const std::string& path, std::uint64_t bytes) {
        const auto file = loop.files().open(path, aio::OpenMode::append);
        file->truncate(file->size() - bytes);
    }

    MadeSite site;
    aio::SimulatedLoop loop;
};

// resume threw away six good WARC files and all page lines when the seventh was missing or short.
TEST(CrawlFolder, AWarcFileThatIsMissingOrCutIsNamedAndNothingIsChanged) {
    for (const bool is_finished : {true, false}) {
        for (const bool is_missing : {true, false}) {
            const std::size_t count = Left(is_finished).warc_files().size();
            ASSERT_GE(count, 5u);
            for (const std::size_t which : {std::size_t{0}, count / 2, count - 1}) {
                Left left(is_finished);
                const std::string path = left.warc_files()[which];
                if (is_missing) {
                    left.loop.files().remove(path);
                } else {
                    left.cut(path, 1);
                }
                const Contents before = left.kept();

                const std::string complaint = left.complaint();

                EXPECT_TRUE(complaint.contains(path)) << complaint;
                EXPECT_TRUE(complaint.contains("weft repair crawl")) << complaint;
                EXPECT_TRUE(complaint.contains("--without-missing")) << complaint;
                EXPECT_EQ(differences(left.kept(), before), "") << path;
            }
        }
    }
}

TEST(CrawlFolder, GoesOnWithoutMissingFilesWhenTold) {
    Left left(false, 12);
    const auto answers = answers_of(left.loop.files());
    left.loop.files().remove(left.warc_files()[1]);
    FolderOptions options = made_options();
    options.without_missing = true;

    left.loop.run(
        crawl_made_site(left.loop, left.site, made_config(), options, false, true, kAllPages));

    EXPECT_EQ(pages_of(left.loop.files()).size(), 24u);
    EXPECT_LT(answers_of(left.loop.files()).size(), 25u);
}

TEST(CrawlFolder, AFileThatIsPutBackIsAsGoodAsNew) {
    Left left(false, 12);
    const std::string path = left.warc_files()[1];
    const std::string bytes = left.loop.files().read_all(path, 1_MiB);
    left.loop.files().remove(path);
    ASSERT_NE(left.complaint(), "");
    left.loop.files().write_all(path, bytes);

    left.go_on();

    EXPECT_EQ(pages_of(left.loop.files()).size(), 24u);
    for (const auto& [url, count] : answers_of(left.loop.files())) {
        if (!url.ends_with("robots.txt")) EXPECT_EQ(count, 1) << url;
    }
}

// A log cut to half had the archive cut to match.
TEST(CrawlFolder, AFrontierThatLostItsEndIsAnErrorAndNothingIsChanged) {
    for (const bool is_finished : {true, false}) {
        Left left(is_finished);
        for (const std::string& name : left.loop.files().list("crawl/state/frontier")) {
            if (!name.starts_with("log-")) continue;
            const std::string path = "crawl/state/frontier/" + name;
            left.cut(path, left.loop.files().open(path, aio::OpenMode::read)->size() / 2);
        }
        const Contents before = left.kept();

        const std::string complaint = left.complaint();

        EXPECT_TRUE(complaint.contains("has lost its end")) << complaint;
        EXPECT_TRUE(complaint.contains("weft repair")) << complaint;
        EXPECT_EQ(differences(left.kept(), before), "");
    }
}

// A new frontier was begun, and with nothing committed all of the archive was removed.
TEST(CrawlFolder, AFrontierThatIsMissingIsAnErrorAndNothingIsChanged) {
    Left left(true);
    for (const std::string& name : left.loop.files().list("crawl/state/frontier")) {
        left.loop.files().remove("crawl/state/frontier/" + name);
    }
    const Contents before = left.kept();

    const std::string complaint = left.complaint();

    EXPECT_TRUE(complaint.contains("state/frontier/manifest is missing")) << complaint;
    EXPECT_EQ(differences(left.kept(), before), "");
}

TEST(CrawlFolder, APageLogThatLostLinesOfACheckpointIsAnErrorAndNothingIsChanged) {
    Left left(false, 12);
    left.loop.run([]() -> Co<> {
        const auto folder = co_await CrawlFolder::open(made_config(), made_options());
        co_await folder->frontier().checkpoint();
        co_await folder->finish();
    }());
    left.cut("crawl/pages/pages.jsonl", 1);
    const Contents before = left.kept();

    const std::string complaint = left.complaint();

    EXPECT_TRUE(complaint.contains("pages.jsonl has lost its end")) << complaint;
    EXPECT_EQ(differences(left.kept(), before), "");
}

TEST(CrawlFolder, WhatWasNeverCommittedIsPutAsideIfItIsMuch) {
    Left left(false, 12);
    const std::string path = left.warc_files().back();
    const std::string tail(100'000, 'x');
    left.loop.files().open(path, aio::OpenMode::append)->append(tail);
    const std::string stray = "crawl/archive/weft-20300101000000-00099.warc.gz";
    left.loop.files().open(stray, aio::OpenMode::create)->append(tail);

    left.go_on();

    std::string found;
    for (const auto& [name, bytes] : read_tree(left.loop.files(), "crawl/repair")) {
        EXPECT_EQ(bytes, tail) << name;
        found += std::filesystem::path(name).filename().string() + " ";
    }
    EXPECT_TRUE(found.contains(".not-committed-at-")) << found;
    EXPECT_TRUE(found.contains("00099.warc.gz.not-committed ")) << found;
    for (const auto& [url, count] : answers_of(left.loop.files())) {
        if (!url.ends_with("robots.txt")) EXPECT_EQ(count, 1) << url;
    }
}

// After a kill in resume the report said 0 URLs until the next resume.
TEST(CrawlFolder, AKillWhileItOpensLeavesThePageLogWithAllItsLines) {
    Left whole(false, 12);
    const std::size_t line_count = pages_of(whole.loop.files()).size();
    const Contents folder = read_tree(whole.loop.files(), "crawl");
    for (std::uint64_t n = 1;; ++n) {
        aio::SimulatedLoop loop;
        write_tree(loop.files(), folder);
        loop.files().power_off_after(n);
        bool is_done = true;
        try {
            loop.run([]() -> Co<> {
                const auto opened = co_await CrawlFolder::open(made_config(), made_options());
            }());
        } catch (const Error&) {
            is_done = false;
        }
        loop.files().crash(aio::CrashLoss::none);
        EXPECT_GE(pages_of(loop.files()).size(), line_count) << n;
        if (is_done) break;
    }
}

TEST(CrawlFolder, ALossOfPowerAtAnyMomentLosesNoPage) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        MadeSite site;
        aio::SimulatedLoop loop;
        loop.files().power_off_after(20 + seed * 7);
        try {
            loop.run(
                crawl_made_site(loop, site, made_config(), made_options(), true, true, kAllPages));
        } catch (const Error&) {
        }
        loop.files().crash(aio::CrashLoss::some, seed);
        if (!loop.files().exists("crawl/state/crawl.toml")) continue;

        loop.run(
            crawl_made_site(loop, site, made_config(), made_options(), false, true, kAllPages));

        EXPECT_EQ(pages_of(loop.files()).size(), 24u) << seed;
        for (const auto& [url, count] : answers_of(loop.files())) {
            if (!url.ends_with("robots.txt")) EXPECT_EQ(count, 1) << url << " " << seed;
        }
    }
}

}  // namespace
}  // namespace weft::crawl

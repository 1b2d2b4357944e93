#include "crawl/repair/repair.h"

#include <gtest/gtest.h>

#include "crawl/made_folder.h"
#include "crawl/repair/repair_plan.h"

namespace weft::crawl {
namespace {

using aio::Co;
using namespace made;

// A finished crawl of `site`, as bytes.
Contents finished_crawl(MadeSite site = {}, FolderOptions options = made_options()) {
    aio::SimulatedLoop loop;
    loop.run(crawl_made_site(loop, site, made_config(), std::move(options), true, true, kAllPages));
    return read_tree(loop.files(), "crawl");
}

std::vector<std::string> warc_paths(const Contents& folder) {
    std::vector<std::string> paths;
    for (const auto& [path, bytes] : folder) {
        if (path.starts_with("crawl/archive/")) paths.push_back(path);
    }
    return paths;
}

struct Repaired {
    explicit Repaired(const Contents& folder) { write_tree(loop.files(), folder); }

    RepairReport repair() {
        return loop.run([]() -> Co<RepairReport> {
            co_return co_await crawl::repair(made_config(), made_options());
        }());
    }

    void go_on() {
        loop.run(
            crawl_made_site(loop, site, made_config(), made_options(), false, true, kAllPages));
    }

    // Of the frontier only that it can go on: its numbers are random.
    Contents settled() {
        Contents contents = read_tree(loop.files(), "crawl");
        std::erase_if(contents, [](const auto& file) {
            return file.first.contains("frontier") || file.first.contains("/repair/") ||
                   file.first.contains("state/identity");
        });
        return contents;
    }

    MadeSite site;
    aio::SimulatedLoop loop;
};

std::string joined(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

// One WARC file has damage in its middle, another is missing, the page log lost a line.
Contents damaged_crawl(int page_count = 24) {
    MadeSite site;
    site.page_count = page_count;
    Contents folder = finished_crawl(site);
    const std::vector<std::string> paths = warc_paths(folder);
    std::string& middle = folder[paths[1]];
    middle[middle.size() / 2] = static_cast<char>(middle[middle.size() / 2] ^ 0x55);
    folder.erase(paths[3]);
    std::string& pages = folder["crawl/pages/pages.jsonl"];
    const std::size_t begin = pages.find('\n', pages.size() / 2) + 1;
    pages.replace(begin, 5, "#####");
    return folder;
}

TEST(Repair, AWholeCrawlIsLeftAsItIs) {
    const Contents folder = finished_crawl();
    Repaired repaired(folder);

    const RepairReport report = repaired.repair();

    EXPECT_FALSE(report.was_damaged) << joined(report.actions);
    EXPECT_EQ(joined(report.actions), "");
    Contents expected = folder;
    std::erase_if(expected, [](const auto& file) {
        return file.first.contains("frontier") || file.first.contains("state/identity");
    });
    EXPECT_EQ(differences(repaired.settled(), expected), "");
}

// repair said "nothing to repair" and dropped a page when its WARC file was missing.
TEST(Repair, PagesOfAMissingWarcFileAreNamedAndFetchedAgain) {
    for (const std::size_t which : {0u, 2u, 5u}) {
        Contents folder = finished_crawl();
        const std::string path = warc_paths(folder)[which];
        folder.erase(path);
        Repaired repaired(folder);

        const RepairReport report = repaired.repair();

        EXPECT_TRUE(report.was_damaged);
        EXPECT_TRUE(
            joined(report.actions).contains(std::filesystem::path(path).filename().string()))
            << joined(report.actions);
        EXPECT_GT(report.lost_count, 0u);
        EXPECT_GT(report.waiting_count, 0u);
        EXPECT_EQ(repaired.loop.files().read_all(report.aside / "pages.jsonl.before-repair", 1_MiB),
                  folder["crawl/pages/pages.jsonl"]);
        EXPECT_FALSE(repaired.repair().was_damaged);
        repaired.go_on();
        EXPECT_EQ(pages_of(repaired.loop.files()).size(), 24u);
        for (const auto& [url, count] : answers_of(repaired.loop.files())) {
            if (!url.ends_with("robots.txt")) EXPECT_EQ(count, 1) << url;
        }
    }
}

TEST(Repair, KeepsWhatItReplacesWhole) {
    const Contents folder = damaged_crawl();
    Repaired repaired(folder);

    const RepairReport report = repaired.repair();

    const std::string path = warc_paths(folder)[1];
    const std::string name = std::filesystem::path(path).filename().string();
    EXPECT_EQ(repaired.loop.files().read_all(report.aside / (name + ".damaged"), 1_MiB),
              folder.at(path));
    EXPECT_TRUE(repaired.loop.files().exists(report.aside / "frontier.before-repair" / "manifest"));
}

// kill -9 inside repair lost the page log or doubled records.
TEST(Repair, KilledAtAnyChangeAndRunAgainItComesToTheSameEnd) {
    const Contents folder = damaged_crawl(10);
    Repaired undisturbed(folder);
    undisturbed.repair();
    const Contents expected = undisturbed.settled();
    const std::uint64_t change_count = [&] {
        Repaired counted(folder);
        const std::uint64_t before = counted.loop.files().change_count();
        counted.repair();
        return counted.loop.files().change_count() - before;
    }();
    ASSERT_GT(change_count, 50u);
    for (std::uint64_t n = 1; n <= change_count; ++n) {
        for (const aio::CrashLoss loss :
             {aio::CrashLoss::none, n % 2 == 0 ? aio::CrashLoss::some : aio::CrashLoss::all}) {
            Repaired killed(folder);
            killed.loop.files().power_off_after(n);
            try {
                killed.repair();
            } catch (const Error&) {
            }
            killed.loop.files().crash(loss, n);

            killed.repair();

            EXPECT_EQ(differences(killed.settled(), expected), "") << "change " << n;
            EXPECT_FALSE(killed.loop.files().exists("crawl/repair/work")) << n;
            EXPECT_FALSE(killed.loop.files().exists("crawl/repair/plan")) << n;
            if (n % 7 == 0 && loss == aio::CrashLoss::none) {
                killed.site.page_count = 10;
                killed.go_on();
                EXPECT_EQ(pages_of(killed.loop.files()).size(), 10u) << n;
            }
        }
    }
}

// A crawl that is resumed after a repair was cut off finishes the repair first.
TEST(Repair, ResumeFinishesWhatAKilledRepairHasBegun) {
    const Contents folder = damaged_crawl(10);
    for (std::uint64_t n = 1; n < 1'000; ++n) {
        Repaired killed(folder);
        killed.site.page_count = 10;
        killed.loop.files().power_off_after(n);
        try {
            killed.repair();
            break;
        } catch (const Error&) {
        }
        killed.loop.files().crash(aio::CrashLoss::none);
        if (!killed.loop.files().exists("crawl/repair/plan")) continue;

        killed.go_on();

        EXPECT_EQ(pages_of(killed.loop.files()).size(), 10u) << n;
    }
}

// The second one failed on the first one's files.
// A process that waited for the frontier's lock made an empty one, when the old was moved away and
// the new not there yet: from then on neither repair nor resume could go on.
TEST(RepairPlan, WhatStandsInTheWayIsPutAside) {
    aio::MemoryFiles files;
    for (const char* path : {"c/repair/work/state/frontier", "c/repair/old", "c/state/frontier"}) {
        files.create_directories(path);
    }
    files.write_all("c/repair/work/state/frontier/manifest", "new");
    files.create_directories("c/repair/old/frontier.before-repair");
    files.write_all("c/repair/old/frontier.before-repair/manifest", "old");
    files.write_all("c/state/frontier/lock", "stray");
    write_plan(files, "c",
               {.aside = "repair/old", .entries = {{"state/frontier", "frontier.before-repair"}}});

    finish_repair(files, "c");

    EXPECT_EQ(files.read_all("c/state/frontier/manifest", 100), "new");
    EXPECT_EQ(files.read_all("c/repair/old/frontier.before-repair/manifest", 100), "old");
    EXPECT_EQ(files.read_all("c/repair/old/frontier.before-repair.in-the-way/lock", 100), "stray");
    EXPECT_FALSE(is_repair_under_way(files, "c"));
}

TEST(RepairPlan, IsCarriedOutByOneProcessAtATime) {
    aio::MemoryFiles files;
    files.create_directories("c/repair/work/state");
    files.write_all("c/repair/work/state/a", "new");
    write_plan(files, "c", {.aside = "repair/old", .entries = {{"state/a", "a.before-repair"}}});
    std::unique_ptr<aio::FileLock> other = files.try_lock("c/repair/lock");

    EXPECT_THROW(finish_repair(files, "c"), frontier::LockedError);
    EXPECT_TRUE(files.exists("c/repair/work/state/a"));
    other.reset();
    finish_repair(files, "c");

    EXPECT_EQ(files.read_all("c/state/a", 100), "new");
    EXPECT_FALSE(files.exists("c/repair/lock"));
}

TEST(Repair, TwoInOneSecondDoNotMeet) {
    Repaired repaired(damaged_crawl());
    const RepairReport first = repaired.repair();
    repaired.loop.files().remove(warc_paths(repaired.settled())[0]);

    const RepairReport second = repaired.repair();

    EXPECT_NE(first.aside, second.aside);
    EXPECT_TRUE(repaired.loop.files().exists(second.aside / "pages.jsonl.before-repair"));
}

// A page of another writer's records in the body of a page became a page of the crawl.
TEST(Repair, ARecordInThePageOfADamagedRecordBecomesNoPage) {
    for (const archive::Packing packing : {archive::Packing::none, archive::Packing::gzip}) {
        FolderOptions options = made_options();
        options.warc.compression = {packing};
        options.warc.bytes_max = 1_GiB;
        MadeSite evil;
        {
            // A whole WARC file of another crawl, as a page.
            aio::SimulatedLoop loop(77);
            MadeSite other;
            other.page_count = 2;
            FolderOptions plain = options;
            loop.run(crawl_made_site(loop, other, made_config(), plain, true, true, kAllPages));
            const Contents files = read_tree(loop.files(), "crawl");
            evil.more["/evil"] = "\r\n\r\n" + files.at(warc_paths(files)[0]);
        }
        Contents folder = finished_crawl(evil, options);
        std::string& warc = folder[warc_paths(folder)[0]];
        const std::string& pages = folder["crawl/pages/pages.jsonl"];
        const std::size_t line = pages.find("{\"url\":\"http://a.test/evil\"");
        std::size_t offset = 0;
        const std::size_t at = pages.find("\"offset\":", line) + 9;
        std::from_chars(pages.data() + at, pages.data() + at + 20, offset);
        // The head of its record is gone, and with it how long it is.
        for (std::size_t i = 0; i < 60; ++i) warc[offset + i] = '#';
        folder.erase("crawl/pages/pages.jsonl");
        Repaired repaired(folder);

        repaired.repair();

        const auto found = pages_of(repaired.loop.files());
        EXPECT_EQ(found.size(), 24u);
        EXPECT_FALSE(found.contains("http://a.test/evil"));
        for (const auto& [url, count] : answers_of(repaired.loop.files())) {
            EXPECT_EQ(count, 1) << url;
        }
    }
}

// A page whose first answer was asked for again keeps its newer line.
TEST(Repair, APageIsNotRestoredFromAnOlderAnswer) {
    Contents folder = finished_crawl();
    // The line of /5 now says that another record holds it: that of /6.
    Repaired repaired(folder);
    repaired.loop.files().remove("crawl/state/frontier/manifest");

    repaired.repair();

    EXPECT_EQ(pages_of(repaired.loop.files()), [&] {
        aio::SimulatedLoop loop;
        write_tree(loop.files(), folder);
        return pages_of(loop.files());
    }());
}

}  // namespace
}  // namespace weft::crawl

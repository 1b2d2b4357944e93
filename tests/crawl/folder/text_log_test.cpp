#include "crawl/folder/text_log.h"

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "crawl/made_folder.h"
#include "crawl/repair/repair.h"
#include "frontier/store/store_error.h"

namespace weft::crawl {
namespace {

using aio::Co;
using namespace made;
using Json = nlohmann::json;

const std::string kTextPath = std::string("crawl/") + TextLog::kName;

Config text_config(bool has_archive = true) {
    Config config = made_config();
    config.text = extract::TextForm::plain;
    config.archive = has_archive;
    return config;
}

// How often each page has a line; a line that is no JSON, or has no text, is an error in the text.
std::map<std::string, int> texts_of(aio::FileSystem& files) {
    std::map<std::string, int> texts;
    std::string_view lines;
    const std::string all = files.exists(kTextPath) ? files.read_all(kTextPath, 64_MiB) : "";
    for (lines = all; !lines.empty();) {
        const std::size_t size = std::min(lines.find('\n'), lines.size() - 1) + 1;
        const Json line = Json::parse(lines.substr(0, size), nullptr, false);
        lines.remove_prefix(size);
        const bool is_whole = line.is_object() && line.contains("text");
        ++texts[is_whole ? line.value("url", "") : "torn"];
    }
    return texts;
}

// Empty if each of the site's pages has one line.
std::string complaint_about_texts(aio::FileSystem& files, std::size_t page_count = 24) {
    std::string wrong;
    const auto texts = texts_of(files);
    for (const auto& [url, count] : texts) {
        if (count != 1 || url == "torn") wrong += fmt::format("{} {} times\n", url, count);
    }
    if (texts.size() != page_count) wrong += fmt::format("{} lines\n", texts.size());
    return wrong;
}

TEST(TextLog, HasALineForEachHtmlPage) {
    for (const bool has_archive : {true, false}) {
        MadeSite site;
        aio::SimulatedLoop loop;
        loop.run(crawl_made_site(loop, site, text_config(has_archive), made_options(), true, true,
                                 kAllPages));

        EXPECT_EQ(complaint_about_texts(loop.files()), "");
        EXPECT_EQ(pages_of(loop.files()).size(), 24u);
        EXPECT_EQ(loop.files().exists("crawl/archive"), has_archive);
    }
}

TEST(TextLog, ThereIsNoneWithoutTheWish) {
    MadeSite site;
    aio::SimulatedLoop loop;
    loop.run(crawl_made_site(loop, site, made_config(), made_options(), true, true, kAllPages));
    EXPECT_FALSE(loop.files().exists(kTextPath));
}

TEST(TextLog, AKillAtAnyChangeLosesNoLineAndDoublesNone) {
    for (const bool has_archive : {true, false}) {
        for (std::uint64_t n = 20; n < 400; n += has_archive ? 3 : 2) {
            MadeSite site{.page_count = 12};
            aio::SimulatedLoop loop;
            loop.files().power_off_after(n);
            bool is_done = true;
            try {
                loop.run(crawl_made_site(loop, site, text_config(has_archive), made_options(), true,
                                         true, kAllPages));
            } catch (const Error&) {
                is_done = false;
            }
            loop.files().crash(aio::CrashLoss::none);
            if (!loop.files().exists("crawl/state/crawl.toml")) continue;
            loop.run(crawl_made_site(loop, site, text_config(has_archive), made_options(), false,
                                     true, kAllPages));
            EXPECT_EQ(complaint_about_texts(loop.files(), 12), "") << n;
            if (is_done) break;
        }
    }
}

TEST(TextLog, ALossOfPowerAtAnyMomentLosesNoLineAndDoublesNone) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        MadeSite site;
        aio::SimulatedLoop loop;
        loop.files().power_off_after(20 + seed * 7);
        try {
            loop.run(crawl_made_site(loop, site, text_config(seed % 2 == 0), made_options(), true,
                                     true, kAllPages));
        } catch (const Error&) {
        }
        loop.files().crash(aio::CrashLoss::some, seed);
        if (!loop.files().exists("crawl/state/crawl.toml")) continue;
        loop.run(crawl_made_site(loop, site, text_config(seed % 2 == 0), made_options(), false,
                                 true, kAllPages));
        EXPECT_EQ(complaint_about_texts(loop.files()), "") << seed;
    }
}

TEST(TextLog, AFileThatIsMissingOrCutIsNamedAndNothingIsChanged) {
    for (const bool is_missing : {true, false}) {
        MadeSite site;
        aio::SimulatedLoop loop;
        loop.run(crawl_made_site(loop, site, text_config(), made_options(), true, true, 12));
        if (is_missing) {
            loop.files().remove(kTextPath);
        } else {
            const auto file = loop.files().open(kTextPath, aio::OpenMode::append);
            file->truncate(file->size() - 1);
        }
        std::string complaint;
        try {
            loop.run([]() -> Co<> {
                const auto folder = co_await CrawlFolder::open(text_config(), made_options());
            }());
        } catch (const frontier::StoreError& error) {
            complaint = error.what();
        }
        EXPECT_TRUE(complaint.contains(kTextPath)) << complaint;
        EXPECT_TRUE(complaint.contains("weft repair crawl")) << complaint;

        FolderOptions options = made_options();
        options.without_missing = true;
        loop.run(crawl_made_site(loop, site, text_config(), options, false, true, kAllPages));
        EXPECT_EQ(pages_of(loop.files()).size(), 24u);
        EXPECT_GE(texts_of(loop.files()).size(), 12u);
        // The next run knows the new size.
        loop.run(
            crawl_made_site(loop, site, text_config(), made_options(), false, true, kAllPages));
    }
}

TEST(TextLog, AResumedCrawlMayBeginToKeepTexts) {
    MadeSite site;
    aio::SimulatedLoop loop;
    loop.run(crawl_made_site(loop, site, made_config(), made_options(), true, true, 12));
    const std::size_t before = pages_of(loop.files()).size();
    loop.run(crawl_made_site(loop, site, text_config(), made_options(), false, true, kAllPages));
    EXPECT_EQ(complaint_about_texts(loop.files(), 24 - before), "");
}

TEST(TextLog, AFileThatTheCrawlDoesNotKnowIsPutAside) {
    MadeSite site;
    aio::SimulatedLoop loop;
    loop.run(crawl_made_site(loop, site, made_config(), made_options(), true, true, 12));
    loop.files().write_all(kTextPath, "made by somebody else\n");

    // Without the wish it stays where it is.
    loop.run([]() -> Co<> { co_await CrawlFolder::open(made_config(), made_options()); }());
    EXPECT_EQ(loop.files().read_all(kTextPath, 1_MiB), "made by somebody else\n");
    loop.run(crawl_made_site(loop, site, text_config(), made_options(), false, true, kAllPages));

    EXPECT_FALSE(texts_of(loop.files()).contains("torn"));
    bool is_kept = false;
    for (const auto& [path, bytes] : read_tree(loop.files(), "crawl/repair"))
        is_kept = is_kept || bytes == "made by somebody else\n";
    EXPECT_TRUE(is_kept);
}

TEST(TextLog, ARepairKeepsGoodLinesAndMakesOthersFromTheArchive) {
    MadeSite site;
    aio::SimulatedLoop loop;
    loop.run(crawl_made_site(loop, site, text_config(), made_options(), true, true, kAllPages));
    std::string all = loop.files().read_all(kTextPath, 64_MiB);
    const std::size_t second = all.find('\n') + 1;
    const std::string first_line = all.substr(0, second);
    all[second + 1] = '#';        // The second line is no JSON.
    all.resize(all.size() - 10);  // The last has lost its end.
    loop.files().write_all(kTextPath, all);

    const RepairReport report = loop.run([]() -> Co<RepairReport> {
        const Config config = text_config();
        co_return co_await repair(config, made_options());
    }());

    EXPECT_TRUE(report.was_damaged);
    EXPECT_EQ(complaint_about_texts(loop.files()), "");
    EXPECT_TRUE(loop.files().read_all(kTextPath, 64_MiB).contains(first_line));
    loop.run(crawl_made_site(loop, site, text_config(), made_options(), false, true, kAllPages));
    EXPECT_EQ(complaint_about_texts(loop.files()), "");
}

}  // namespace
}  // namespace weft::crawl

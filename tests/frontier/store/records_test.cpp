#include "frontier/store/records.h"

#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "frontier/store/manifest.h"

namespace weft::frontier {
namespace {

class SideFiles final : public CrawlFiles {
public:
    std::string asked;
    bool is_held = true;

    void add_outcome(std::string_view) override {}
    aio::Co<> sync() override { co_return; }
    std::string save() override { return {}; }
    bool holds(std::string_view file, std::uint64_t size) override {
        asked += fmt::format("{} {} ", file, size);
        return true;
    }
    bool holds_side(std::string_view file, std::uint64_t size) override {
        asked += fmt::format("{} {} ", file, size);
        return is_held;
    }
};

}  // namespace

TEST(Records, APageIsHeldOnlyWithItsSideFiles) {
    std::string payload;
    put_complete(payload, "a.test", {},
                 {.archived = ArchivePlace{"w", 100, 50}, .sides = {{"text", 7}, {"rows", 8}}});
    payload.push_back(0);
    SideFiles files;

    EXPECT_EQ(ask_if_held(payload, files), Held::yes);
    EXPECT_EQ(files.asked, "w 150 text 7 rows 8 ");
    files.is_held = false;
    EXPECT_EQ(ask_if_held(payload, files), Held::no);
}

TEST(Records, ACompletionWithSidesIsRead) {
    std::string payload;
    put_complete(payload, "a.test", {},
                 {.outcome = "one",
                  .archived = ArchivePlace{"w", 100, 50},
                  .sides = {{"text", 1'000}, {"rows", 0}}});
    payload.push_back(0);  // No URLs.
    put_clock(payload, WallTime(5s));
    std::string read;
    FrameLook look;
    look.on_complete = [&](const CompleteRecord& record) {
        read += fmt::format("{} {}", record.host, record.outcome);
        for (const auto& [file, size] : record.sides) read += fmt::format(" {}={}", file, size);
        return std::string();
    };
    look.on_clock = [&](WallTime time) {
        read += fmt::format(" {}", time.time_since_epoch() / 1s);
    };

    look_through(payload, look);

    EXPECT_EQ(read, "a.test one text=1000 rows=0 5");
}

TEST(Manifest, KeepsTheSizesOfSideFiles) {
    aio::MemoryFiles files;
    write_manifest(files, "manifest", {.seen_count = 3, .sides = {{"text", 9}}, .saved = "x"});

    const Manifest manifest = read_manifest(files, "manifest");

    EXPECT_EQ(manifest.seen_count, 3u);
    EXPECT_EQ(manifest.sides.at("text"), 9u);
    EXPECT_EQ(manifest.saved, "x");
}

}  // namespace weft::frontier

#include "frontier/store/commit_log.h"

#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "base/units.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {
namespace {

constexpr LogIdentity kIdentity{.store_id = 77, .number = 3};

struct Written {
    aio::MemoryFiles files;
    std::vector<std::uint64_t> ends;  // Of the file's head and of each frame.
};

// Frames "frame 0", "frame 1", ...; after the frame `synced_after` the log is synced.
void write(Written& written, std::size_t count, std::size_t synced_after = 1'000) {
    const auto log = CommitLog::create(written.files, "log", kIdentity);
    written.ends.push_back(log->size());
    for (std::size_t i = 0; i < count; ++i) {
        log->append_copy(fmt::format("frame {}", i));
        written.ends.push_back(log->size());
        if (i == synced_after) log->sync();
    }
}

std::vector<std::string> read(aio::FileSystem& files, LogIdentity identity = kIdentity,
                              CommitLog::Past past = CommitLog::Past::lost) {
    std::vector<std::string> frames;
    CommitLog::open(files, "log", identity, past, [&](std::string_view payload) {
        frames.emplace_back(payload);
        return true;
    });
    return frames;
}

void flip(aio::FileSystem& files, std::uint64_t place) {
    std::string bytes = files.read_all("log", 1_MiB);
    bytes[place] = static_cast<char>(bytes[place] ^ 0x10);
    files.remove("log");
    files.open("log", aio::OpenMode::create)->append(bytes);
}

}  // namespace

TEST(CommitLog, GivesBackTheFramesInOrder) {
    Written written;
    write(written, 3);

    EXPECT_EQ(read(written.files), (std::vector<std::string>{"frame 0", "frame 1", "frame 2"}));
}

TEST(CommitLog, H91ATailTornAtAnyByteIsCutBehindTheLastWholeFrame) {
    Written whole;
    write(whole, 3);
    for (std::uint64_t size = whole.ends[0]; size <= whole.ends[3]; ++size) {
        Written torn;
        write(torn, 3);
        torn.files.open("log", aio::OpenMode::append)->truncate(size);
        const auto last = std::ranges::upper_bound(whole.ends, size) - 1;

        EXPECT_EQ(read(torn.files).size(), static_cast<std::size_t>(last - whole.ends.begin()));

        EXPECT_EQ(torn.files.open("log", aio::OpenMode::read)->size(), *last);
    }
}

TEST(CommitLog, GoesOnBehindWhatWasCut) {
    Written written;
    write(written, 3);
    written.files.open("log", aio::OpenMode::append)->truncate(written.ends[3] - 1);
    {
        const auto log = CommitLog::open(written.files, "log", kIdentity, CommitLog::Past::killed,
                                         [](std::string_view) { return true; });
        log->append_copy("new");
    }

    EXPECT_EQ(read(written.files), (std::vector<std::string>{"frame 0", "frame 1", "new"}));
}

TEST(CommitLog, H90DamageWhereTheLogWasSyncedIsAnErrorAndNoTornTail) {
    for (std::uint64_t place = 32; place < 60; ++place) {
        Written written;
        write(written, 4, 1);
        flip(written.files, place);

        EXPECT_THROW(read(written.files), StoreError) << place;
    }
}

TEST(CommitLog, DamageBehindTheLastSyncIsATornTail) {
    Written written;
    write(written, 4, 1);
    flip(written.files, written.ends[2] + 9);

    EXPECT_EQ(read(written.files).size(), 2u);
}

// A kill tears the last frame alone; what was written behind another is no torn tail.
TEST(CommitLog, DamageBehindTheLastSyncIsAnErrorIfNoPowerWasLost) {
    Written written;
    write(written, 4, 1);
    flip(written.files, written.ends[2] + 9);
    const std::string before = written.files.read_all("log", 1_MiB);

    EXPECT_THROW(read(written.files, kIdentity, CommitLog::Past::killed), StoreError);

    EXPECT_EQ(written.files.read_all("log", 1_MiB), before);
}

TEST(CommitLog, H90ALogOfAnotherStoreIsRefused) {
    Written written;
    write(written, 1);

    EXPECT_THROW(read(written.files, {.store_id = 78, .number = 3}), StoreError);
    EXPECT_THROW(read(written.files, {.store_id = 77, .number = 4}), StoreError);
}

TEST(CommitLog, EndsWhereTheReaderSaysSo) {
    Written written;
    write(written, 3);
    CommitLog::open(written.files, "log", kIdentity, CommitLog::Past::lost,
                    [](std::string_view payload) { return payload != "frame 1"; });

    EXPECT_EQ(read(written.files), std::vector<std::string>{"frame 0"});
}

}  // namespace weft::frontier

#include "aio/files/memory_files.h"

#include <gtest/gtest.h>

#include "aio/task/errors.h"

namespace weft::aio {
namespace {

constexpr std::size_t kPlenty = 1'000'000;

void write_piece(MemoryFiles& files, const char* path, std::string_view bytes, bool synced) {
    const std::unique_ptr<File> file = files.open(path, OpenMode::append);
    file->append(bytes);
    if (synced) file->sync();
}

std::error_code code_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const IoError& error) {
        return error.code();
    }
    return {};
}

}  // namespace

TEST(MemoryFiles, WhatIsWrittenIsSeenAtOnce) {
    MemoryFiles files;
    files.create_directories("crawl/archive");
    write_piece(files, "crawl/archive/b", "two", false);
    write_piece(files, "crawl/archive/a", "one", false);
    write_piece(files, "crawl/archive/a", " more", false);

    EXPECT_EQ(files.read_all("crawl/archive/a", kPlenty), "one more");
    EXPECT_EQ(files.list("crawl/archive"), (std::vector<std::string>{"a", "b"}));
    EXPECT_EQ(files.list("crawl"), (std::vector<std::string>{"archive"}));
    EXPECT_TRUE(files.exists("./crawl//archive/b"));
    files.rename("crawl/archive/a", "crawl/archive/b");
    EXPECT_EQ(files.read_all("crawl/archive/b", kPlenty), "one more");
    files.remove("crawl/archive/b");
    files.remove("crawl/archive/b");
    EXPECT_TRUE(files.list("crawl/archive").empty());
}

TEST(MemoryFiles, ErrorsAreThoseOfTheSystem) {
    MemoryFiles files;
    write_piece(files, "a", "x", false);

    EXPECT_EQ(code_of([&] { files.open("b", OpenMode::read); }),
              std::errc::no_such_file_or_directory);
    EXPECT_EQ(code_of([&] { files.open("no/b", OpenMode::append); }),
              std::errc::no_such_file_or_directory);
    EXPECT_EQ(code_of([&] { files.open("a", OpenMode::create); }), std::errc::file_exists);
    EXPECT_EQ(code_of([&] { files.open(".", OpenMode::read); }), std::errc::is_a_directory);
    EXPECT_EQ(code_of([&] { files.open("a", OpenMode::read)->append("y"); }),
              std::errc::bad_file_descriptor);
}

TEST(MemoryFiles, ACrashLosesBytesThatWereNotSynced) {
    MemoryFiles files;
    const std::unique_ptr<File> file = files.open("a", OpenMode::create);
    file->append("kept");
    file->sync();
    files.sync_directory(".");
    file->append(" lost");

    files.crash();

    EXPECT_EQ(files.read_all("a", kPlenty), "kept");
    EXPECT_EQ(code_of([&] { file->append("x"); }), std::errc::io_error);
}

TEST(MemoryFiles, ACrashLosesEntriesThatWereNotSyncedApartFromTheBytes) {
    MemoryFiles files;
    write_piece(files, "entry-only", "bytes", false);
    files.sync_directory(".");
    write_piece(files, "bytes-only", "bytes", true);

    files.crash();

    EXPECT_EQ(files.read_all("entry-only", kPlenty), "");
    EXPECT_FALSE(files.exists("bytes-only"));
}

TEST(MemoryFiles, ARenameThatWasNotSyncedIsUndoneWhole) {
    MemoryFiles files;
    write_piece(files, "old", "old", true);
    write_piece(files, "new", "new", true);
    files.sync_directory(".");
    files.rename("new", "old");
    EXPECT_EQ(files.read_all("old", kPlenty), "new");

    files.crash();

    EXPECT_EQ(files.read_all("old", kPlenty), "old");
    EXPECT_EQ(files.read_all("new", kPlenty), "new");
}

TEST(MemoryFiles, ATornTailIsAPrefixAndDependsOnTheSeed) {
    std::set<std::string> seen;
    for (std::uint64_t seed = 0; seed < 50; ++seed) {
        MemoryFiles files;
        write_piece(files, "a", "safe", true);
        files.sync_directory(".");
        write_piece(files, "a", "0123456789", false);
        files.crash(CrashLoss::some, seed);
        const std::string left = files.read_all("a", kPlenty);
        EXPECT_TRUE(std::string_view("safe0123456789").starts_with(left));
        EXPECT_GE(left.size(), 4u);
        seen.insert(left);
    }
    EXPECT_GT(seen.size(), 5u);
}

TEST(MemoryFiles, AFullDiskTakesWhatFits) {
    MemoryFiles files;
    const std::unique_ptr<File> file = files.open("a", OpenMode::create);
    files.set_space(5);

    EXPECT_EQ(code_of([&] { file->append("1234567"); }), std::errc::no_space_on_device);
    EXPECT_EQ(file->size(), 5u);
    files.set_space(std::nullopt);
    file->append("x");
    EXPECT_EQ(file->size(), 6u);
}

TEST(MemoryFiles, H89ASyncThatFailedIsNotMadeGoodByTryingAgain) {
    MemoryFiles files;
    const std::unique_ptr<File> file = files.open("a", OpenMode::create);
    files.sync_directory(".");
    files.fail_sync(2);
    file->append("one");
    file->sync();
    file->append(" two");
    EXPECT_EQ(code_of([&] { file->sync(); }), std::errc::io_error);
    file->sync();

    files.crash();

    EXPECT_EQ(files.read_all("a", kPlenty), "one");
}

TEST(MemoryFiles, ALockIsHeldOnceUntilDroppedOrTheCrash) {
    MemoryFiles files;
    std::unique_ptr<FileLock> lock = files.try_lock("lock");
    EXPECT_TRUE(lock);
    EXPECT_FALSE(files.try_lock("lock"));
    lock.reset();
    lock = files.try_lock("lock");
    EXPECT_TRUE(lock);
    files.crash();
    EXPECT_TRUE(files.try_lock("lock"));
}

// write_all() promises the old or the new content whatever happens: power is cut after every
// change, and the disk keeps none, some or all of what was not synced.
TEST(MemoryFiles, H89WriteAllIsAtomicWhereverThePowerGoes) {
    const auto prepare = [](MemoryFiles& files) {
        files.write_all("config", "old");
        return files.change_count();
    };
    MemoryFiles whole;
    const std::uint64_t before = prepare(whole);
    whole.write_all("config", "new");
    const std::uint64_t change_count = whole.change_count() - before;

    for (std::uint64_t changes = 0; changes <= change_count; ++changes) {
        for (std::uint64_t seed = 0; seed < 30; ++seed) {
            MemoryFiles files;
            prepare(files);
            files.power_off_after(changes);
            const std::error_code error = code_of([&] { files.write_all("config", "new"); });
            EXPECT_EQ(!error, changes == change_count);
            files.crash(static_cast<CrashLoss>(seed % 3), seed);
            const std::string left = files.read_all("config", kPlenty);
            EXPECT_TRUE(left == "new" || (error && left == "old")) << changes << " " << left;
        }
    }
}

}  // namespace weft::aio

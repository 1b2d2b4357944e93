#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aio/loop/run.h"
#include "frontier/made_crawl.h"

// The same crawl in a process that is killed at the n-th change to its files, on a real disk.
namespace weft::frontier {
namespace {

// The machine's files, until the process kills itself: in the middle of a write if it is one.
class DeadlyFiles final : public aio::FileSystem {
public:
    explicit DeadlyFiles(std::uint64_t change_count) : left_(change_count) {}

    std::unique_ptr<aio::File> open(const Path& path, aio::OpenMode mode) override {
        if (mode != aio::OpenMode::read) change();
        return std::make_unique<DeadlyFile>(*this, files_.open(path, mode));
    }
    bool exists(const Path& path) override { return files_.exists(path); }
    void create_directories(const Path& path) override { files_.create_directories(path); }
    void rename(const Path& from, const Path& to) override {
        change();
        files_.rename(from, to);
    }
    void remove(const Path& path) override {
        change();
        files_.remove(path);
    }
    std::vector<std::string> list(const Path& folder) override { return files_.list(folder); }
    void sync_directory(const Path& folder) override {
        static_cast<void>(folder);
        change();  // No matter to a process that is killed.
    }
    std::unique_ptr<aio::FileLock> try_lock(const Path& path) override {
        return files_.try_lock(path);
    }

private:
    class DeadlyFile final : public aio::File {
    public:
        DeadlyFile(DeadlyFiles& files, std::unique_ptr<aio::File> file)
            : files_(files), file_(std::move(file)) {}
        void append(std::string_view bytes) override {
            if (files_.left_ == 1) file_->append(bytes.substr(0, bytes.size() / 2));
            files_.change();
            file_->append(bytes);
        }
        std::size_t read_at(std::uint64_t offset, std::span<char> room) override {
            return file_->read_at(offset, room);
        }
        std::uint64_t size() override { return file_->size(); }
        void truncate(std::uint64_t size) override {
            files_.change();
            file_->truncate(size);
        }
        void sync() override { files_.change(); }

    private:
        DeadlyFiles& files_;
        std::unique_ptr<aio::File> file_;
    };

    void change() {
        if (left_ > 0 && --left_ == 0) raise(SIGKILL);
    }

    aio::SystemFiles files_;
    std::atomic<std::uint64_t> left_;
};

struct Place {
    Place()
        : path(std::filesystem::temp_directory_path() / fmt::format("weft-kill9-{}", getpid())) {
        std::filesystem::remove_all(path);
        std::filesystem::create_directories(path);
    }
    ~Place() { std::filesystem::remove_all(path); }

    std::filesystem::path path;
};

std::string crawl_in(const std::filesystem::path& folder, aio::FileSystem& files,
                     std::uint64_t seed, std::uint64_t memory_bytes) {
    const MadeWeb web{.page_count = 30};
    MadeCrawl crawl(web, files, seed);
    crawl.folder = folder;
    crawl.memory_bytes = memory_bytes;
    crawl.fetch_time_max = 0ms;
    crawl.retry_time_max = 0ms;
    crawl.host_time_max = 0ms;
    const aio::SystemPlatform system;
    aio::Platform platform = system.get();
    platform.files = &files;
    aio::EventLoop loop(platform);
    aio::run_on(loop, crawl.run());
    return crawl.complaint();
}

// Crawls in a child process; whether it got to the end.
bool crawls_to_the_end(const Place& place, std::uint64_t kill_at, std::uint64_t memory_bytes) {
    const pid_t child = fork();
    if (child == 0) {
        DeadlyFiles files(kill_at);
        const std::string complaint = crawl_in(place.path, files, kill_at + 1, memory_bytes);
        _exit(complaint.empty() && !testing::Test::HasFailure() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return !WIFSIGNALED(status);
}

// Gives the number of kills.
int kill_and_go_on(std::uint64_t memory_bytes, std::uint64_t first, std::uint64_t step) {
    int kill_count = 0;
    for (std::uint64_t kill_at = first; !testing::Test::HasFailure(); kill_at += step) {
        const Place place;
        if (crawls_to_the_end(place, kill_at, memory_bytes)) break;
        ++kill_count;
        while (!crawls_to_the_end(place, 2 * kill_at + 200, memory_bytes)) {
            ++kill_count;
        }
    }
    return kill_count;
}

}  // namespace

TEST(FrontierKill9, H85ACrawlKilledAtTheNthChangeLosesAndDoublesNothing) {
    EXPECT_GT(kill_and_go_on(256_MiB, 1, 7), 40);
}

TEST(FrontierKill9, H85NorWhenNothingFitsIntoMemory) {
    EXPECT_GT(kill_and_go_on(1, 3, 47), 40);
}

}  // namespace weft::frontier

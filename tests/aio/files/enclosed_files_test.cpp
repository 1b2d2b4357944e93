#include "aio/files/enclosed_files.h"

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "aio/files/memory_files.h"
#include "aio/task/errors.h"
#include "support/scratch.h"

namespace weft::aio {
namespace {

// A folder, and beside it a secret that must neither be read nor changed.
struct Place {
    Place() {
        all.create_directories(root / "inner");
        all.create_directories(outside);
        all.write_all(secret, "secret");
        all.write_all(root / "inner" / "file", "text");
        files = all.inside(root);
    }
    ~Place() { EXPECT_EQ(all.read_all(secret, 100), "secret"); }

    void expect_refused(const std::filesystem::path& path) {
        EXPECT_THROW(files->open(path, OpenMode::read), IoError) << path;
        EXPECT_THROW(files->open(path, OpenMode::append), IoError) << path;
        EXPECT_THROW(files->open(path, OpenMode::create), IoError) << path;
        EXPECT_THROW(files->try_lock(path), IoError) << path;
        EXPECT_THROW(files->read_all(path, 100), IoError) << path;
    }

    ::weft::tests::Scratch scratch;
    SystemFiles all;
    std::filesystem::path root = scratch.path() / "root";
    std::filesystem::path outside = scratch.path() / "outside";
    std::filesystem::path secret = scratch.path() / "outside" / "secret";
    std::unique_ptr<FileSystem> files;
};

void read_and_write_inside() {
    Place place;
    place.files->create_directories(place.root / "a" / "b");
    place.files->open(place.root / "a/b/c", OpenMode::create)->append("1");
    place.files->open(place.root / "a/b/c", OpenMode::append)->append("2");
    place.files->write_all(place.root / "inner/file", "new");
    place.files->rename(place.root / "a/b/c", place.root / "a/d");
    place.files->sync_directory(place.root / "a");
    place.files->remove(place.root / "a/b");

    EXPECT_EQ(place.files->read_all(place.root / "a/d", 100), "12");
    EXPECT_EQ(place.files->read_all(place.root / "inner/file", 100), "new");
    EXPECT_EQ(place.files->list(place.root), (std::vector<std::string>{"a", "inner"}));
    EXPECT_EQ(place.files->list(place.root / "a"), std::vector<std::string>{"d"});
    EXPECT_TRUE(place.files->exists(place.root));
    EXPECT_TRUE(place.files->try_lock(place.root / "lock"));
    EXPECT_FALSE(place.files->exists(place.root / "a/b"));
}

TEST(EnclosedFiles, WhatLiesInsideIsReadAndWritten) {
    read_and_write_inside();
}

// A crawl whose folder was moved away went on, and said at its end that it was kept there.
TEST(EnclosedFiles, H88NothingNewIsWrittenOnceTheFolderIsMoved) {
    Place place;
    const std::filesystem::path moved = place.scratch.path() / "moved";
    const auto expect_nothing_new = [&] {
        const auto path = place.root / "inner/new";
        EXPECT_THROW(place.files->open(path, OpenMode::create), IoError);
        EXPECT_THROW(place.files->open(path, OpenMode::append), IoError);
        EXPECT_THROW(place.files->write_all(path, "new"), IoError);
        EXPECT_THROW(place.files->rename(place.root / "inner/file", path), IoError);
        EXPECT_THROW(place.files->sync_directory(place.root / "inner"), IoError);
        EXPECT_EQ(place.all.list(moved / "inner"), std::vector<std::string>{"file"});
    };
    place.all.rename(place.root, moved);
    expect_nothing_new();
    place.all.create_directories(place.root / "inner");
    expect_nothing_new();
    EXPECT_TRUE(place.all.list(place.root / "inner").empty());
    EXPECT_EQ(place.files->read_all(place.root / "inner/file", 100), "text");
}

void refuse_ways_out() {
    Place place;
    for (const std::filesystem::path& path :
         {place.root / "../outside/secret", place.root / "inner/../../outside/secret", place.secret,
          std::filesystem::path("/etc/passwd"), std::filesystem::path("inner/file")}) {
        place.expect_refused(path);
        EXPECT_THROW(place.files->remove(path), IoError);
        EXPECT_THROW(place.files->exists(path), IoError);
        EXPECT_THROW(place.files->rename(place.root / "inner/file", path), IoError);
        EXPECT_THROW(place.files->create_directories(path), IoError);
    }
}

TEST(EnclosedFiles, APathThatLeadsOutIsRefused) {
    refuse_ways_out();
}

// repair and resume truncated what links in a folder led to.
void follow_no_link() {
    Place place;
    std::filesystem::create_symlink(place.secret, place.root / "link");
    std::filesystem::create_symlink(place.outside, place.root / "folder");
    std::filesystem::create_symlink("inner", place.root / "near");
    std::filesystem::create_symlink(place.scratch.path() / "new", place.root / "dangling");
    for (const char* name : {"link", "folder/secret", "near/file", "dangling", "folder/new"}) {
        place.expect_refused(place.root / name);
    }
    EXPECT_THROW(place.files->list(place.root / "folder"), IoError);
    EXPECT_THROW(place.files->create_directories(place.root / "folder"), IoError);
    EXPECT_THROW(place.files->create_directories(place.root / "folder/made"), IoError);
    EXPECT_THROW(place.files->sync_directory(place.root / "folder"), IoError);
    EXPECT_THROW(place.files->rename(place.root / "inner/file", place.root / "folder/file"),
                 IoError);
    place.files->remove(place.root / "link");  // The link itself.

    EXPECT_FALSE(place.all.exists(place.scratch.path() / "new"));
    EXPECT_FALSE(place.all.exists(place.outside / "made"));
    EXPECT_FALSE(place.all.exists(place.outside / "new"));
}

TEST(EnclosedFiles, NoLinkIsFollowed) {
    follow_no_link();
}

void name_a_link() {
    Place place;
    std::filesystem::create_symlink(place.secret, place.root / "link");
    try {
        place.files->open(place.root / "link", OpenMode::read);
        FAIL();
    } catch (const IoError& error) {
        EXPECT_NE(std::string(error.what()).find("symbolic link"), std::string::npos);
    }
}

TEST(EnclosedFiles, ALinkIsNamedAsWhatItIs) {
    name_a_link();
}

void open_plain_files_alone() {
    Place place;
    ASSERT_EQ(::mkfifo((place.root / "pipe").c_str(), 0600), 0);
    place.expect_refused(place.root / "pipe");
    place.expect_refused(place.root / "inner");
}

TEST(EnclosedFiles, PipesDevicesAndFoldersAreNotOpened) {
    open_plain_files_alone();
}

// Kernels before 5.6 and some sandboxes have no openat2(): for this process from now on.
void forbid_openat2() {
    sock_filter rules[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_openat2, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{.len = std::size(rules), .filter = rules};
    ASSERT_EQ(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
    ASSERT_EQ(::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program), 0);
    ASSERT_EQ(::syscall(SYS_openat2, AT_FDCWD, ".", nullptr, 0), -1);
    ASSERT_EQ(errno, ENOSYS);
}

TEST(EnclosedFiles, WithoutOpenat2TheSameHolds) {
    const auto all_of_it = [] {
        forbid_openat2();
        read_and_write_inside();
        refuse_ways_out();
        follow_no_link();
        name_a_link();
        open_plain_files_alone();
        std::_Exit(::testing::Test::HasFailure() ? 1 : 0);
    };
    EXPECT_EXIT(all_of_it(), ::testing::ExitedWithCode(0), "");
}

TEST(EnclosedFiles, TheFolderItselfMayBeALink) {
    Place place;
    const std::filesystem::path link = place.scratch.path() / "way";
    std::filesystem::create_symlink(place.root, link);
    EXPECT_EQ(place.all.inside(link)->read_all(link / "inner/file", 100), "text");
    EXPECT_EQ(place.all.inside(link / "")->read_all(link / "inner/file", 100), "text");
    EXPECT_THROW(place.all.inside(place.scratch.path() / "none"), IoError);
}

TEST(EnclosedFiles, SimulatedFilesAreEnclosedToo) {
    MemoryFiles all;
    all.create_directories("root/inner");
    all.write_all("root/inner/file", "text");
    all.write_all("secret", "secret");
    const std::unique_ptr<FileSystem> files = all.inside("root");
    EXPECT_EQ(files->read_all("root/inner/file", 100), "text");
    EXPECT_THROW(files->open("secret", OpenMode::read), IoError);
    EXPECT_THROW(files->open("root/../secret", OpenMode::append), IoError);
    EXPECT_THROW(files->rename("root/inner/file", "secret"), IoError);
    EXPECT_THROW(all.inside("none"), IoError);
}

TEST(EnclosedFiles, TheIdentityOfAFolderIsThatOfNoCopy) {
    Place place;
    const std::string identity = place.files->identity(place.root);
    EXPECT_FALSE(identity.empty());
    EXPECT_EQ(place.all.inside(place.root)->identity(place.root), identity);
    EXPECT_NE(place.all.identity(place.outside), identity);
}

}  // namespace
}  // namespace weft::aio

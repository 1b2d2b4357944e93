#include "aio/files/folder.h"

#include <filesystem>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "aio/task/errors.h"
#include "support/scratch.h"

namespace weft::aio {
namespace {

using tests::Scratch;
namespace fs = std::filesystem;

std::string content(const Folder& folder, const std::string& path) {
    const auto opened = folder.open(path);
    if (!opened) return "(none)";
    if (!opened->file) return "(folder)";
    std::string bytes(opened->size_bytes, '\0');
    bytes.resize(opened->file->read_at(0, bytes));
    return bytes;
}

}  // namespace

TEST(Folder, OpensWhatLiesInItAndSaysWhatItIs) {
    const Scratch scratch;
    scratch.write("in/a.txt", "hello");
    scratch.write("in/deep/er/b.txt", "world");
    const Folder folder(scratch / "in");

    EXPECT_EQ(content(folder, "a.txt"), "hello");
    EXPECT_EQ(content(folder, "deep/er/b.txt"), "world");
    EXPECT_EQ(content(folder, "deep"), "(folder)");
    EXPECT_EQ(content(folder, ""), "(folder)");
    EXPECT_EQ(content(folder, "a.txt/b"), "(none)");
    EXPECT_EQ(content(folder, "none"), "(none)");
}

TEST(Folder, AFileOfTheYear9999HasADateThatAClockCanShow) {
    const Scratch scratch;
    scratch.write("in/a.txt", "hello");
    const timespec times[2] = {{253'370'764'800, 0}, {253'370'764'800, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (scratch / "in/a.txt").c_str(), times, 0), 0);

    const auto opened = Folder(scratch / "in").open("a.txt");
    ASSERT_TRUE(opened);
    EXPECT_GT(opened->modified, SystemClock().wall());
}

TEST(Folder, H94NothingOutsideCanBeMade) {
    const Scratch scratch;
    scratch.write("in/there.txt", "old");
    fs::create_directories(scratch / "out");
    fs::create_symlink("../out", scratch / "in/sideways");
    fs::create_symlink("../out/new.txt", scratch / "in/dangling");
    const Folder folder(scratch / "in");

    for (const std::string path :
         {"../new.txt", "a/../../new.txt", "/new.txt", "sideways/new.txt", "dangling", "there.txt",
          "there.txt/new.txt", "a//b", "", ".", "..", "a/.."}) {
        EXPECT_THROW(folder.create(path), IoError) << path;
    }
    folder.create("deep/er/new.txt")->append("hello");

    EXPECT_EQ(content(folder, "deep/er/new.txt"), "hello");
    EXPECT_EQ(content(folder, "there.txt"), "old");
    EXPECT_TRUE(fs::is_empty(scratch / "out"));
    EXPECT_FALSE(fs::exists(scratch / "new.txt"));
}

TEST(Folder, H129NothingOutsideCanBeReached) {
    const Scratch scratch;
    scratch.write("in/a.txt", "hello");
    scratch.write("in/sub/c.txt", "inner");
    scratch.write("out/secret.txt", "secret");
    fs::create_symlink("../out/secret.txt", scratch / "in/link.txt");
    fs::create_symlink(scratch / "out", scratch / "in/absolute");
    fs::create_symlink("../out", scratch / "in/sideways");
    fs::create_symlink("..", scratch / "in/sub/up");
    fs::create_symlink("loop", scratch / "in/loop");
    fs::create_symlink("/proc/self/root", scratch / "in/magic");
    fs::create_symlink("a.txt", scratch / "in/inside.txt");
    const Folder folder(scratch / "in");

    for (const std::string path :
         {"../out/secret.txt", "sub/../../out/secret.txt", "link.txt", "absolute/secret.txt",
          "sideways/secret.txt", "loop", "magic/etc/passwd", "/etc/passwd", "..", "sub/../..",
          "sub/up/../out/secret.txt"}) {
        EXPECT_EQ(content(folder, path), "(none)") << path;
    }
    EXPECT_EQ(content(folder, std::string("a.txt\0.png", 10)), "(none)");
    EXPECT_EQ(content(folder, "sub/up/a.txt"), "hello");
    EXPECT_EQ(content(folder, "inside.txt"), "hello");
}

TEST(Folder, ListsFilesAndFoldersSortedAndNoLinkThatLeadsOut) {
    const Scratch scratch;
    scratch.write("in/b.txt", "four");
    scratch.write("in/a/x.txt", "");
    fs::create_symlink("b.txt", scratch / "in/c.txt");
    fs::create_symlink("/etc", scratch / "in/etc");
    fs::create_symlink("nowhere", scratch / "in/dangling");
    const Folder folder(scratch / "in");

    std::string names;
    for (const Folder::Entry& entry : folder.list("", 100)) {
        names += fmt::format("{}{} {};", entry.name, entry.kind == Folder::Kind::folder ? "/" : "",
                             entry.kind == Folder::Kind::folder ? 0 : entry.size_bytes);
    }

    EXPECT_EQ(names, "a/ 0;b.txt 4;c.txt 4;");
    EXPECT_EQ(folder.list("", 2).size(), 2u);
    EXPECT_THROW(folder.list("none", 100), IoError);
    EXPECT_THROW(Folder(scratch / "none"), IoError);
}

TEST(Folder, APipeIsNoFileAndHoldsNobodyUp) {
    const Scratch scratch;
    scratch.write("in/a", "");
    ASSERT_EQ(::mkfifo((scratch / "in/pipe").c_str(), 0600), 0);
    const Folder folder(scratch / "in");

    EXPECT_EQ(content(folder, "pipe"), "(none)");
}

}  // namespace weft::aio

#include "archive/wacz/zip_writer.h"

#include <gtest/gtest.h>

#include "support/scratch.h"

namespace weft::archive {
namespace {

// tests/cli/archive_test.py has another program read whole files; here is what it would not see.
TEST(ZipWriter, SizesPastTheLimitStandInFieldsOfZip64) {
    const tests::Scratch scratch;
    aio::SystemFiles files;
    const std::unique_ptr<aio::File> out = files.open(scratch / "zip", aio::OpenMode::create);
    ZipWriter zip(*out, WallTime(std::chrono::seconds(1'772'366'400)), {.bytes = 10, .count = 2});

    zip.add("small", "123456789");
    zip.add("large", "1234567890");
    zip.finish();

    const std::string bytes = files.read_all(scratch / "zip", 10'000);
    const std::string wide("\x01\0\x10\0\x0A\0\0\0\0\0\0\0\x0A\0\0\0\0\0\0\0", 20);
    EXPECT_EQ(bytes.find("small123456789PK"), 30u);
    EXPECT_TRUE(bytes.contains("large" + wide + "1234567890PK"));
    EXPECT_TRUE(bytes.contains("PK\x06\x06"));
    EXPECT_TRUE(bytes.contains("PK\x06\x07"));
}

TEST(ZipWriter, FilesAndBytesGiveTheSame) {
    const tests::Scratch scratch;
    aio::SystemFiles files;
    const std::string content(3'000'000, 'x');
    scratch.write("content", content);
    const std::unique_ptr<aio::File> file = files.open(scratch / "content", aio::OpenMode::read);
    const WallTime date(std::chrono::seconds(1'772'366'400));
    std::string zips[2];
    ZipMember members[2];
    for (int i = 0; i < 2; ++i) {
        const std::string name = "zip" + std::to_string(i);
        const std::unique_ptr<aio::File> out = files.open(scratch / name, aio::OpenMode::create);
        ZipWriter zip(*out, date);
        members[i] = i == 0 ? zip.add("a", content) : zip.add("a", *file);
        zip.finish();
        zips[i] = files.read_all(scratch / name, 10'000'000);
    }

    EXPECT_EQ(zips[0], zips[1]);
    EXPECT_EQ(members[0].sha256, members[1].sha256);
    EXPECT_EQ(members[0].bytes, content.size());
    EXPECT_EQ(members[0].sha256.size(), 7u + 64u);
}

}  // namespace
}  // namespace weft::archive

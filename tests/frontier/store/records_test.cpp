#include "frontier/store/records.h"

#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "base/hash.h"
#include "frontier/store/codec.h"
#include "frontier/store/manifest.h"

// Earlier versions wrote a list of file sizes into completions and manifests.
namespace weft::frontier {
namespace {

void put_file_sizes(std::string& out) {
    put_varint(out, 2);
    for (const char* name : {"pages", "links"}) {
        put_bytes(out, name);
        put_varint(out, 1'000);
    }
}

}  // namespace

TEST(Records, ACompletionWithFileSizesOfAnEarlierVersionIsRead) {
    std::string payload;
    put_complete(payload, "a.test", {}, {.outcome = "one", .archived = ArchivePlace{"w", 100, 50}});
    payload.pop_back();
    put_file_sizes(payload);
    payload.push_back(0);  // No URLs.
    put_clock(payload, WallTime(5s));
    std::string read;
    FrameLook look;
    look.on_complete = [&](const CompleteRecord& record) {
        read += fmt::format("{} {}", record.host, record.outcome);
        return std::string();
    };
    look.on_clock = [&](WallTime time) {
        read += fmt::format(" {}", time.time_since_epoch() / 1s);
    };

    look_through(payload, look);

    EXPECT_EQ(read, "a.test one 5");
}

TEST(Manifest, FileSizesOfAnEarlierVersionAreSkipped) {
    aio::MemoryFiles files;
    write_manifest(files, "manifest", {.seen_count = 3, .saved = "x"});
    std::string bytes = files.read_all("manifest", 10'000);
    const std::string_view end("\0\1x\0", 4);  // No sizes, `saved`, the closed log.
    bytes.resize(bytes.size() - kChecksumSize);
    ASSERT_TRUE(bytes.ends_with(end));
    bytes.resize(bytes.size() - end.size());
    put_file_sizes(bytes);
    bytes += end.substr(1);
    put_fixed64(bytes, hash64(bytes));
    files.write_all("manifest", bytes);

    const Manifest manifest = read_manifest(files, "manifest");

    EXPECT_EQ(manifest.seen_count, 3u);
    EXPECT_EQ(manifest.saved, "x");
}

}  // namespace weft::frontier

#include "archive/warc/warc_writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "aio/loop/loop.h"
#include "aio/task/errors.h"
#include "archive/sample_file.h"
#include "archive/warc/record_check.h"
#include "support/read_warc.h"
#include "support/simulate.h"

namespace weft::archive {
namespace {

using aio::Co;

constexpr std::size_t kFileBytesMax = 64_MiB;

Capture capture_of(std::string uri, std::string body) {
    Capture capture;
    capture.target_uri = std::move(uri);
    capture.date = WallTime(std::chrono::seconds(1'772'366'400));
    capture.protocols = {"h2", "tls/1.3"};
    capture.cipher_suite = "TLS_AES_128_GCM_SHA256";
    capture.request = "GET / HTTP/1.1\r\nHost: example.com\r\n\r\n";
    capture.response = "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n";
    capture.response_body = capture.response.size();
    capture.response += body;
    return capture;
}

Written write(WarcWriter& writer, Capture capture) {
    return writer.write(capture);
}

std::string read(const std::string& name) {
    return aio::EventLoop::running().files().read_all("archive/" + name, kFileBytesMax);
}

class WarcWriterOfEveryKind : public testing::TestWithParam<Packing> {};
INSTANTIATE_TEST_SUITE_P(, WarcWriterOfEveryKind,
                         testing::Values(Packing::none, Packing::gzip, Packing::zstd),
                         name_of_packing);

TEST_P(WarcWriterOfEveryKind, RecordsAreWhereItSays) {
    aio::simulate([&]() -> Co<> {
        WarcWriter writer("archive", {.compression = {GetParam()}});
        Capture capture = capture_of("https://example.com/", "as received");
        append_warc_field(capture.metadata, "via", "https://example.com/from");

        const Written written = writer.write(capture);

        EXPECT_TRUE(written.response.file.ends_with(warc_extension(GetParam())));
        const std::string file = read(written.response.file);
        const WarcContents contents = read_warc(file);
        EXPECT_FALSE(contents.error);
        EXPECT_EQ(contents.records.size(), 4u);
        EXPECT_EQ(written.end, file.size());
        const StoredRecord& response = contents.records.at(1);
        EXPECT_EQ(response.end.offset, written.response.offset);
        EXPECT_EQ(response.end.length, written.response.length);
        EXPECT_EQ(response.header.type(), "response");
        EXPECT_TRUE(response.block.ends_with("\r\n\r\nas received"));
        EXPECT_EQ(response.header.get("WARC-Protocol"), "h2");
        EXPECT_EQ(response.header.get("WARC-Cipher-Suite"), "TLS_AES_128_GCM_SHA256");
        EXPECT_EQ(contents.records.at(2).header.type(), "request");
        const StoredRecord& metadata = contents.records.at(3);
        EXPECT_EQ(metadata.header.type(), "metadata");
        EXPECT_EQ(metadata.header.get("WARC-Concurrent-To"), response.header.id());
        EXPECT_EQ(metadata.block, "via: https://example.com/from\r\n");
        for (const StoredRecord& record : contents.records) {
            RecordCheck check(record.header);
            check.update(record.block);
            EXPECT_EQ(check.finish(true), Verdict::right);
        }
        co_return;
    });
}

TEST_P(WarcWriterOfEveryKind, AFileThatHasGrownPastItsLimitIsFollowedByAnother) {
    aio::simulate([&]() -> Co<> {
        WarcWriter writer("archive", {.compression = {GetParam()}, .bytes_max = 1});

        const Written first = write(writer, capture_of("https://example.com/1", "1"));
        const Written second = write(writer, capture_of("https://example.com/2", "2"));

        EXPECT_NE(first.response.file, second.response.file);
        for (const Written& written : {first, second}) {
            const WarcContents contents = read_warc(read(written.response.file));
            EXPECT_EQ(contents.records.at(0).header.type(), "warcinfo");
            EXPECT_EQ(contents.records.at(0).header.get("WARC-Filename"), written.response.file);
            EXPECT_EQ(contents.records.at(1).header.get("WARC-Warcinfo-ID"),
                      contents.records.at(0).header.id());
        }
        co_return;
    });
}

TEST_P(WarcWriterOfEveryKind, H87AFullDiskIsAnErrorAndNothingIsWrittenBehindATornRecord) {
    aio::simulate([&]() -> Co<> {
        auto& files = dynamic_cast<aio::MemoryFiles&>(aio::EventLoop::running().files());
        WarcWriter writer("archive", {.compression = {GetParam()}});
        const Written good = write(writer, capture_of("https://example.com/1", "1"));

        files.set_space(100);
        EXPECT_THROW(write(writer, capture_of("https://example.com/2", std::string(900, 'x'))),
                     aio::IoError);
        files.set_space(std::nullopt);
        const Written later = write(writer, capture_of("https://example.com/3", "3"));

        EXPECT_NE(later.response.file, good.response.file);
        EXPECT_FALSE(read_warc(read(later.response.file)).error);
        const WarcContents torn =
            read_warc(std::string_view(read(good.response.file)).substr(0, good.end));
        EXPECT_FALSE(torn.error);
        EXPECT_EQ(torn.records.size(), 3u);
        co_return;
    });
}

TEST_P(WarcWriterOfEveryKind, RecordsThatAreHeldAreInTheFileAfterTheFlushAtTheirPlaces) {
    aio::simulate([&]() -> Co<> {
        WarcWriter writer("archive", {.compression = {GetParam()}});
        const Written first = write(writer, capture_of("https://example.com/0", "0"));

        writer.hold();
        std::vector<Written> held;
        for (int i = 1; i <= 3; ++i) {
            const std::string number = std::to_string(i);
            held.push_back(write(writer, capture_of("https://example.com/" + number, number)));
        }
        EXPECT_EQ(read(first.response.file).size(), first.end);
        writer.flush();
        const Written last = write(writer, capture_of("https://example.com/4", "4"));

        const std::string file = read(first.response.file);
        EXPECT_EQ(file.size(), last.end);
        const WarcContents contents = read_warc(file);
        EXPECT_FALSE(contents.error);
        for (std::size_t i = 0; i < held.size(); ++i) {
            const StoredRecord& response = contents.records.at(3 + 2 * i);
            EXPECT_EQ(response.header.target_uri(), fmt::format("https://example.com/{}", i + 1));
            EXPECT_EQ(response.end.offset, held[i].response.offset);
            EXPECT_EQ(response.end.length, held[i].response.length);
        }
        EXPECT_EQ(held.back().end, last.response.offset);
        co_return;
    });
}

TEST_P(WarcWriterOfEveryKind, AFullFileHoldsItsHeldRecordsBeforeTheNextOneBegins) {
    aio::simulate([&]() -> Co<> {
        WarcWriter writer("archive", {.compression = {GetParam()}, .bytes_max = 1});

        writer.hold();
        const Written first = write(writer, capture_of("https://example.com/1", "1"));
        const Written second = write(writer, capture_of("https://example.com/2", "2"));
        writer.flush();

        EXPECT_NE(first.response.file, second.response.file);
        EXPECT_EQ(read(first.response.file).size(), first.end);
        EXPECT_EQ(read(second.response.file).size(), second.end);
        co_return;
    });
}

TEST_P(WarcWriterOfEveryKind, H87AFullDiskLosesWhatIsHeldAndTheNextFileIsWhole) {
    aio::simulate([&]() -> Co<> {
        auto& files = dynamic_cast<aio::MemoryFiles&>(aio::EventLoop::running().files());
        WarcWriter writer("archive", {.compression = {GetParam()}});
        const Written good = write(writer, capture_of("https://example.com/1", "1"));
        writer.hold();
        write(writer, capture_of("https://example.com/2", std::string(900, 'x')));

        files.set_space(100);
        EXPECT_THROW(writer.flush(), aio::IoError);
        files.set_space(std::nullopt);
        const Written later = write(writer, capture_of("https://example.com/3", "3"));

        EXPECT_NE(later.response.file, good.response.file);
        EXPECT_EQ(read_warc(read(later.response.file)).records.size(), 3u);
        co_return;
    });
}

TEST(WarcWriter, HoldsAtMostItsLimitAndOneExchange) {
    aio::simulate([]() -> Co<> {
        WarcWriter writer("archive", {.compression = {Packing::none}});
        const Written first = write(writer, capture_of("https://example.com/0", "0"));
        const auto held_bytes = [&](const Written& last) {
            return last.end - read(first.response.file).size();
        };

        writer.hold();
        const std::size_t bytes = WarcWriter::kHeldBytesMax / 2;
        const Written below =
            write(writer, capture_of("https://example.com/1", std::string(bytes, 'a')));
        EXPECT_GT(held_bytes(below), bytes);
        const Written above =
            write(writer, capture_of("https://example.com/2", std::string(bytes, 'b')));

        EXPECT_EQ(held_bytes(above), 0u);
        co_return;
    });
}

TEST(WarcWriter, AnnouncedCapturesKeepTheirOwnDigestsInWhateverOrderTheyAreWritten) {
    aio::simulate([]() -> Co<> {
        WarcWriter writer("archive", {});
        std::vector<std::shared_ptr<Capture>> announced;
        for (std::size_t i = 0; i < 30; ++i) {
            const std::string body(1 + 997 * i % 5'000, static_cast<char>('a' + i % 26));
            announced.push_back(
                writer.announce(capture_of(fmt::format("https://example.com/{}", i), body)));
        }
        announced[2].reset();  // Its visit was cancelled.

        writer.write(*announced[20]);
        write(writer, capture_of("https://example.com/not-announced", "another"));
        announced[20].reset();
        std::string file;
        for (const auto& each : announced) {
            if (each) file = writer.write(*each).response.file;
        }

        const WarcContents contents = read_warc(read(file));
        EXPECT_EQ(contents.records.size(), 1u + 2 * 30);
        for (const StoredRecord& record : contents.records) {
            RecordCheck check(record.header);
            check.update(record.block);
            EXPECT_EQ(check.finish(true), Verdict::right) << record.header.target_uri();
        }
        co_return;
    });
}

TEST(WarcWriter, H89AFailedSyncIsAnError) {
    aio::simulate([]() -> Co<> {
        auto& files = dynamic_cast<aio::MemoryFiles&>(aio::EventLoop::running().files());
        WarcWriter writer("archive", {});
        write(writer, capture_of("https://example.com/1", "1"));
        files.fail_sync(1);

        const bool has_failed = co_await aio::throws<aio::IoError>(writer.sync());

        EXPECT_TRUE(has_failed);
    });
}

TEST(WarcWriter, H86WhatIsSyncedSurvivesALossOfPower) {
    aio::simulate([]() -> Co<> {
        auto& files = dynamic_cast<aio::MemoryFiles&>(aio::EventLoop::running().files());
        WarcWriter writer("archive", {});
        const Written written = write(writer, capture_of("https://example.com/1", "1"));
        co_await writer.sync();
        write(writer, capture_of("https://example.com/2", "2"));

        files.crash();

        const WarcContents contents = read_warc(read(written.response.file));
        EXPECT_FALSE(contents.error);
        EXPECT_EQ(contents.records.size(), 3u);
    });
}

TEST(WarcWriter, WhatStandsAloneIsNoRevisitAndNothingIsARevisitOfIt) {
    aio::simulate([]() -> Co<> {
        WarcWriter writer("archive", {});
        Capture alone = capture_of("https://example.com/robots.txt", "the front page");
        alone.stands_alone = true;

        const Written before = writer.write(alone);
        const Written page = write(writer, capture_of("https://example.com/", "the front page"));
        const Written after = writer.write(alone);
        const Written same = write(writer, capture_of("https://example.com/2", "the front page"));

        EXPECT_FALSE(before.is_revisit);
        EXPECT_FALSE(page.is_revisit);
        EXPECT_FALSE(after.is_revisit);
        EXPECT_TRUE(same.is_revisit);
        co_return;
    });
}

TEST(WarcWriter, WhatIsCommittedTogetherIsInOneFileEvenIfItIsFull) {
    aio::simulate([]() -> Co<> {
        WarcWriter writer("archive", {.bytes_max = 1});
        Capture second = capture_of("https://example.com/2", "2");
        second.stays_in_file = true;

        const Written one = write(writer, capture_of("https://example.com/1", "1"));
        const Written two = writer.write(second);
        const Written three = write(writer, capture_of("https://example.com/3", "3"));

        EXPECT_EQ(one.response.file, two.response.file);
        EXPECT_EQ(one.end, two.response.offset);
        EXPECT_NE(two.response.file, three.response.file);
        co_return;
    });
}

TEST(WarcWriter, FilesRollAtOneGibibyte) {
    EXPECT_EQ(WarcOptions{}.bytes_max, 1_GiB);
}

TEST(WarcNames, OnlyTheirEndsCount) {
    EXPECT_TRUE(is_warc_name("a.warc"));
    EXPECT_TRUE(is_warc_name("a.warc.gz"));
    EXPECT_TRUE(is_warc_name("a.warc.zst"));
    EXPECT_FALSE(is_warc_name("a.warc.gz.tmp"));
    EXPECT_FALSE(is_warc_name("a.gz"));
}

}  // namespace
}  // namespace weft::archive

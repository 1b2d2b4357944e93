#include "archive/warc/warc_reader.h"

#include <gtest/gtest.h>

#include "archive/sample_file.h"
#include "archive/warc/record_check.h"
#include "archive/warc/zstd_frame.h"
#include "base/limits.h"
#include "base/random.h"
#include "support/read_warc.h"

namespace weft::archive {
namespace {

// Everything the reader says about a file fed in pieces of `step` bytes, as one text.
std::string tell(std::string_view file, std::size_t step) {
    WarcReader reader;
    std::string story;
    bool is_over = false;
    const auto take_events = [&] {
        while (!is_over) {
            const auto event = reader.next();
            if (!event) {
                story += describe(event.error());
                is_over = true;
            } else if (std::holds_alternative<NeedBytes>(*event)) {
                return;
            } else if (std::holds_alternative<FileEnd>(*event)) {
                story += "end";
                is_over = true;
            } else if (const auto* start = std::get_if<RecordStart>(&*event)) {
                story += fmt::format("{} {} [", start->offset, start->header.type());
            } else if (const auto* bytes = std::get_if<RecordBytes>(&*event)) {
                story += bytes->bytes;
            } else if (const auto* end = std::get_if<RecordEnd>(&*event)) {
                story +=
                    fmt::format("] {} {} {}\n", end->length, end->is_complete, end->has_stray_line);
            }
        }
    };
    for (std::size_t at = 0; at < file.size(); at += step) {
        reader.feed(file.substr(at, step));
        take_events();
    }
    reader.finish();
    take_events();
    return story;
}

class WarcReaderOfEveryKind : public testing::TestWithParam<Packing> {};
INSTANTIATE_TEST_SUITE_P(, WarcReaderOfEveryKind,
                         testing::Values(Packing::none, Packing::gzip, Packing::zstd),
                         name_of_packing);

TEST_P(WarcReaderOfEveryKind, ReadsBackWhatIsWritten) {
    const SampleFile file = make_sample_file(GetParam());

    const WarcContents contents = read_warc(file.bytes);

    EXPECT_FALSE(contents.error);
    ASSERT_EQ(contents.records.size(), file.offsets.size());
    for (std::size_t i = 0; i < contents.records.size(); ++i) {
        const StoredRecord& record = contents.records[i];
        EXPECT_EQ(record.end.offset, file.offsets[i]);
        EXPECT_TRUE(record.end.is_complete);
        EXPECT_FALSE(record.end.has_stray_line);
        RecordCheck check(record.header);
        check.update(record.block);
        EXPECT_NE(check.finish(true), Verdict::wrong);
    }
    EXPECT_TRUE(contents.records[1].block.ends_with("5\r\nhello\r\n0\r\n\r\n"));
    EXPECT_EQ(contents.records[3].header.get("WARC-Refers-To-Date"), "2026-03-01T12:00:00Z");
}

TEST_P(WarcReaderOfEveryKind, PiecesOfAnySizeGiveTheSame) {
    const SampleFile file = make_sample_file(GetParam());
    const std::string whole = tell(file.bytes, file.bytes.size());

    for (const std::size_t step : {1u, 2u, 3u, 7u, 100u, 1'000u})
        EXPECT_EQ(tell(file.bytes, step), whole);
}

TEST_P(WarcReaderOfEveryKind, FileCutAtAnyByteGivesTheWholeRecordsBeforeH91) {
    const SampleFile file = make_sample_file(GetParam());

    for (std::size_t cut = 0; cut < file.bytes.size(); ++cut) {
        const WarcContents contents = read_warc(std::string_view(file.bytes).substr(0, cut));
        std::size_t whole_count = 0;
        while (whole_count + 1 < file.offsets.size() && file.offsets[whole_count + 1] <= cut) {
            ++whole_count;
        }
        ASSERT_GE(contents.records.size(), whole_count) << cut;
        for (std::size_t i = 0; i < whole_count; ++i) {
            EXPECT_TRUE(contents.records[i].end.is_complete) << cut;
        }
        ASSERT_LE(contents.records.size(), whole_count + 1) << cut;
    }
}

TEST_P(WarcReaderOfEveryKind, NoFlippedByteDoesHarmH91) {
    const SampleFile file = make_sample_file(GetParam());

    for (std::size_t at = 0; at < file.bytes.size(); ++at) {
        std::string damaged = file.bytes;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x55);
        EXPECT_LE(read_warc(damaged).records.size(), file.offsets.size() + 1);
    }
}

TEST(WarcReader, GarbageAfterTheLastMemberIsAnErrorH91) {
    for (const Packing packing : {Packing::gzip, Packing::zstd}) {
        const SampleFile file = make_sample_file(packing);

        const WarcContents contents = read_warc(file.bytes + std::string(16, '\0'));

        EXPECT_EQ(contents.records.size(), file.offsets.size());
        EXPECT_EQ(contents.error, WarcError::bad_packing);
    }
}

TEST(WarcReader, MemberWithoutItsLastByteIsCutH91) {
    for (const Packing packing : {Packing::gzip, Packing::zstd}) {
        std::string file = make_sample_file(packing).bytes;
        EXPECT_FALSE(read_warc(file).records.back().end.is_member_cut);

        file.pop_back();

        const WarcContents contents = read_warc(file);
        EXPECT_FALSE(contents.error);
        EXPECT_TRUE(contents.records.back().end.is_member_cut);
    }
}

TEST(WarcReader, LargeRecordsReadBackTheSame) {
    std::string block(2'500'000, '\0');
    Random random(7);
    for (char& byte : block) byte = static_cast<char>(random() & 0x1F);
    for (const Packing packing : {Packing::none, Packing::gzip, Packing::zstd}) {
        std::string file;
        RecordPacker packer({packing});
        for (int i = 0; i < 2; ++i) {
            const std::string head =
                fmt::format("WARC/1.1\r\nContent-Length: {}\r\n\r\n", block.size());
            packer.append(std::vector<std::string_view>{head, block, "\r\n\r\n"}, file);
        }

        const WarcContents contents = read_warc(file);

        EXPECT_FALSE(contents.error);
        ASSERT_EQ(contents.records.size(), 2u);
        for (const StoredRecord& record : contents.records) EXPECT_EQ(record.block, block);
    }
}

TEST(WarcReader, FramesThatHoldNothingArePassedOver) {
    const std::string skippable("\x50\x2A\x4D\x18\x03\0\0\0abc", 11);
    const SampleFile file = make_sample_file(Packing::zstd);

    const WarcContents contents = read_warc(skippable + file.bytes);

    EXPECT_FALSE(contents.error);
    ASSERT_EQ(contents.records.size(), file.offsets.size());
    EXPECT_EQ(contents.records[0].end.offset, skippable.size());
}

TEST(WarcReader, EmptyFileHasNoRecords) {
    EXPECT_EQ(tell("", 1), "end");
    EXPECT_EQ(tell("\r\n\r\n", 1), "end");
}

TEST(WarcReader, OtherFilesAreRefused) {
    EXPECT_EQ(read_warc("<!doctype html>\n").error, WarcError::not_a_record);
    EXPECT_EQ(read_warc(std::string(1 << 20, 'x')).error, WarcError::not_a_record);
    EXPECT_EQ(read_warc("WARC/1.0\r\nWARC-Type: x\r\n\r\n").error, WarcError::bad_length);
    EXPECT_EQ(read_warc("WARC/1.0\r\nContent-Length: -1\r\n\r\n").error, WarcError::bad_length);
    EXPECT_EQ(read_warc("WARC/1.0\r\nContent-Length: 99999999999999999999\r\n\r\n").error,
              WarcError::bad_length);
    EXPECT_EQ(read_warc("WARC/1.0\r\nContent-Length: 1\r\n").error, WarcError::truncated_header);
}

TEST(WarcReader, HeaderWithoutEndIsRefusedAtItsLimit) {
    std::string header = "WARC/1.0\r\nContent-Length: 0\r\n";
    header += "X: " + std::string(limits::kWarcHeaderBytesMax - header.size() - 7, 'x');

    EXPECT_FALSE(read_warc(header + "\r\n\r\n").error);
    EXPECT_EQ(read_warc(header + "x\r\n\r\n").error, WarcError::header_too_long);
    EXPECT_EQ(read_warc(header + std::string(1 << 20, 'x')).error, WarcError::header_too_long);
}

// Found by the fuzzer: read as a whole, a line feed behind the bound counted; in pieces it did not.
TEST(WarcReader, ALineOverTheBoundIsRefusedHoweverTheFileIsCut) {
    const std::string record = "WARC/1.0\r\nContent-Length: 1\r\n\r\nx";
    for (const std::string& before : {record, std::string()}) {
        for (const std::size_t size :
             {limits::kWarcHeaderBytesMax, limits::kWarcHeaderBytesMax + 1}) {
            const std::string file = before + std::string(size, ' ') + "\n" + record;
            const std::string whole = tell(file, file.size());

            EXPECT_EQ(whole, tell(file, 1'000));
            EXPECT_EQ(whole, tell(file, 7));
            EXPECT_EQ(whole.ends_with("end"), size == limits::kWarcHeaderBytesMax) << whole;
        }
    }
}

TEST(WarcReader, AcceptsBareLineFeeds) {
    EXPECT_EQ(tell("WARC/0.18\nWARC-Type: response\nContent-Length: 2\n\nab\n\n", 1),
              "0 response [ab] 51 true false\nend");
}

TEST(WarcReader, RepairsTheTargetsOfKnownWriters) {
    const auto uri_of = [](std::string_view value) {
        return WarcHeader::parse(
                   fmt::format("WARC/1.0\r\nWARC-Target-URI: {}\r\nContent-Length: 0\r\n\r\n",
                               value))
            ->target_uri();
    };

    EXPECT_EQ(uri_of("<http://example.com/>"), "http://example.com/");
    EXPECT_EQ(uri_of("file:///a b.png"), "file:///a%20b.png");
}

TEST(WarcReader, ADamagedFrameTellsTheSameHoweverItIsCut) {
    std::string body(400'000, '\0');
    Random random(5);
    for (char& byte : body) byte = static_cast<char>('a' + random() % 16);
    const std::string head =
        fmt::format("WARC/1.1\r\nWARC-Type: resource\r\nContent-Length: {}\r\n\r\n", body.size());
    std::string file;
    ZstdPacker().append_frame(std::vector<std::string_view>{head, body, "\r\n\r\n"}, file);
    file.back() ^= 1;  // Of the checksum: all blocks are good.

    const std::string whole = tell(file, file.size());

    EXPECT_TRUE(whole.starts_with("0 resource [" + body.substr(0, 1'000))) << whole.substr(0, 80);
    EXPECT_TRUE(whole.ends_with("the compressed data is damaged"));
    for (const std::size_t step : {1u, 7u, 1'000u, 50'000u})
        EXPECT_EQ(tell(file, step), whole) << step;
}

TEST(WarcReader, ABlockBeforeADamagedBlockTellsTheSameHoweverItIsCut) {
    // A frame with a window of 1 KiB, a raw block of 16 bytes, and a block of no known kind.
    const std::string file("\x28\xB5\x2F\xFD\0\0\x80\0\0none of a recor\n\x07\0\0", 28);

    const std::string whole = tell(file, file.size());

    EXPECT_EQ(whole, "not a WARC record: it does not begin with WARC/");
    for (const std::size_t step : {1u, 2u, 3u, 5u, 20u}) EXPECT_EQ(tell(file, step), whole) << step;
}

}  // namespace
}  // namespace weft::archive

#include "archive/warc/warc_repair.h"

#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "aio/simulated/simulation.h"
#include "archive/warc/warc_writer.h"

namespace weft::archive {
namespace {

// Counts what is read of a file.
class CountedFile final : public aio::File {
public:
    explicit CountedFile(std::unique_ptr<aio::File> file) : file_(std::move(file)) {}
    void append(std::string_view bytes) override { file_->append(bytes); }
    std::size_t read_at(std::uint64_t offset, std::span<char> room) override {
        const std::size_t count = file_->read_at(offset, room);
        read_bytes += count;
        return count;
    }
    std::uint64_t size() override { return file_->size(); }
    void truncate(std::uint64_t size) override { file_->truncate(size); }
    void sync() override { file_->sync(); }

    std::uint64_t read_bytes = 0;

private:
    std::unique_ptr<aio::File> file_;
};

struct Archive {
    std::string name;
    std::string bytes;
    std::vector<std::uint64_t> places;
};

Archive make_archive(Packing packing, std::size_t page_count, const std::string& body) {
    aio::SimulatedLoop loop;
    return loop.run([](aio::SimulatedLoop& simulation, Packing packed, std::size_t count,
                       std::string content) -> aio::Co<Archive> {
        Archive archive;
        WarcWriter writer("archive", {.compression = {packed}, .bytes_max = 1_GiB});
        for (std::size_t i = 0; i < count; ++i) {
            Capture capture;
            capture.target_uri = "http://a.test/" + std::to_string(i);
            const std::string head = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n";
            capture.request = "GET / HTTP/1.1\r\n\r\n";
            capture.response = head + std::to_string(i) + content;
            capture.response_body = head.size();
            const ArchivePlace place = writer.write(capture).response;
            archive.name = place.file;
            archive.places.push_back(place.offset);
        }
        archive.bytes = simulation.files().read_all("archive/" + archive.name, 1_GiB);
        co_return archive;
    }(loop, packing, page_count, body));
}

struct Found {
    WarcScan scan;
    std::vector<std::string> urls;
    std::uint64_t read_bytes = 0;
};

Found scan(const Archive& archive, const WarcKnown& known = {}) {
    aio::MemoryFiles files;
    files.open("file", aio::OpenMode::create)->append(archive.bytes);
    CountedFile file(files.open("file", aio::OpenMode::read));
    Found found;
    found.scan = scan_warc(file, archive.name, known, [&](const GoodAnswer& answer) {
        found.urls.push_back(answer.entry.url);
    });
    found.read_bytes = file.read_bytes;
    return found;
}

constexpr auto kPackings = {Packing::none, Packing::gzip, Packing::zstd};

TEST(WarcRepair, AWholeFileHasNoDamage) {
    for (const Packing packing : kPackings) {
        const Found found = scan(make_archive(packing, 10, "text"));
        EXPECT_TRUE(found.scan.damaged.empty());
        EXPECT_EQ(found.urls.size(), 10u);
        EXPECT_EQ(found.scan.record_count, 21u);
    }
}

TEST(WarcRepair, DamageAnywhereCostsAtMostTheRecordsItHits) {
    for (const Packing packing : kPackings) {
        const Archive whole = make_archive(packing, 6, "text");
        for (std::size_t at = 0; at < whole.bytes.size(); at += 3) {
            Archive damaged = whole;
            damaged.bytes[at] = static_cast<char>(damaged.bytes[at] ^ 0x41);
            const Found found = scan(damaged, {whole.places});
            EXPECT_GE(found.scan.record_count, 11u) << at;
            EXPECT_GE(found.urls.size(), 5u) << at;
        }
    }
}

TEST(WarcRepair, WhatIsKeptIsWhole) {
    for (const Packing packing : kPackings) {
        const Archive whole = make_archive(packing, 6, "text");
        for (std::size_t at = 0; at < whole.bytes.size(); at += 7) {
            Archive damaged = whole;
            damaged.bytes[at] = static_cast<char>(damaged.bytes[at] ^ 0x41);
            const Found found = scan(damaged);
            Archive kept{.name = whole.name, .bytes = {}, .places = {}};
            for (const FileSpan& range : found.scan.good) {
                kept.bytes += damaged.bytes.substr(range.begin, range.size());
            }
            const Found again = scan(kept);
            EXPECT_TRUE(again.scan.damaged.empty()) << at;
            EXPECT_EQ(again.urls, found.urls) << at;
        }
    }
}

// The time was quadratic: a thousand damaged records of 1 MB took minutes.
TEST(WarcRepair, ReadsAFileAFewTimesHoweverManyPlacesAreDamaged) {
    for (const Packing packing : kPackings) {
        std::map<std::size_t, double> share;
        for (const std::size_t count : {200u, 2'000u}) {
            Archive archive = make_archive(packing, count, std::string(200, 'x'));
            for (const std::uint64_t place : archive.places) {
                for (std::size_t i = 30; i < 40; ++i) archive.bytes[place + i] ^= 0x55;
            }
            const Found found = scan(archive);
            EXPECT_EQ(found.urls.size(), 0u);
            share[count] =
                static_cast<double>(found.read_bytes) / static_cast<double>(archive.bytes.size());
        }
        EXPECT_LT(share[2'000], 2 * share[200]);
        EXPECT_LT(share[2'000], 300);  // Each place costs a look of 16 KiB; a record has 300 bytes.
    }
}

// A page full of what looks like the beginnings of records.
TEST(WarcRepair, PagesThatLookLikeRecordsDoNotMakeItSlow) {
    for (const char* text : {"WARC/1.1\r\n", "WARC/1.1\r\nWARC-Warcinfo-ID: <urn:uuid:1>\r\n"}) {
        std::string body;
        while (body.size() < 300'000) body += text;
        Archive archive = make_archive(Packing::none, 2, body);
        archive.bytes[archive.places[0] + 3] = '#';
        const Found found = scan(archive, {archive.places});
        EXPECT_EQ(found.urls, std::vector<std::string>{"http://a.test/1"});
        EXPECT_LT(found.read_bytes, 20 * archive.bytes.size());
    }
}

}  // namespace
}  // namespace weft::archive

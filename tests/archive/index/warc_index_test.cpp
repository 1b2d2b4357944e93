#include "archive/index/warc_index.h"

#include <gtest/gtest.h>

#include "archive/sample_file.h"

namespace weft::archive {
namespace {

std::string index_of(std::string_view bytes) {
    std::string lines;
    RecordIndexer indexer("sample.warc.gz");
    WarcReader reader;
    reader.feed(bytes);
    reader.finish();
    for (;;) {
        const auto event = reader.next();
        if (!event) return lines += describe(event.error());
        if (std::holds_alternative<FileEnd>(*event)) return lines;
        if (const auto* start = std::get_if<RecordStart>(&*event)) indexer.begin(*start);
        if (const auto* piece = std::get_if<RecordBytes>(&*event)) indexer.take(piece->bytes);
        const auto* end = std::get_if<RecordEnd>(&*event);
        const auto entry = end ? indexer.finish(*end) : std::nullopt;
        if (entry) lines += make_cdxj_line(*entry);
    }
}

class WarcIndex : public testing::TestWithParam<Packing> {};
INSTANTIATE_TEST_SUITE_P(, WarcIndex, testing::Values(Packing::none, Packing::gzip, Packing::zstd),
                         name_of_packing);

TEST_P(WarcIndex, HasALineForEachAnswer) {
    const SampleFile file = make_sample_file(GetParam());

    EXPECT_EQ(index_of(file.bytes), file.index);
}

TEST_P(WarcIndex, LeavesOutWhatIsCutOffH91) {
    const SampleFile file = make_sample_file(GetParam());
    const std::string first = file.index.substr(0, file.index.find('\n') + 1);

    // Inside the revisit.
    EXPECT_EQ(index_of(std::string_view(file.bytes).substr(0, file.offsets[4] - 10)), first);
}

}  // namespace
}  // namespace weft::archive

#include "archive/index/warc_index.h"

#include <gtest/gtest.h>

#include "archive/sample_file.h"
#include "support/scratch.h"

namespace weft::archive {
namespace {

std::string index_of(std::string_view bytes) {
    const tests::Scratch scratch;
    scratch.write("sample.warc.gz", bytes);
    const std::unique_ptr<aio::File> file =
        aio::SystemFiles().open(scratch / "sample.warc.gz", aio::OpenMode::read);
    std::string lines;
    const auto result = index_warc(*file, "sample.warc.gz",
                                   [&](const CdxEntry& entry) { lines += make_cdxj_line(entry); });
    if (!result) lines += describe(result.error());
    return lines;
}

class WarcIndex : public testing::TestWithParam<Packing> {};
INSTANTIATE_TEST_SUITE_P(, WarcIndex, testing::Values(Packing::none, Packing::gzip, Packing::zstd),
                         [](const auto& info) { return std::string(name(info.param)); });

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

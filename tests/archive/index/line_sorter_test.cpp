#include "archive/index/line_sorter.h"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "archive/index/line_reader.h"
#include "base/random.h"
#include "support/scratch.h"

namespace weft::archive {
namespace {

std::vector<std::string> made_lines(std::size_t count) {
    Random random(11);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < count; ++i) {
        lines.push_back(
            fmt::format("{:x} {}\n", random() % 5'000, std::string(random() % 60, 'x')));
    }
    return lines;
}

class LineSorterWithMemory : public testing::TestWithParam<std::size_t> {};
// From all in memory to more runs than are merged at once.
INSTANTIATE_TEST_SUITE_P(, LineSorterWithMemory, testing::Values(64_MiB, 64_KiB, 2_KiB));

TEST_P(LineSorterWithMemory, GivesAllLinesInOrderAndLeavesNothing) {
    const tests::Scratch scratch;
    aio::SystemFiles files;
    std::vector<std::string> lines = made_lines(5'000);
    std::vector<std::string> sorted;

    LineSorter sorter(files, scratch / "run", GetParam());
    for (const std::string& line : lines) sorter.add(line);
    sorter.finish([&](std::string_view line) { sorted.emplace_back(line); });

    std::ranges::sort(lines);
    EXPECT_EQ(sorted, lines);
    EXPECT_TRUE(files.list(scratch.path()).empty());
}

TEST(LineSorter, OneThatIsGivenUpLeavesNothing) {
    const tests::Scratch scratch;
    aio::SystemFiles files;
    {
        LineSorter sorter(files, scratch / "run", 1_KiB);
        for (const std::string& line : made_lines(500)) sorter.add(line);
        EXPECT_FALSE(files.list(scratch.path()).empty());
    }
    EXPECT_TRUE(files.list(scratch.path()).empty());
}

TEST(LineReader, GivesWholeLinesAndWhereTheyAre) {
    const tests::Scratch scratch;
    const std::string long_line(1'000'000, 'x');
    scratch.write("lines", "one\n\n" + long_line + "\nbeing writ");
    const std::unique_ptr<aio::File> file =
        aio::SystemFiles().open(scratch / "lines", aio::OpenMode::read);

    LineReader lines(*file);

    EXPECT_EQ(lines.next(), "one\n");
    EXPECT_EQ(lines.next(), "\n");
    EXPECT_EQ(lines.line_offset(), 4u);
    EXPECT_EQ(lines.next(), long_line + "\n");
    EXPECT_EQ(lines.line_offset(), 5u);
    EXPECT_EQ(lines.next(), std::nullopt);
    EXPECT_EQ(lines.offset(), 5u + long_line.size() + 1);
    EXPECT_EQ(LineReader(*file, 4).next(), "\n");
}

TEST(LineReader, ALineThatIsTooLongIsSkippedOnlyOnceItHasEnded) {
    const tests::Scratch scratch;
    scratch.write("lines", "one\n");
    std::filesystem::resize_file(scratch / "lines", LineReader::kLineBytesMax + 1_MiB);  // Zeros.
    const std::unique_ptr<aio::File> file =
        aio::SystemFiles().open(scratch / "lines", aio::OpenMode::read);
    LineReader lines(*file);

    EXPECT_EQ(lines.next(), "one\n");
    EXPECT_EQ(lines.next(), std::nullopt);
    EXPECT_EQ(lines.offset(), 4u);

    std::ofstream(scratch / "lines", std::ios::app) << "\nlast\n";
    EXPECT_EQ(lines.next(), "last\n");
    EXPECT_EQ(lines.line_offset(), LineReader::kLineBytesMax + 1_MiB + 1);
}

}  // namespace
}  // namespace weft::archive

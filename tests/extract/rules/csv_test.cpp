#include "extract/rules/csv.h"

#include <string>

#include <gtest/gtest.h>

namespace weft::extract {
namespace {

std::string cell(std::string_view text) {
    std::string out;
    append_csv_cell(text, out);
    return out;
}

TEST(Csv, QuotesWhatNeedsIt) {
    EXPECT_EQ(cell(""), "");
    EXPECT_EQ(cell("plain text"), "plain text");
    EXPECT_EQ(cell("a,b"), "\"a,b\"");
    EXPECT_EQ(cell("say \"x\""), "\"say \"\"x\"\"\"");
    EXPECT_EQ(cell("two\nlines"), "\"two\nlines\"");
    EXPECT_EQ(cell("a\r\nb"), "\"a\r\nb\"");
    EXPECT_EQ(cell(" a"), "\" a\"");
    EXPECT_EQ(cell("a\tb"), "a\tb");
}

TEST(Csv, H103ACellIsNoFormula) {
    for (const char* text : {"=1+1", "+1", "-1", "@sum"})
        EXPECT_EQ(cell(text), "'" + std::string(text));
    EXPECT_EQ(cell("\t=1"), "'\t=1");
    EXPECT_EQ(cell("\r=1"), "\"'\r=1\"");
    EXPECT_EQ(cell("1=1"), "1=1");
}

TEST(Csv, HostileBytesBecomeReplacementCharacters) {
    EXPECT_EQ(cell("a\xFF\x1B[2J"), "a\xEF\xBF\xBD\xEF\xBF\xBD[2J");
    EXPECT_EQ(cell(std::string_view("\0", 1)), "\xEF\xBF\xBD");
    EXPECT_EQ(cell("é"), "é");
}

TEST(Csv, ATableHasAColumnForEachName) {
    const CsvTable table({"page_url"}, {"name", "tags", "name"});
    std::string out;
    table.append_names(out);
    table.append_row(
        {"https://a.test/"},
        {{"tags", {"x", "y, z"}, true}, {"name", {"N"}, false}, {"other", {"o"}, false}}, out);
    table.append_row({"https://b.test/"}, {}, out);

    EXPECT_EQ(out,
              "page_url,name,tags\r\n"
              "https://a.test/,N,\"x; y, z\"\r\n"
              "https://b.test/,,\r\n");
}

}  // namespace
}  // namespace weft::extract

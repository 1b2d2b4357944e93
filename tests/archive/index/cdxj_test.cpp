#include "archive/index/cdxj.h"

#include <gtest/gtest.h>

namespace weft::archive {
namespace {

TEST(SurtKey, ReversesTheHostAndSortsTheQuery) {
    EXPECT_EQ(surt_key("http://example.com/"), "com,example)/");
    EXPECT_EQ(surt_key("https://www.Example.com/A/b?z=1&a=2"), "com,example)/a/b?a=2&z=1");
    EXPECT_EQ(surt_key("http://www2.example.co.uk/"), "uk,co,example)/");
    EXPECT_EQ(surt_key("http://wwwx.example.com/"), "com,example,wwwx)/");
    EXPECT_EQ(surt_key("http://127.0.0.1:8080/x"), "1,0,0,127:8080)/x");
}

TEST(SurtKey, LeavesOutWhatDoesNotTellPagesApart) {
    EXPECT_EQ(surt_key("https://example.com:443/"), "com,example)/");
    EXPECT_EQ(surt_key("http://example.com:80/"), "com,example)/");
    EXPECT_EQ(surt_key("http://example.com:443/"), "com,example:443)/");
    EXPECT_EQ(surt_key("http://user:secret@example.com/"), "com,example)/");
    EXPECT_EQ(surt_key("http://example.com/a#part?x"), "com,example)/a");
    EXPECT_EQ(surt_key("http://example.com?"), "com,example)/");
    EXPECT_EQ(surt_key("http://example.com?b&a"), "com,example)/?a&b");
}

TEST(SurtKey, KeepsAddressesOfVersion6Whole) {
    EXPECT_EQ(surt_key("http://[2001:db8::1]/"), "[2001:db8::1])/");
    EXPECT_EQ(surt_key("http://[2001:db8::1]:81/"), "[2001:db8::1]:81)/");
}

TEST(SurtKey, OtherSchemesAreTheirOwnKeyOnOneWord) {
    EXPECT_EQ(surt_key("urn:X-log"), "urn:X-log");
    EXPECT_EQ(surt_key("file:///a b\n"), "file:///a%20b%0A");
}

// The URL is what a WARC file or a page log says it is: its line end began another line.
TEST(SurtKey, AKeyOfTheWebIsOneWordToo) {
    EXPECT_EQ(surt_key("http://a.test/b c\n\t?q=1 2&\n"), "test,a)/b%20c%0A%09?%0A&q=1%202");
    EXPECT_EQ(surt_key("http://a.test \n/"), "test%20%0A,a)/");
}

TEST(Cdxj, LineHoldsKeyTimeAndPlace) {
    CdxEntry entry;
    entry.target_uri = "http://example.com/?q=\"1\"";
    entry.date = WallTime(std::chrono::seconds(1'772'366'400));
    entry.mime = "text/html";
    entry.status = 200;
    entry.digest = "sha1:G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK";
    entry.filename = "a.warc.gz";
    entry.offset = 784;
    entry.length = 1'228;

    EXPECT_EQ(make_cdxj_line(entry),
              "com,example)/?q=\"1\" 20260301120000 {\"url\":\"http://example.com/?q=\\\"1\\\"\","
              "\"mime\":\"text/html\",\"status\":\"200\","
              "\"digest\":\"G7HRM7BGOKSKMSXZAHMUQTTV53QOFSMK\",\"length\":\"1228\","
              "\"offset\":\"784\",\"filename\":\"a.warc.gz\"}\n");
}

}  // namespace
}  // namespace weft::archive

#include <gtest/gtest.h>

#include "conformance.h"
#include "web/url/base64.h"
#include "web/url/data_url.h"

namespace weft::suites {
namespace {

// What the URL parser makes of these inputs: controls and non-ASCII escaped. The rows with "//"
// have an authority and are left to the URL parser's own suite.
std::string serialized(const std::string& url) {
    std::string out;
    for (char c : url) {
        const auto byte = static_cast<unsigned char>(c);
        const bool is_plain = byte > 0x1F && byte <= 0x7E;
        out += is_plain ? std::string(1, c) : fmt::format("%{:02X}", byte);
    }
    return out;
}

std::string bytes_of_array(const Json& numbers) {
    std::string out;
    for (int byte : numbers) out += static_cast<char>(byte);
    return out;
}

}  // namespace

TEST(DataUrlSuite, Urls) {
    WEFT_NEED_SUITE("mime_misc");
    for (const Json& row : suites::rows("mime_misc/data-urls.json")) {
        const std::string url = row[0];
        if (url.starts_with("data://")) continue;
        const auto data = web::DataUrl::parse(serialized(url));
        ASSERT_EQ(data.has_value(), !row[1].is_null()) << row;
        if (!data) continue;
        EXPECT_EQ(Json(data->mime.serialize()), row[1]) << row;
        EXPECT_EQ(data->body, bytes_of_array(row[2])) << row;
    }
}

TEST(DataUrlSuite, Base64) {
    WEFT_NEED_SUITE("mime_misc");
    for (const Json& row : suites::rows("mime_misc/data-url-base64.json")) {
        const auto bytes = web::decode_base64(row[0].get<std::string>());
        ASSERT_EQ(bytes.has_value(), !row[1].is_null()) << row;
        if (bytes) EXPECT_EQ(*bytes, bytes_of_array(row[1])) << row;
    }
}

}  // namespace weft::suites

#include <set>

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "conformance.h"
#include "web/fields/mime.h"
#include "web/url/base64.h"
#include "web/url/data_url.h"

namespace weft::suites {
namespace {

// The standard's strings are bytes as code points; nothing where one is above U+00FF, which no
// header can hold.
std::optional<std::string> as_bytes(const std::string& text) {
    std::string out;
    for (std::string_view rest = text; !rest.empty();) {
        const Utf8Step step = utf8_step(rest);
        if (step.code_point > 0xFF) return std::nullopt;
        out += static_cast<char>(step.code_point);
        rest.remove_prefix(step.length);
    }
    return out;
}

void run_types(const std::string& file) {
    for (const Json& row : suites::rows(file)) {
        if (!row.is_object()) continue;
        const std::optional<std::string> input = as_bytes(row["input"]);
        if (!input) continue;
        const auto mime = web::MimeType::parse(*input);
        ASSERT_EQ(mime.has_value(), !row["output"].is_null()) << row;
        if (mime) EXPECT_EQ(mime->serialize(), as_bytes(row["output"])) << row;
    }
}

std::set<std::string> groups_of(const web::MimeType& mime) {
    std::set<std::string> out;
    if (mime.is_image()) out.insert("image");
    if (mime.is_audio_or_video()) out.insert("audio or video");
    if (mime.is_font()) out.insert("font");
    if (mime.is_zip_based()) out.insert("ZIP-based");
    if (mime.is_archive()) out.insert("archive");
    if (mime.is_xml()) out.insert("XML");
    if (mime.is_html()) out.insert("HTML");
    if (mime.is_scriptable()) out.insert("scriptable");
    if (mime.is_javascript()) out.insert("JavaScript");
    if (mime.is_json()) out.insert("JSON");
    return out;
}

}  // namespace

TEST(MimeSuite, Types) {
    WEFT_NEED_SUITE("mime_misc");
    run_types("mime_misc/mime-types.json");
    run_types("mime_misc/generated-mime-types.json");
}

TEST(MimeSuite, Groups) {
    WEFT_NEED_SUITE("mime_misc");
    for (const Json& row : suites::rows("mime_misc/mime-groups.json")) {
        const auto mime = web::MimeType::parse(row["input"].get<std::string>());
        ASSERT_TRUE(mime) << row;
        EXPECT_EQ(groups_of(*mime), row["groups"].get<std::set<std::string>>()) << row;
    }
}

TEST(MimeSuite, SeveralContentTypes) {
    WEFT_NEED_SUITE("mime_misc");
    for (const Json& row : suites::rows("mime_misc/content-types.json")) {
        const std::vector<std::string> values = row["contentType"];
        const std::vector<std::string_view> views(values.begin(), values.end());
        const auto mime = web::extract_mime_type(views);
        EXPECT_EQ(mime ? Json(mime->serialize()) : Json(), row["mimeType"]) << row;
    }
}

TEST(MimeSuite, NoSniff) {
    WEFT_NEED_SUITE("mime_misc");
    for (const Json& row : suites::rows("mime_misc/x-content-type-options.json")) {
        std::vector<std::string_view> values;
        const std::string input = row["input"];
        for (std::string_view rest = input; !rest.empty();) {
            const std::string_view line = rest.substr(0, rest.find("\r\n"));
            rest.remove_prefix(std::min(line.size() + 2, rest.size()));
            const std::size_t colon = line.find(':');
            if (!equals_ignore_case(line.substr(0, colon), "x-content-type-options")) continue;
            values.push_back(line.substr(colon + 1));
        }
        EXPECT_EQ(web::is_nosniff(values), row["nosniff"]) << row;
    }
}

}  // namespace weft::suites

#include <fmt/ranges.h>

#include "suites/conformance.h"
#include "web/charset/sniff_encoding.h"

namespace weft::web {

namespace {

std::string header_of(const nlohmann::json& row) {
    const nlohmann::json& header = row["http_content_type"];
    return header.is_null() ? "" : header.get<std::string>();
}

bool sniffs_as_expected(const nlohmann::json& row) {
    const Encoding encoding = sniff_encoding(suites::bytes_of(row, "bytes"), header_of(row));
    if (row.contains("expected_not")) {
        return encoding_for_label(row["expected_not"].get<std::string>()) != encoding;
    }
    return encoding_for_label(row["expected"].get<std::string>()) == encoding;
}

nlohmann::json name_or_null(const EncodingGuess& guess) {
    if (guess.source != EncodingSource::http_header) return nullptr;
    return name(guess.encoding);
}

}  // namespace

TEST(SniffEncodingSuite, Documents) {
    WEFT_SUITE(rows, "charset_sniff/sniff.json");
    int late_count = 0;
    for (const auto& row : rows) {
        EXPECT_TRUE(sniffs_as_expected(row)) << row["src"] << " " << row["expected"];
        late_count += row.value("beyond_prescan", false);
    }
    RecordProperty("beyond_prescan", late_count);
}

TEST(SniffEncodingSuite, AFinalGuessStaysWhateverBytesFollow) {
    WEFT_SUITE(rows, "charset_sniff/sniff.json");
    for (const auto& row : rows) {
        const std::string bytes = suites::bytes_of(row, "bytes");
        const std::string header = header_of(row);
        const Encoding expected = sniff_encoding(bytes, header);
        for (std::size_t size = 0; size <= std::min<std::size_t>(bytes.size(), 1400); ++size) {
            const auto guess = guess_encoding(std::string_view(bytes).substr(0, size), header);
            ASSERT_TRUE(!guess.is_final || guess.encoding == expected) << row["src"] << " " << size;
        }
    }
}

TEST(SniffEncodingSuite, CharsetsOfMimeTypes) {
    for (const char* path : {"mime_misc/mime-types.json", "mime_misc/generated-mime-types.json"}) {
        WEFT_SUITE(rows, path);
        for (const auto& row : rows) {
            if (!row.is_object() || !row.contains("encoding")) continue;
            const auto guess = guess_encoding("<p>", row["input"].get<std::string>());
            EXPECT_EQ(name_or_null(guess), row["encoding"]) << row;
        }
    }
}

TEST(SniffEncodingSuite, CharsetsOfSeveralHeaders) {
    WEFT_SUITE(rows, "mime_misc/content-types.json");
    for (const auto& row : rows) {
        const auto headers = row["contentType"].get<std::vector<std::string>>();
        const std::string joined = fmt::format("{}", fmt::join(headers, ", "));
        EXPECT_EQ(name_or_null(guess_encoding("<p>", joined)), row["encoding"]) << row;
    }
}

}  // namespace weft::web

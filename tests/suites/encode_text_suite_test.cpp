#include "suites/conformance.h"
#include "web/charset/encode_text.h"
#include "web/charset/encoding.h"

namespace weft::web {

TEST(EncodeTextSuite, EncodeRows) {
    WEFT_SUITE(rows, "encoding/encode_rows.json");
    for (const auto& row : rows) {
        const std::string bytes = encode_text(encoding_for_label(row[0].get<std::string>()).value(),
                                              row[1].get<std::string>());
        EXPECT_EQ(to_hex(bytes), row[2].get<std::string>()) << row;
    }
}

TEST(EncodeTextSuite, QueriesOfLegacyPages) {
    WEFT_SUITE(rows, "url/percent-encoding.json");
    ByteSet query;  // The URL standard's special-query percent-encode set.
    for (unsigned byte = 0; byte < 256; ++byte) {
        query[byte] = byte <= 0x20 || byte >= 0x7F || byte == '"' || byte == '#' || byte == '<' ||
                      byte == '>' || byte == '\'';
    }
    for (const auto& row : rows) {
        for (const auto& [label, expected] : row["output"].items()) {
            EXPECT_EQ(percent_encode(encoding_for_label(label).value(),
                                     row["input"].get<std::string>(), query),
                      expected.get<std::string>());
        }
    }
}

}  // namespace weft::web

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

}  // namespace weft::web

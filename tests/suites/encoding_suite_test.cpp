#include "suites/conformance.h"
#include "web/decode_text.h"
#include "web/encoding.h"

namespace weft::web {

namespace {

Encoding encoding_of(const nlohmann::json& label) {
    return encoding_for_label(label.get<std::string>()).value();
}

std::vector<std::string> pieces_of(std::string_view bytes) {
    std::vector<std::string> pieces;
    for (const char byte : bytes) pieces.push_back({byte});
    return pieces;
}

// The text after each piece, the last with what finish() adds; ends before a piece that fails.
struct Decoded {
    std::vector<std::string> outputs;
    std::string text;
    bool failed = false;
};

Decoded decode(TextDecoder decoder, const std::vector<std::string>& pieces) {
    Decoded decoded;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        std::string text;
        decoded.failed =
            !decoder.feed(pieces[i], text) || (i + 1 == pieces.size() && !decoder.finish(text));
        if (decoded.failed) break;
        decoded.outputs.push_back(text);
        decoded.text += text;
    }
    return decoded;
}

bool decodes_as_expected(const nlohmann::json& row) {
    const TextDecoder decoder(encoding_of(row["label"]),
                              {.fatal = row["fatal"], .keep_byte_order_mark = row["ignoreBOM"]});
    std::vector<std::string> chunks;
    for (const auto& hex : row["chunks"])
        chunks.push_back(suites::from_hex(hex.get<std::string>()));
    std::string all;
    for (const std::string& chunk : chunks) all += chunk;

    const Decoded whole = decode(decoder, chunks);
    const Decoded bytewise = decode(decoder, pieces_of(all));

    if (whole.failed != row["error"] || bytewise.failed != row["error"]) return false;
    if (row.contains("outputs") && nlohmann::json(whole.outputs) != row["outputs"]) return false;
    return row["error"] || (row["output"] == whole.text && row["output"] == bytewise.text);
}

}  // namespace

TEST(EncodingSuite, Labels) {
    WEFT_SUITE(rows, "encoding/labels.json");
    for (const auto& row : rows) {
        const auto encoding = encoding_for_label(row["label"].get<std::string>());
        EXPECT_EQ(encoding ? nlohmann::json(name(*encoding)) : nlohmann::json(), row["encoding"])
            << row;
    }
}

TEST(EncodingSuite, TextDecoder) {
    WEFT_SUITE(rows, "encoding/wpt_textdecoder.json");
    const std::set<std::string> misses = suites::known_misses("encoding");
    for (const auto& row : rows) {
        const std::string key = row["test"].get<std::string>() + " " + row["chunks"].dump();
        EXPECT_EQ(decodes_as_expected(row), !misses.contains(key)) << row;
    }
}

TEST(EncodingSuite, DecodeRows) {
    WEFT_SUITE(rows, "encoding/decode_rows.json");
    for (const auto& row : rows) {
        const Encoding encoding = encoding_of(row[0]);
        const std::string bytes = suites::from_hex(row[1].get<std::string>());
        EXPECT_EQ(decode_text(encoding, bytes), row[2].get<std::string>()) << row;
        EXPECT_EQ(decode(TextDecoder(encoding), pieces_of(bytes)).text, row[2].get<std::string>())
            << row;
    }
}

}  // namespace weft::web

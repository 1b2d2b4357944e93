#include "suites/conformance.h"
#include "web/charset/decode_text.h"
#include "web/charset/encoding.h"

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

Decoded decode(auto decoder, const std::vector<std::string>& pieces) {
    Decoded decoded;
    for (std::size_t i = 0; i < pieces.size() && !decoded.failed; ++i) {
        const bool is_last = i + 1 == pieces.size();
        std::string text;
        if constexpr (std::is_same_v<decltype(decoder), StrictTextDecoder>) {
            decoded.failed = !decoder.feed(pieces[i], text) || (is_last && !decoder.finish(text));
            if (decoded.failed) break;
        } else {
            decoder.feed(pieces[i], text);
            if (is_last) decoder.finish(text);
        }
        decoded.outputs.push_back(text);
        decoded.text += text;
    }
    return decoded;
}

bool decodes_as_expected(const nlohmann::json& row) {
    const Encoding encoding = encoding_of(row["label"]);
    const TextDecoderOptions options{.keep_byte_order_mark = row["ignoreBOM"]};
    const auto decode_pieces = [&](const std::vector<std::string>& pieces) {
        return row["fatal"] ? decode(StrictTextDecoder(encoding, options), pieces)
                            : decode(TextDecoder(encoding, options), pieces);
    };
    std::vector<std::string> chunks;
    for (const auto& hex : row["chunks"])
        chunks.push_back(suites::from_hex(hex.get<std::string>()));
    std::string all;
    for (const std::string& chunk : chunks) all += chunk;

    const Decoded whole = decode_pieces(chunks);
    const Decoded bytewise = decode_pieces(pieces_of(all));

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
        if (misses.contains(key)) suites::Tally::note_listed_miss();
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

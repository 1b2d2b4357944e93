// Every vector of compression/vectors.json, whole, byte by byte and in random pieces.

#include "base/bytes.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/units.h"
#include "suites/conformance.h"
#include "web/coding/decoder.h"

namespace weft::web {
namespace {

using Json = nlohmann::json;

Coding coding_of(std::string_view name) {
    if (name == "gzip") return Coding::gzip;
    if (name == "br") return Coding::brotli;
    if (name == "zstd") return Coding::zstd;
    return Coding::deflate;  // "zlib" and "deflate-raw".
}

Decoded decode_in_pieces(std::string_view body, const Codings& codings, std::size_t piece_bytes_max,
                         Random& random) {
    Decoder decoder(codings);
    Decoded decoded;
    std::string scratch(limits::kDecodeStepBytes, '\0');
    const auto sink = [&](std::string_view piece) { decoded.bytes += piece; };
    std::expected<void, DecodeError> result;
    while (result && !body.empty()) {
        const std::size_t size =
            piece_bytes_max > body.size() ? body.size() : 1 + random.below(piece_bytes_max);
        const std::string piece(body.substr(0, size));
        result = decoder.feed(piece, scratch, sink);
        body.remove_prefix(piece.size());
    }
    if (result) result = decoder.finish();
    if (!result) decoded.error = result.error();
    return decoded;
}

void expect_row(const Json& row, const Decoded& decoded) {
    const std::string name = row["src"];
    if (row["expect"] == "error") {
        EXPECT_TRUE(decoded.error) << name;
        return;
    }
    // RFC 9659: HTTP refuses what other zstd readers may take.
    if (row.value("note", "").starts_with("window")) {
        EXPECT_EQ(decoded.error, DecodeError::window_too_large) << name;
        return;
    }
    EXPECT_FALSE(decoded.error) << name << ": " << describe(*decoded.error);
    EXPECT_EQ(decoded.bytes.size(), row["size"].get<std::size_t>()) << name;
    EXPECT_EQ(to_hex(digest(DigestAlgorithm::sha256, decoded.bytes)), suites::text(row["sha256"]))
        << name;
}

// Every vector, in pieces of 1 to `piece_bytes_max` bytes.
void run_suite(std::size_t piece_bytes_max) {
    WEFT_SKIP_WITHOUT_CONFORMANCE();
    Random random(7);
    for (const Json& row : suites::rows("compression/vectors.json")) {
        // Debian's zstd 1.5.4 takes frames that newer ones refuse.
        if (row.contains("checked")) continue;
        const std::string body = row.contains("file")
                                     ? suites::read_file(suites::conformance_dir() / "compression" /
                                                         suites::text(row["file"]))
                                     : suites::bytes_of(row, "data");
        const Codings codings{.list = {coding_of(suites::text(row["encoding"]))}, .count = 1};
        expect_row(row, decode_in_pieces(body, codings, piece_bytes_max, random));
    }
}

}  // namespace

TEST(CompressionSuite, EveryVectorWhole) {
    run_suite(1U << 30);
}

TEST(CompressionSuite, EveryVectorByteByByte) {
    run_suite(1);
}

TEST(CompressionSuite, EveryVectorInRandomPieces) {
    run_suite(1000);
}

}  // namespace weft::web

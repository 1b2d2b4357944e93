#include "web/charset/utf8.h"

#include <random>

#include <gtest/gtest.h>

namespace weft::web::detail {

namespace {

// The definition, one sequence at a time.
std::size_t expected_prefix(std::string_view bytes) {
    std::size_t i = 0;
    while (i < bytes.size()) {
        const Utf8Sequence sequence = utf8_sequence(bytes.substr(i));
        if (sequence.kind != Utf8Sequence::Kind::valid) break;
        i += sequence.length;
    }
    return i;
}

// Mostly well-formed text of all lengths of sequences.
std::string random_text(std::mt19937& random, std::size_t sequence_count) {
    constexpr std::string_view kSequences[] = {"a",
                                               "<",
                                               "\xC2\x80",
                                               "\xDF\xBF",
                                               "\xE0\xA0\x80",
                                               "\xED\x9F\xBF",
                                               "\xEF\xBF\xBF",
                                               "\xF0\x90\x80\x80",
                                               "\xF4\x8F\xBF\xBF"};
    std::string text;
    for (std::size_t i = 0; i < sequence_count; ++i) {
        text += kSequences[random() % std::size(kSequences)];
    }
    return text;
}

}  // namespace

TEST(Utf8, AsciiEndsAtTheFirstHighByte) {
    for (std::size_t at = 0; at < 200; ++at) {
        std::string bytes(200, 'x');
        bytes[at] = '\x80';
        EXPECT_EQ(ascii_prefix(bytes), at);
    }
    EXPECT_EQ(ascii_prefix(std::string(200, '\x7F')), 200u);
    EXPECT_EQ(ascii_prefix(""), 0u);
}

TEST(Utf8, EveryPairOfBytesIsJudgedAlikeAtEveryPlace) {
    for (unsigned pair = 0; pair < 0x10000; ++pair) {
        std::string bytes(160, 'x');
        const std::size_t at = 30 + pair % 70;
        bytes[at] = static_cast<char>(pair >> 8);
        bytes[at + 1] = static_cast<char>(pair);
        ASSERT_EQ(valid_utf8_prefix(bytes), expected_prefix(bytes)) << pair << " at " << at;
        ASSERT_EQ(valid_utf8_prefix_portable(bytes), expected_prefix(bytes)) << pair;
    }
}

TEST(Utf8, OneWrongByteIsFoundInAnyText) {
    std::mt19937 random(1);
    for (int round = 0; round < 20'000; ++round) {
        std::string text = random_text(random, random() % 200);
        ASSERT_EQ(valid_utf8_prefix(text), text.size());

        if (!text.empty()) text[random() % text.size()] = static_cast<char>(random());

        ASSERT_EQ(valid_utf8_prefix(text), expected_prefix(text));
        ASSERT_EQ(valid_utf8_prefix_portable(text), expected_prefix(text));
        const std::string_view cut = std::string_view(text).substr(0, random() % (text.size() + 1));
        ASSERT_EQ(valid_utf8_prefix(cut), expected_prefix(cut));
    }
}

TEST(Utf8, MalformedPiecesAreMaximalSubparts) {
    using enum Utf8Sequence::Kind;
    struct Case {
        std::string_view bytes;
        Utf8Sequence::Kind kind;
        unsigned length;
    };
    for (const auto& [bytes, kind, length] :
         {Case{"\xF0\x9F\x92\xA9", valid, 4}, Case{"\xF0\x9F\x92", incomplete, 3},
          Case{"\xF0\x9F\x92x", malformed, 3}, Case{"\xE2\x82", incomplete, 2},
          Case{"\xE2\x28\xA1", malformed, 1}, Case{"\xC0\x80", malformed, 1},
          Case{"\xED\xA0\x80", malformed, 1}, Case{"\xF5\x80", malformed, 1}}) {
        const Utf8Sequence sequence = utf8_sequence(bytes);
        EXPECT_EQ(sequence.kind, kind);
        EXPECT_EQ(sequence.length, length);
    }
}

}  // namespace weft::web::detail

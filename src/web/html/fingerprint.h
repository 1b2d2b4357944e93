#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What makes two pages similar: their text and the pattern of their URLs.
namespace weft::web {

// A 64-bit simhash of a page's visible text: pages with almost the same words have fingerprints
// that differ in few bits. Text comes in pieces, and the end of a piece does not end a word.
//
// The features are runs of three words, with ASCII letters in lower case. So the order of words
// counts a little, and a changed date or counter changes little.
class TextFingerprint {
public:
    void add(std::string_view text);

    // The fingerprint of the text so far; 0 if it has no word.
    std::uint64_t finish();

    std::size_t word_count() const { return word_count_; }

private:
    void end_word();
    void count(std::uint64_t feature);

    std::uint64_t word_ = 0;  // The hash of the current word so far; 0 between words.
    std::array<std::uint64_t, 2> before_{};  // The hashes of the two words before it.
    std::size_t word_count_ = 0;
    // For each bit: the number of features that have it, minus those that do not.
    std::array<std::int32_t, 64> balance_{};
};

std::uint64_t text_fingerprint(std::string_view text);

// The number of bits that differ: about 4 of 64 if one word in a hundred was changed, about 32 for
// unrelated texts.
int fingerprint_distance(std::uint64_t a, std::uint64_t b);

// The pattern of a URL: numbers and generated words are replaced by their kind, so that the endless
// pages of a trap have one pattern. "/2031/02/17/post-99?sid=a1b2c3d4&page=7" becomes
// "/{date}/post-{n}?sid={hex}&page={n}". Kinds: {date}, {n} (decimal digits), {hex} (8 or more
// hexadecimal digits with both a letter and a decimal digit), {uuid}, {id} (16 or more letters and
// digits mixed).
std::string path_pattern(std::string_view path_and_query);

}  // namespace weft::web

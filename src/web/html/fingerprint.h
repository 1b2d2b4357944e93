#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// What makes two pages alike: their text, and the shape of their addresses.
namespace weft::web {

// A 64-bit simhash of a page's visible text: pages of almost the same words have fingerprints that
// differ in few bits. Text comes in pieces; a piece does not end a word.
//
// The features are runs of three words, lower case in ASCII, so that order counts a little and a
// changed date or counter changes little.
class TextFingerprint {
public:
    void add(std::string_view text);

    // Of the text so far; 0 when there is no word in it.
    std::uint64_t finish();

    std::size_t word_count() const { return word_count_; }

private:
    void end_word();
    void count(std::uint64_t feature);

    std::uint64_t word_ = 0;  // A running hash of the word being read; 0: none.
    std::array<std::uint64_t, 2> before_{};
    std::size_t word_count_ = 0;
    std::array<std::int32_t, 64> balance_{};  // For each bit: features that have it less others.
};

std::uint64_t text_fingerprint(std::string_view text);

// The number of bits that differ: about 4 of 64 when one word in a hundred was changed, about 32
// between strangers.
int fingerprint_distance(std::uint64_t a, std::uint64_t b);

// The shape of an address: what is counted or generated is replaced by its kind, so that a trap's
// endless pages have one pattern. "/2031/02/17/post-99?sid=a1b2c3d4&page=7" is
// "/{date}/post-{n}?sid={hex}&page={n}". Kinds: {date}, {n} (digits), {hex} (at least 8 digits with
// both a letter and a numeral), {uuid}, {id} (16 or more letters and digits mixed).
std::string path_pattern(std::string_view path_and_query);

// How often the most frequent segment of a path occurs in it: 3 of "/a/b/a/b/a/x". Empty segments
// do not count, nor does the query.
std::size_t segment_repeat_count(std::string_view path);

}  // namespace weft::web

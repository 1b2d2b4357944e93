#include "web/html/fingerprint.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/bytes.h"

namespace weft::web {
namespace {

// ASCII letters and digits, and every byte outside ASCII, so that other scripts have words too.
bool is_word_byte(char c) {
    return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80;
}

// A hash finalizer: each bit of the input changes about half of the bits of the output.
std::uint64_t mix(std::uint64_t x) {
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93;
    x ^= x >> 32;
    x *= 0xD6E8FEB86659FD93;
    x ^= x >> 32;
    return x;
}

struct Kind {
    std::string_view name;
    std::size_t length = 0;
};

std::size_t digits_at(std::string_view text) {
    return std::min(text.find_first_not_of("0123456789"), text.size());
}

bool is_between(std::string_view digits, int low, int high) {
    int value = 0;
    for (char c : digits) value = value * 10 + (c - '0');
    return value >= low && value <= high;
}

bool is_day(std::string_view year, std::string_view month, std::string_view day) {
    return is_between(year, 1900, 2199) && is_between(month, 1, 12) && is_between(day, 1, 31);
}

// The length of a date at the front of `text`, or 0. A date is "2031-02-17", with one of - _ . /
// between the numbers, or "20310217".
std::size_t date_at(std::string_view text) {
    const std::size_t first = digits_at(text);
    if (first == 8) return is_day(text.substr(0, 4), text.substr(4, 2), text.substr(6, 2)) ? 8 : 0;
    if (first != 4 || text.size() < 8) return 0;
    const char separator = text[4];
    if (!std::string_view("-_./").contains(separator)) return 0;
    const std::size_t second = digits_at(text.substr(5));
    const std::size_t third_at = 5 + second + 1;
    if (second < 1 || second > 2 || third_at >= text.size()) return 0;
    if (text[third_at - 1] != separator) return 0;
    const std::size_t third = digits_at(text.substr(third_at));
    if (third < 1 || third > 2) return 0;
    const bool is_good =
        is_day(text.substr(0, 4), text.substr(5, second), text.substr(third_at, third));
    return is_good ? third_at + third : 0;
}

bool is_uuid_at(std::string_view text) {
    if (text.size() < 36) return false;
    for (std::size_t i = 0; i < 36; ++i) {
        const bool is_dash = i == 8 || i == 13 || i == 18 || i == 23;
        if (is_dash ? text[i] != '-' : !is_hex_digit(text[i])) return false;
    }
    return text.size() == 36 || !is_alnum(text[36]);
}

// The kind of the word at the front of `text`. An empty name means that the word stands for itself.
Kind kind_at(std::string_view text) {
    if (is_uuid_at(text)) return {"{uuid}", 36};
    const auto end = std::ranges::find_if_not(text, is_alnum);
    const auto length = static_cast<std::size_t>(end - text.begin());
    const std::string_view word = text.substr(0, length);
    const auto digit_count = static_cast<std::size_t>(std::ranges::count_if(word, is_digit));
    if (digit_count == 0) return {{}, length};
    if (const std::size_t date = date_at(text); date >= length) return {"{date}", date};
    if (digit_count == length) return {"{n}", length};
    if (length >= 8 && std::ranges::all_of(word, is_hex_digit)) return {"{hex}", length};
    if (length >= 16) return {"{id}", length};
    return {{}, length};
}

// Appends a word with each run of digits replaced by {n}: "page12" becomes "page{n}".
void append_word(std::string& out, std::string_view word) {
    while (!word.empty()) {
        const std::size_t digits = digits_at(word);
        if (digits > 0) out += "{n}";
        word.remove_prefix(digits);
        const std::size_t letters = std::min(word.find_first_of("0123456789"), word.size());
        out += word.substr(0, letters);
        word.remove_prefix(letters);
    }
}

}  // namespace

void TextFingerprint::add(std::string_view text) {
    for (char c : text) {
        if (is_word_byte(c)) {
            // A hash like FNV-1a. It is practically never 0, which means no word.
            word_ = (word_ ^ static_cast<unsigned char>(to_lower(c))) * 0x100000001B3 + 1;
        } else if (word_ != 0) {
            end_word();
        }
    }
}

std::uint64_t TextFingerprint::finish() {
    if (word_ != 0) end_word();
    // With one or two words there is no run of three: the words together are the only feature.
    if (word_count_ == 1 || word_count_ == 2) return mix(before_[0] * 31 + before_[1]);
    std::uint64_t out = 0;
    for (std::size_t bit = 0; bit < balance_.size(); ++bit) {
        if (balance_[bit] > 0) out |= std::uint64_t{1} << bit;
    }
    return out;
}

void TextFingerprint::end_word() {
    const std::uint64_t word = mix(word_);
    word_ = 0;
    if (++word_count_ > 2) {
        // The rotations make the order of the three words count.
        count(mix(std::rotl(before_[0], 1) + std::rotl(before_[1], 2) + word));
    }
    before_ = {before_[1], word};
}

void TextFingerprint::count(std::uint64_t feature) {
    for (std::size_t bit = 0; bit < balance_.size(); ++bit) {
        balance_[bit] += static_cast<std::int32_t>(feature >> bit & 1) * 2 - 1;
    }
}

std::uint64_t text_fingerprint(std::string_view text) {
    TextFingerprint fingerprint;
    fingerprint.add(text);
    return fingerprint.finish();
}

int fingerprint_distance(std::uint64_t a, std::uint64_t b) {
    return std::popcount(a ^ b);
}

std::string path_pattern(std::string_view path_and_query) {
    std::string out;
    out.reserve(path_and_query.size());
    std::string_view rest = path_and_query.substr(0, path_and_query.find('#'));
    while (!rest.empty()) {
        if (!is_alnum(rest.front())) {
            out += rest.front();
            rest.remove_prefix(1);
            continue;
        }
        const Kind kind = kind_at(rest);
        if (kind.name.empty()) {
            append_word(out, rest.substr(0, kind.length));
        } else {
            out += kind.name;
        }
        rest.remove_prefix(kind.length);
    }
    return out;
}

}  // namespace weft::web

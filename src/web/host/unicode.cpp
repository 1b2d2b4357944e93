#include "web/host/unicode.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace weft::web {
namespace {

struct Decomposition {
    char32_t composed;
    char32_t first;
    char32_t second;
};

#include "web/host/idna_tables.gen.inc"

constexpr std::uint32_t kLastOfTarget = std::uint32_t{1} << 31;

// The index of the run that contains `c`. Each table entry is the first code point of a run,
// shifted left by `shift`; the low bits are the value of the run.
std::size_t find_run(std::span<const std::uint32_t> runs, char32_t c, unsigned shift) {
    const auto next = std::ranges::upper_bound(runs, c, std::less<>(),
                                               [shift](std::uint32_t run) { return run >> shift; });
    return static_cast<std::size_t>(next - runs.begin()) - 1;
}

std::uint8_t combining_class(char32_t c) {
    return static_cast<std::uint8_t>(kCombiningRuns[find_run(kCombiningRuns, c, 8)]);
}

// Hangul syllables have no tables: section 3.12 of the Unicode standard gives a formula.
constexpr char32_t kSyllables = 0xAC00;
constexpr char32_t kLeading = 0x1100;
constexpr char32_t kVowels = 0x1161;
constexpr char32_t kTrailing = 0x11A7;  // One before the first trailing consonant: index 0 is none.
constexpr char32_t kLeadingCount = 19;
constexpr char32_t kVowelCount = 21;
constexpr char32_t kTrailingCount = 28;

constexpr bool is_in(char32_t c, char32_t first, char32_t count) {
    return c >= first && c - first < count;
}

void append_decomposed(std::u32string& out, char32_t c) {
    if (is_in(c, kSyllables, kLeadingCount * kVowelCount * kTrailingCount)) {
        const char32_t index = c - kSyllables;
        out += static_cast<char32_t>(kLeading + index / (kVowelCount * kTrailingCount));
        out += static_cast<char32_t>(kVowels + index / kTrailingCount % kVowelCount);
        if (const char32_t last = index % kTrailingCount) {
            out += static_cast<char32_t>(kTrailing + last);
        }
        return;
    }
    // Only the first character of a pair can be decomposed again. So the second characters are
    // collected and written in reverse.
    char32_t tails[8];
    std::size_t count = 0;
    while (true) {
        const auto found =
            std::ranges::lower_bound(kDecompositions, c, std::less<>(), &Decomposition::composed);
        if (found == std::end(kDecompositions) || found->composed != c) break;
        if (found->second != 0) tails[count++] = found->second;
        c = found->first;
    }
    out += c;
    while (count > 0) out += tails[--count];
}

// The code point that `first` and `second` compose to, or 0.
char32_t compose(char32_t first, char32_t second) {
    if (is_in(first, kLeading, kLeadingCount) && is_in(second, kVowels, kVowelCount)) {
        return kSyllables +
               ((first - kLeading) * kVowelCount + (second - kVowels)) * kTrailingCount;
    }
    if (is_in(first, kSyllables, kLeadingCount * kVowelCount * kTrailingCount) &&
        (first - kSyllables) % kTrailingCount == 0 &&
        is_in(second, kTrailing + 1, kTrailingCount - 1)) {
        return first + (second - kTrailing);
    }
    const std::pair pair(first, second);
    const auto pair_at = [](std::uint16_t index) {
        return std::pair(kDecompositions[index].first, kDecompositions[index].second);
    };
    const auto found = std::ranges::lower_bound(kCompositions, pair, std::less<>(), pair_at);
    if (found == std::end(kCompositions) || pair_at(*found) != pair) return 0;
    return kDecompositions[*found].composed;
}

struct Character {
    char32_t code_point;
    std::uint8_t combining;
    std::uint32_t position;
};

std::vector<Character> decompose(std::u32string_view text) {
    std::u32string decomposed;
    for (const char32_t c : text) append_decomposed(decomposed, c);
    std::vector<Character> characters;
    characters.reserve(decomposed.size());
    for (const char32_t c : decomposed) {
        const auto position = static_cast<std::uint32_t>(characters.size());
        characters.push_back({c, combining_class(c), position});
    }

    // Canonical ordering: marks between two starters are sorted by combining class, and marks of
    // one class keep their order. Sorting keeps a long run of marks at O(n log n).
    const auto is_starter = [](const Character& c) { return c.combining == 0; };
    for (auto begin = characters.begin(); begin != characters.end();) {
        begin = std::find_if_not(begin, characters.end(), is_starter);
        const auto end = std::find_if(begin, characters.end(), is_starter);
        std::sort(begin, end, [](const Character& a, const Character& b) {
            return std::tie(a.combining, a.position) < std::tie(b.combining, b.position);
        });
        begin = end;
    }
    return characters;
}

}  // namespace

IdnaStatus idna_status(char32_t c) {
    return static_cast<IdnaStatus>(kMappingRuns[find_run(kMappingRuns, c, 2)] & 3);
}

CharacterProperties properties_of(char32_t c) {
    const std::uint32_t value = kPropertyRuns[find_run(kPropertyRuns, c, 11)];
    return {.bidi = static_cast<BidiClass>(value & 15),
            .joining = static_cast<JoiningType>(value >> 4 & 7),
            .is_mark = (value >> 7 & 1) != 0,
            .is_virama = (value >> 8 & 1) != 0};
}

void append_idna_mapped(std::u32string& out, char32_t c) {
    const std::size_t run = find_run(kMappingRuns, c, 2);
    switch (static_cast<IdnaStatus>(kMappingRuns[run] & 3)) {
        case IdnaStatus::valid:
        case IdnaStatus::disallowed: out += c; return;
        case IdnaStatus::ignored: return;
        case IdnaStatus::mapped: break;
    }
    const std::uint32_t* target = kMappingPool + kMappingPlaces[run];
    for (; (*target & kLastOfTarget) == 0; ++target) out += static_cast<char32_t>(*target);
    out += static_cast<char32_t>(*target & ~kLastOfTarget);
}

std::u32string to_nfc(std::u32string_view text) {
    // Text with only code points below U+0300 is in NFC already.
    if (std::ranges::all_of(text, [](char32_t c) { return c < 0x300; })) {
        return std::u32string(text);
    }
    std::u32string composed;
    std::size_t starter = std::u32string::npos;  // The place of the last starter in `composed`.
    // The class of the last character kept after the starter; -1 if there is none. A character
    // whose class is not higher is blocked (UAX 15): it does not compose with the starter.
    int last_class = 0;
    for (const auto [c, combining, position] : decompose(text)) {
        const bool is_blocked = last_class >= static_cast<int>(combining);
        if (starter != std::u32string::npos && !is_blocked) {
            if (const char32_t both = compose(composed[starter], c)) {
                composed[starter] = both;
                continue;
            }
        }
        if (combining == 0) starter = composed.size();
        last_class = combining == 0 ? -1 : combining;
        composed += c;
    }
    return composed;
}

}  // namespace weft::web

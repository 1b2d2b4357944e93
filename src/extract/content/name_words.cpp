#include "extract/content/name_words.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace weft::extract {
namespace {

struct ListedWord {
    std::string_view text;
    std::uint8_t kinds;
};

constexpr ListedWord kNameWords[] = {
#define WEFT_NAME_WORD(word, kinds) {word, kinds},
#include "extract/content/boilerplate_words.inc"
};
constexpr std::size_t kNameWordCount = std::size(kNameWords);
static_assert(kNameWordCount < 255);

constexpr std::size_t kWordBytesMax = 24;
constexpr std::size_t kNameSlots = 1024;
constexpr std::uint8_t kNoWord = 255;

constexpr std::size_t name_slot(std::string_view word) {
    std::uint32_t hash = 2166136261U;  // FNV-1a.
    for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    return (hash ^ (hash >> 15)) % kNameSlots;
}

// Open addressing, a quarter full: most words of a page are found missing at the first look.
constexpr auto kNameTable = [] {
    std::array<std::uint8_t, kNameSlots> table{};
    table.fill(kNoWord);
    for (std::size_t i = 0; i < kNameWordCount; ++i) {
        std::size_t slot = name_slot(kNameWords[i].text);
        while (table[slot] != kNoWord) slot = (slot + 1) % kNameSlots;
        table[slot] = static_cast<std::uint8_t>(i);
    }
    return table;
}();

std::uint8_t find_word(std::string_view word) {
    for (std::size_t slot = name_slot(word);; slot = (slot + 1) % kNameSlots) {
        const std::uint8_t found = kNameTable[slot];
        if (found == kNoWord || kNameWords[found].text == word) return found;
    }
}

bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}
bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}

// The end of the word that begins at `at`: "Entry|Content", "HTML|Body". `at` is a letter.
std::size_t word_end(std::string_view text, std::size_t at) {
    std::size_t end = at + 1;
    if (is_upper(text[at]) && end < text.size() && is_upper(text[end])) {
        while (end < text.size() && is_upper(text[end])) ++end;
        return end < text.size() && is_lower(text[end]) ? end - 1 : end;
    }
    while (end < text.size() && is_lower(text[end])) ++end;
    return end;
}

// A pair in one word: "entrycontent".
bool is_joined_pair(std::string_view word) {
    for (const std::string_view second : {"body", "content", "text", "main"}) {
        if (!word.ends_with(second) || word.size() == second.size()) continue;
        const std::uint8_t first = find_word(word.substr(0, word.size() - second.size()));
        if (first != kNoWord && (kNameWords[first].kinds & kPairFirst) != 0) return true;
    }
    return false;
}

// The second word of a box beside each post of a forum: "user-details", "authorPane".
bool is_about_user(std::string_view word) {
    return word == "details" || word == "extras" || word == "info" || word == "pane" ||
           word == "panel" || word == "profile" || word == "stats" || word == "title";
}

class NameReader {
public:
    NameReader(std::vector<NameWord>& found, bool ignores_hidden)
        : found_(found), ignores_hidden_(ignores_hidden) {}

    void read(std::string_view text) {
        for (std::size_t i = 0; i < text.size();) {
            if (!is_lower(text[i]) && !is_upper(text[i])) {
                // A number stands between words: "post-12 content" is no pair.
                if (text[i] >= '0' && text[i] <= '9') last_kinds_ = 0;
                ++i;
                continue;
            }
            const std::size_t end = word_end(text, i);
            take(text.substr(i, end - i));
            i = end;
        }
    }

    NamesOfElement result;

private:
    void take(std::string_view word) {
        std::array<char, kWordBytesMax> lower;
        if (word.size() > lower.size()) {
            last_kinds_ = 0;
            return;
        }
        std::ranges::transform(word, lower.begin(),
                               [](char c) { return is_upper(c) ? static_cast<char>(c + 32) : c; });
        const std::string_view name(lower.data(), word.size());
        const std::uint8_t index = find_word(name);
        const std::uint8_t kinds = index == kNoWord ? 0 : kNameWords[index].kinds;
        if ((last_kinds_ & kPairFirst) != 0 && (kinds & kPairSecond) != 0) result.has_pair = true;
        if (name.size() >= 8 && is_joined_pair(name)) result.has_pair = true;
        const bool is_overflow = was_overflow_;  // "overflow-hidden" and "overflow-x-hidden" hide
        was_overflow_ = name == "overflow" || (is_overflow && name.size() == 1);  // scroll bars.
        if (was_user_ && is_about_user(name)) found_.push_back(find_word("userinfo"));
        was_user_ = name == "user" || name == "author" || name == "member" || name == "poster";
        last_kinds_ = kinds;
        result.kinds |= kinds;
        if ((kinds & kReasonToCut) == 0) return;
        if (name == "hidden" && (ignores_hidden_ || is_overflow)) return;
        found_.push_back(index);
    }

    std::vector<NameWord>& found_;
    bool ignores_hidden_;
    std::uint8_t last_kinds_ = 0;
    bool was_overflow_ = false;
    bool was_user_ = false;
};

// Calls `take` with each class, in order.
template <typename Take>
void for_each_class(std::string_view classes, Take take) {
    constexpr std::string_view kSpaces = " \t\n\f\r";
    for (std::size_t i = 0; (i = classes.find_first_not_of(kSpaces, i)) != classes.npos;) {
        const std::size_t end = std::min(classes.find_first_of(kSpaces, i), classes.size());
        take(classes.substr(i, end - i));
        i = end;
    }
}

bool shows_again(std::string_view utility) {
    constexpr std::string_view kShown[] = {"block",  "flex",         "grid",        "table",
                                           "inline", "inline-block", "inline-flex", "contents"};
    return std::ranges::find(kShown, utility.substr(utility.rfind(':') + 1)) != std::end(kShown);
}

void read_classes_with_utilities(std::string_view classes, NameReader& reader) {
    for_each_class(classes, [&](std::string_view name) {
        if (!name.contains(':')) reader.read(name);
    });
}

bool is_shown_by_utility(std::string_view classes) {
    bool is_shown = false;
    for_each_class(classes, [&](std::string_view name) {
        is_shown |= name.contains(':') && shows_again(name);
    });
    return is_shown;
}

}  // namespace

std::size_t name_word_count() {
    return kNameWordCount;
}
std::uint8_t name_word_kinds(NameWord word) {
    return kNameWords[word].kinds;
}

NamesOfElement read_names(std::string_view classes, std::string_view id,
                          std::vector<NameWord>& found) {
    const bool has_utilities = classes.contains(':');
    NameReader reader(found, has_utilities && is_shown_by_utility(classes));
    if (has_utilities) {
        read_classes_with_utilities(classes, reader);
    } else {
        reader.read(classes);
    }
    reader.read(id);
    return reader.result;
}

}  // namespace weft::extract

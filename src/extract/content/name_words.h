#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::extract {

// What a word of a class or id attribute says about its element. A word may have several kinds.
enum NameWordKind : std::uint8_t {
    kCutWord = 1,       // The element is not content ("sidebar").
    kWeakWord = 2,      // Likewise, unless it is large and has a kGoodWord too ("related").
    kCommentWord = 4,   // Likewise, but in forums it is the content ("reply").
    kCaptionWord = 8,   // A caption: left out of plain text.
    kGoodWord = 16,     // Articles call themselves so ("story").
    kListWord = 32,     // No reason to cut on a page that is a list ("carousel").
    kPairFirst = 64,    // With kPairSecond after it, the element is an article's text
    kPairSecond = 128,  // ("entry-content", "articleBody").
};

inline constexpr std::uint8_t kReasonToCut = kCutWord | kWeakWord | kCommentWord | kCaptionWord;

// A word that is a reason to cut, as an index for name_word_kinds().
using NameWord = std::uint8_t;

// The number of words in the list.
std::size_t name_word_count();
std::uint8_t name_word_kinds(NameWord word);

// What the names of one element say.
struct NamesOfElement {
    std::uint8_t kinds = 0;  // Of all words together.
    bool has_pair = false;   // A kPairFirst with a kPairSecond directly after it.
};

// Splits the values of class and id into words at camel case, digits and everything that is not a
// letter, and looks each up. Appends those that are a reason to cut to `found`. Names with a colon
// are utility classes ("md:hidden") and not looked at; "hidden" does not count beside one that
// shows the element again ("md:block").
NamesOfElement read_names(std::string_view classes, std::string_view id,
                          std::vector<NameWord>& found);

}  // namespace weft::extract

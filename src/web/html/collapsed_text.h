#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft::web {

// Collects text as a page shows it: each run of white space becomes one space, there is no white
// space at the ends, and NUL is removed. It keeps at most `bytes_max` bytes and cuts only between
// UTF-8 characters.
class CollapsedText {
public:
    explicit CollapsedText(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    void append(std::string_view piece);

    // Puts a space before the next word. For the edges of block elements, which separate words.
    void separate() { has_space_ = true; }

    bool is_full() const { return is_full_; }
    std::size_t memory_bytes() const { return text_.capacity(); }

    // Returns the collected text and starts again empty.
    std::string take();

private:
    void append_word(std::string_view word);
    void drop_partial_character();

    std::size_t bytes_max_;
    std::string text_;
    bool has_space_ = false;
    bool is_full_ = false;
};

}  // namespace weft::web

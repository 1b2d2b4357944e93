#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace weft::web {

// Text as a page shows it: every run of white space is one space, none stands at the ends, and
// there is no NUL. At most `bytes_max` bytes are kept, whole UTF-8 characters only.
class CollapsedText {
public:
    explicit CollapsedText(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    void append(std::string_view piece);

    // As a block's edge does: words on both sides stay apart.
    void separate() { has_space_ = true; }

    bool is_full() const { return is_full_; }
    std::size_t memory_bytes() const { return text_.capacity(); }

    // What was collected; empty again afterwards.
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

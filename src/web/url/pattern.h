#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace weft::web {

// A pattern for URLs, written by the user and matched in linear time (H72).
//
// A regular expression (RE2) matches if it is found anywhere in the URL. A glob, written
// "glob:...", must match the whole URL: `*` stands for any text within a path segment, `**` for any
// text, and every other character, `?` included, for itself.
//
// A value; copies share the compiled expression. May be used from any thread.
class Pattern {
public:
    // On failure the message says what is wrong with the text.
    static std::expected<Pattern, std::string> parse(std::string_view text);

    bool matches(std::string_view url) const;

    // As written.
    const std::string& text() const { return text_; }

private:
    Pattern(std::string text, std::shared_ptr<const re2::RE2> expression, bool is_whole)
        : text_(std::move(text)), expression_(std::move(expression)), is_whole_(is_whole) {}

    std::string text_;
    std::shared_ptr<const re2::RE2> expression_;
    bool is_whole_;
};

}  // namespace weft::web

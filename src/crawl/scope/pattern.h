#pragma once

#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace re2 {
class RE2;
}

namespace weft::crawl {

// A rule on URLs that a user wrote, matched in linear time (H72).
//
// A regular expression (RE2) is looked for anywhere in the URL. A glob, written "glob:...", must be
// the whole URL; in it `*` stands for anything within a path segment, `**` for anything at all, and
// every other character, `?` too, for itself.
//
// A value; copies share the compiled expression. Any thread may ask.
class Pattern {
public:
    // The message says what is wrong with the text.
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

}  // namespace weft::crawl

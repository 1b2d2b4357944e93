#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// robots.txt as lines of name and value. robots.h makes groups and rules of them.
namespace weft::web {

enum class RobotsField {
    user_agent,
    allow,
    disallow,
    sitemap,
    crawl_delay,
    request_rate,
    visit_time,
    host,
    content_signal,
    content_usage,
    unknown,
};

struct RobotsLine {
    RobotsField field = RobotsField::unknown;
    std::string_view name;   // As written, without white space around it.
    std::string_view value;  // Likewise, and without a comment.
    std::uint32_t number = 0;

    // The line was longer than kRobotsLineBytesMax: `value` is only its beginning.
    bool is_cut = false;
};

// The text of a robots.txt body. Only the first kRobotsBytesMax bytes are used, up to the end of a
// line, so that no rule is cut. UTF-16 (with a byte order mark, or recognised by its zero bytes)
// becomes UTF-8. A UTF-8 byte order mark is removed, even if only its beginning is there.
std::string robots_text(std::string_view bytes);

// Whether the text is an HTML page. Servers that answer 200 to every request send one.
bool looks_like_html(std::string_view text);

// The lines of `text` that have a name and a value, in order. CR, LF and CR LF end a line. As in
// Google's parser, known misspellings of names are accepted, and white space instead of a colon.
// The views point into `text`.
class RobotsLines {
public:
    explicit RobotsLines(std::string_view text) : rest_(text) {}

    std::optional<RobotsLine> next();

private:
    std::string_view take_line();

    std::string_view rest_;
    std::uint32_t number_ = 0;
};

}  // namespace weft::web

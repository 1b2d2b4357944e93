#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// robots.txt as lines of name and value: what is below groups and rules (robots.h).
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
    std::string_view value;  // Likewise; a comment is not part of it.
    std::uint32_t number = 0;

    // The line was longer than kRobotsLineBytesMax: `value` is only its beginning.
    bool is_cut = false;
};

// The text of a robots.txt body: its first kRobotsBytesMax bytes, ended at a line's end so that no
// rule is split; UTF-16 (with a byte order mark, or betrayed by its zero bytes) becomes UTF-8; a
// UTF-8 byte order mark, even a cut one, is gone.
std::string robots_text(std::string_view bytes);

// Whether the text is an HTML page: what a server sends that answers 200 to everything.
bool looks_like_html(std::string_view text);

// The lines of `text` that have a name and a value, in order; CR, LF and CR LF end a line. Known
// misspellings of names are understood, and so is white space in place of a missing colon, as
// Google's parser does. The views point into `text`.
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

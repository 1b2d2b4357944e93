#pragma once

#include <cstddef>
#include <string_view>

// Splits the headers of WARC and HTTP into lines. Lines end with CRLF, or in the files of some
// tools with LF alone.
namespace weft::archive {

// Removes the first line from `text` and returns it without its line end.
inline std::string_view take_line(std::string_view& text) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

// The position after the first empty line, where the search for a line end starts at `from`. npos
// if there is no empty line.
inline std::size_t find_after_empty_line(std::string_view text, std::size_t from = 0) {
    for (std::size_t end = text.find('\n', from); end != std::string_view::npos;
         end = text.find('\n', end + 1)) {
        const std::string_view rest = text.substr(end + 1);
        if (rest.starts_with('\n')) return end + 2;
        if (rest.starts_with("\r\n")) return end + 3;
    }
    return std::string_view::npos;
}

}  // namespace weft::archive

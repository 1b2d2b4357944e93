#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "web/url/url_scheme.h"

// The standard's list of path segments, stored as its serialisation: a "/" stands before every
// segment. The empty list is the empty string.
namespace weft::web::detail {

// "." and "..", also with dots written as %2e.
bool is_single_dot(std::string_view segment);
bool is_double_dot(std::string_view segment);

// "C:" or "C|". The normalised form is the one with the colon.
bool is_drive_letter(std::string_view text);
bool is_normalized_drive_letter(std::string_view text);
// "C:" or "C|", then the end or one of / \ ? #.
bool starts_with_drive_letter(std::string_view text);

// Writes a path into `out`. The path begins at offset `start` and is the last part of `out`. `out`
// must outlive the writer.
class PathWriter {
public:
    PathWriter(std::string& out, std::size_t start, Scheme scheme)
        : out_(out), start_(start), scheme_(scheme) {}

    // Removes the last segment, but never the drive letter of a file URL.
    void shorten();

    // Adds the segments of `text`. The text before the first slash is a segment too: "a/b" adds two
    // segments, "" adds one empty segment. REQUIRES: `text` has no query and no fragment.
    void append(std::string_view text);

private:
    void append_segment(std::string_view segment);

    std::string& out_;
    std::size_t start_;
    Scheme scheme_;
};

}  // namespace weft::web::detail

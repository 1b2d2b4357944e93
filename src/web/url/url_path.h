#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "web/url/url_scheme.h"

// The standard's list of path segments, kept as its serialisation: every segment with a "/" before
// it. The empty list is the empty string.
namespace weft::web::detail {

// "." and "..", also where a dot is written %2e.
bool is_single_dot(std::string_view segment);
bool is_double_dot(std::string_view segment);

// "C:" or "C|"; the normalised form has the colon.
bool is_drive_letter(std::string_view text);
bool is_normalized_drive_letter(std::string_view text);
// "C:" or "C|", then the end or one of / \ ? #.
bool starts_with_drive_letter(std::string_view text);

// Writes a path at the end of `out`, from `start` on.
class PathWriter {
public:
    PathWriter(std::string& out, std::size_t start, Scheme scheme)
        : out_(out), start_(start), scheme_(scheme) {}

    // Takes off the last segment, but never the drive letter of a file URL.
    void shorten();

    // Adds the segments of `text`, which has neither query nor fragment. What precedes the first
    // slash is a segment too: "a/b" adds two, "" adds one empty segment.
    void append(std::string_view text);

private:
    void append_segment(std::string_view segment);

    std::string& out_;
    std::size_t start_;
    Scheme scheme_;
};

}  // namespace weft::web::detail

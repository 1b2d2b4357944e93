#include "web/url/url_path.h"

#include <algorithm>

#include "base/bytes.h"
#include "web/url/percent.h"

namespace weft::web::detail {
namespace {

// Removes one "." or "%2e" from the front.
bool skip_dot(std::string_view& text) {
    if (text.starts_with('.')) {
        text.remove_prefix(1);
        return true;
    }
    if (text.starts_with("%2e") || text.starts_with("%2E")) {
        text.remove_prefix(3);
        return true;
    }
    return false;
}

}  // namespace

bool is_single_dot(std::string_view segment) {
    return skip_dot(segment) && segment.empty();
}

bool is_double_dot(std::string_view segment) {
    return skip_dot(segment) && skip_dot(segment) && segment.empty();
}

bool is_drive_letter(std::string_view text) {
    return text.size() == 2 && is_alpha(text[0]) && (text[1] == ':' || text[1] == '|');
}

bool is_normalized_drive_letter(std::string_view text) {
    return is_drive_letter(text) && text[1] == ':';
}

bool starts_with_drive_letter(std::string_view text) {
    if (!is_drive_letter(text.substr(0, 2))) return false;
    return text.size() == 2 || std::string_view("/\\?#").contains(text[2]);
}

void PathWriter::shorten() {
    const std::string_view path = std::string_view(out_).substr(start_);
    if (path.empty()) return;
    if (scheme_ == Scheme::file && is_normalized_drive_letter(path.substr(1))) return;
    out_.resize(start_ + path.rfind('/'));
}

void PathWriter::append(std::string_view text) {
    const std::string_view separators = is_special(scheme_) ? "/\\" : "/";
    while (true) {
        const std::size_t end = std::min(text.find_first_of(separators), text.size());
        const bool is_last = end == text.size();
        const std::string_view segment = text.substr(0, end);
        // A dot segment at the end leaves an empty segment: "/a/.." is "/".
        if (is_double_dot(segment)) {
            shorten();
            if (is_last) out_ += '/';
        } else if (is_single_dot(segment)) {
            if (is_last) out_ += '/';
        } else {
            append_segment(segment);
        }
        if (is_last) return;
        text.remove_prefix(end + 1);
    }
}

void PathWriter::append_segment(std::string_view segment) {
    const bool is_first = out_.size() == start_;
    out_ += '/';
    // "C|" as the first segment of a file URL is normalised to "C:".
    if (scheme_ == Scheme::file && is_first && is_drive_letter(segment)) {
        out_ += segment[0];
        out_ += ':';
    } else {
        append_percent_encoded(out_, segment, PercentSet::path);
    }
}

}  // namespace weft::web::detail

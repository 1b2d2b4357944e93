#include "web/html/srcset.h"

#include <charconv>
#include <limits>

#include "base/bytes.h"
#include "web/markup/html_scan.h"

namespace weft::web {
namespace {

bool is_all_digits(std::string_view text) {
    for (const char c : text) {
        if (!is_digit(c)) return false;
    }
    return !text.empty();
}

std::size_t digit_count(std::string_view text) {
    std::size_t n = 0;
    while (n < text.size() && is_digit(text[n])) ++n;
    return n;
}

// The standard's "valid floating-point number": no plus sign, and digits after a point.
bool is_valid_float(std::string_view text) {
    if (text.starts_with('-')) text.remove_prefix(1);
    const std::size_t whole = digit_count(text);
    text.remove_prefix(whole);
    if (text.starts_with('.')) {
        const std::size_t fraction = digit_count(text.substr(1));
        if (fraction == 0) return false;
        text.remove_prefix(1 + fraction);
    } else if (whole == 0) {
        return false;
    }
    if (text.empty()) return true;
    if ((text[0] | 0x20) != 'e') return false;
    text.remove_prefix(1);
    if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
    return is_all_digits(text);
}

// 0 if the text is not a positive integer; the largest number if it is too large.
std::uint64_t positive_integer(std::string_view text) {
    if (!is_all_digits(text)) return 0;
    std::uint64_t number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() ? number : std::numeric_limits<std::uint64_t>::max();
}

// "Parse a srcset attribute", descriptor parser: x excludes w and h, and each may occur once.
bool apply_descriptor(std::string_view descriptor, SrcsetCandidate& candidate) {
    const std::string_view number = descriptor.substr(0, descriptor.size() - 1);
    switch (descriptor.back()) {
        case 'w': {
            const std::uint64_t width = positive_integer(number);
            if (width == 0 || candidate.width || candidate.density) return false;
            candidate.width = width;
            return true;
        }
        case 'h': {
            const std::uint64_t height = positive_integer(number);
            if (height == 0 || candidate.height || candidate.density) return false;
            candidate.height = height;
            return true;
        }
        case 'x': {
            if (!is_valid_float(number)) return false;
            if (candidate.width || candidate.density || candidate.height) return false;
            double density = 0;
            std::from_chars(number.data(), number.data() + number.size(), density);
            candidate.density = density;
            return density >= 0;
        }
        default: return false;
    }
}

}  // namespace

std::optional<SrcsetCandidate> SrcsetReader::next() {
    for (;;) {
        while (p_ != end_ && (is_html_space(*p_) || *p_ == ',')) ++p_;
        if (p_ == end_) return std::nullopt;
        const char* begin = p_;
        p_ = find_class(p_, end_, kSpace);
        SrcsetCandidate candidate;
        candidate.url = {begin, static_cast<std::size_t>(p_ - begin)};
        // A URL may contain commas. Commas at its end mean that it has no descriptors.
        if (candidate.url.ends_with(',')) {
            candidate.url.remove_suffix(candidate.url.size() - candidate.url.find_last_not_of(',') -
                                        1);
            return candidate;
        }
        if (read_descriptors(candidate)) return candidate;
    }
}

// Reads all descriptors of the candidate, even after a bad one. A height needs a width.
bool SrcsetReader::read_descriptors(SrcsetCandidate& candidate) {
    bool are_valid = true;
    for (;;) {
        p_ = skip_html_space(p_, end_);
        if (p_ == end_) break;
        if (*p_ == ',') {
            ++p_;
            break;
        }
        are_valid &= apply_descriptor(read_descriptor(), candidate);
    }
    return are_valid && (!candidate.height || candidate.width);
}

// Reads up to white space or a comma outside of parentheses. REQUIRES: neither is at `p_`.
std::string_view SrcsetReader::read_descriptor() {
    const char* begin = p_;
    bool is_in_parentheses = false;
    for (; p_ != end_; ++p_) {
        if (*p_ == '(') is_in_parentheses = true;
        if (*p_ == ')') is_in_parentheses = false;
        if (!is_in_parentheses && (is_html_space(*p_) || *p_ == ',')) break;
    }
    return {begin, static_cast<std::size_t>(p_ - begin)};
}

}  // namespace weft::web

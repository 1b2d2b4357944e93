#include "web/charset/tag_bytes.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace weft::web::detail {

namespace {

constexpr std::string_view kTagSpace = "\t\n\f\r ";
constexpr std::string_view kCharset = "charset";

std::size_t find_ignoring_case(std::string_view text, std::string_view lower) {
    const auto found = std::ranges::search(text, lower, {}, [](char c) { return to_lower(c); });
    return static_cast<std::size_t>(found.begin() - text.begin());
}

std::string_view after_space(std::string_view text) {
    return text.substr(std::min(text.find_first_not_of(kTagSpace), text.size()));
}

// The standard's "algorithm for extracting a character encoding from a meta element", for the value
// of its content attribute.
std::optional<Encoding> encoding_of_content(std::string_view content) {
    while (true) {
        const std::size_t at = find_ignoring_case(content, kCharset);
        if (at == content.size()) return std::nullopt;
        content = after_space(content.substr(at + kCharset.size()));
        if (content.starts_with('=')) break;
    }
    content = after_space(content.substr(1));
    if (content.empty()) return std::nullopt;
    if (content[0] != '"' && content[0] != '\'') {
        return encoding_for_label(content.substr(0, content.find_first_of("\t\n\f\r ;")));
    }
    const std::size_t end = content.find(content[0], 1);
    if (end == std::string_view::npos) return std::nullopt;
    return encoding_for_label(content.substr(1, end - 1));
}

// The last steps of the prescan: a page whose ASCII can be read is not UTF-16, and x-user-defined
// is meant for scripts only.
Encoding as_declared_by_meta(Encoding encoding) {
    switch (encoding) {
        case Encoding::utf_16be:
        case Encoding::utf_16le: return Encoding::utf_8;
        case Encoding::x_user_defined: return Encoding::windows_1252;
        default: return encoding;
    }
}

}  // namespace

void TagBytes::skip(std::size_t count) {
    at_ = std::min(at_ + count, bytes_.size());
}

void TagBytes::find(char byte) {
    at_ = std::min(bytes_.find(byte, at_), bytes_.size());
}

void TagBytes::find_any(std::string_view set) {
    at_ = std::min(bytes_.find_first_of(set, at_), bytes_.size());
}

void TagBytes::pass(std::string_view text) {
    const std::size_t found = bytes_.find(text, at_);
    at_ = found == std::string_view::npos ? bytes_.size() : found + text.size();
}

bool TagBytes::has_name(std::string_view name, std::string_view ends) const {
    const std::string_view here = rest();
    return here.size() > name.size() && ends.contains(here[name.size()]) &&
           equals_ignore_case(here.substr(0, name.size()), name);
}

// A name may start with "=": the search for its end starts at the second byte.
std::optional<TagBytes::Attribute> TagBytes::next_attribute() {
    at_ = std::min(bytes_.find_first_not_of("\t\n\f\r /", at_), bytes_.size());
    if (at_end() || bytes_[at_] == '>') return std::nullopt;
    const std::size_t start = at_;
    at_ = std::min(bytes_.find_first_of("\t\n\f\r /=>", start + 1), bytes_.size());
    Attribute attribute{bytes_.substr(start, at_ - start), {}};
    if (at_end() || bytes_[at_] == '/' || bytes_[at_] == '>') return attribute;
    at_ = std::min(bytes_.find_first_not_of(kTagSpace, at_), bytes_.size());
    if (at_end() || bytes_[at_] != '=') return attribute;
    skip(1);
    attribute.value = attribute_value();
    return attribute;
}

std::string_view TagBytes::attribute_value() {
    at_ = std::min(bytes_.find_first_not_of(kTagSpace, at_), bytes_.size());
    if (at_end()) return {};
    const char quote = bytes_[at_];
    if (quote == '"' || quote == '\'') {
        const std::size_t start = at_ + 1;
        at_ = std::min(bytes_.find(quote, start), bytes_.size());
        const std::string_view value = bytes_.substr(start, at_ - start);
        skip(1);
        return value;
    }
    const std::size_t start = at_;
    at_ = std::min(bytes_.find_first_of("\t\n\f\r >", start), bytes_.size());
    return bytes_.substr(start, at_ - start);
}

void TagBytes::skip_attributes() {
    while (next_attribute()) {
    }
}

std::optional<Encoding> TagBytes::meta_encoding() {
    // The standard's "got pragma" and "need pragma": a charset in `content` counts only together
    // with http-equiv=content-type. Of each attribute only the first counts.
    bool has_pragma = false;
    bool needs_pragma = false;
    bool has_http_equiv = false;
    bool has_content = false;
    bool has_charset = false;
    std::optional<Encoding> encoding;
    while (const std::optional<Attribute> attribute = next_attribute()) {
        const auto is_first = [&](std::string_view name, bool& seen) {
            return equals_ignore_case(attribute->name, name) && !std::exchange(seen, true);
        };
        if (is_first("http-equiv", has_http_equiv)) {
            has_pragma = equals_ignore_case(attribute->value, "content-type");
        } else if (is_first("charset", has_charset)) {
            encoding = encoding_for_label(attribute->value);
            needs_pragma = false;
        } else if (is_first("content", has_content) && !has_charset) {
            encoding = encoding_of_content(attribute->value);
            needs_pragma = encoding.has_value();
        }
    }
    if (!encoding || (needs_pragma && !has_pragma)) return std::nullopt;
    return as_declared_by_meta(*encoding);
}

}  // namespace weft::web::detail

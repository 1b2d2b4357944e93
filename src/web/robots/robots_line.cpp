#include "web/robots/robots_line.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/limits.h"

namespace weft::web {
namespace {

std::string utf16_to_utf8(std::string_view bytes, bool is_big_endian) {
    const auto unit = [&](std::size_t i) -> char32_t {
        const auto first = static_cast<unsigned char>(bytes[i]);
        const auto second = static_cast<unsigned char>(bytes[i + 1]);
        return is_big_endian ? static_cast<char32_t>(first << 8 | second)
                             : static_cast<char32_t>(second << 8 | first);
    };
    std::string out;
    out.reserve(bytes.size());
    for (std::size_t i = 0; i + 1 < bytes.size(); i += 2) {
        char32_t c = unit(i);
        const bool is_high = c >= 0xD800 && c < 0xDC00;
        if (is_high && i + 3 < bytes.size() && unit(i + 2) >= 0xDC00 && unit(i + 2) < 0xE000) {
            c = 0x10000 + ((c - 0xD800) << 10) + (unit(i + 2) - 0xDC00);
            i += 2;
        } else if (c >= 0xD800 && c < 0xE000) {
            c = 0xFFFD;
        }
        append_utf8(out, c);
    }
    return out;
}

enum class Utf16 { no, little_endian, big_endian };

// Detects UTF-16, also without a byte order mark: a robots.txt starts with ASCII characters, so
// each of its first four code units has one zero byte.
Utf16 utf16_of(std::string_view bytes) {
    if (bytes.starts_with("\xFF\xFE")) return Utf16::little_endian;
    if (bytes.starts_with("\xFE\xFF")) return Utf16::big_endian;
    if (bytes.size() < 8) return Utf16::no;
    const auto zero_count = [&](std::size_t first) {
        int count = 0;
        for (std::size_t i = first; i < 8; i += 2) count += bytes[i] == '\0';
        return count;
    };
    if (zero_count(0) == 0 && zero_count(1) == 4) return Utf16::little_endian;
    if (zero_count(0) == 4 && zero_count(1) == 0) return Utf16::big_endian;
    return Utf16::no;
}

// RFC 9309 section 2.5 lets a parser stop at a limit. A rule that is cut there could allow too
// much.
std::string_view without_last_partial_line(std::string_view text) {
    const std::size_t end = text.find_last_of("\r\n");
    return end == std::string_view::npos ? std::string_view() : text.substr(0, end + 1);
}

struct FieldName {
    std::string_view text;
    RobotsField field;
};

// The names of the RFC and common misspellings. They match as prefixes, as in Google's parser:
// "Disallow-all: /x" forbids /x.
constexpr std::array<FieldName, 12> kPrefixes = {{
    {"user-agent", RobotsField::user_agent},
    {"useragent", RobotsField::user_agent},
    {"user agent", RobotsField::user_agent},
    {"allow", RobotsField::allow},
    {"disallow", RobotsField::disallow},
    {"dissallow", RobotsField::disallow},
    {"dissalow", RobotsField::disallow},
    {"disalow", RobotsField::disallow},
    {"diasllow", RobotsField::disallow},
    {"disallaw", RobotsField::disallow},
    {"sitemap", RobotsField::sitemap},
    {"site-map", RobotsField::sitemap},
}};
// Extensions must match as a whole.
constexpr std::array<FieldName, 8> kExtensions = {{
    {"crawl-delay", RobotsField::crawl_delay},
    {"crawldelay", RobotsField::crawl_delay},
    {"request-rate", RobotsField::request_rate},
    {"visit-time", RobotsField::visit_time},
    {"host", RobotsField::host},
    {"content-signal", RobotsField::content_signal},
    {"content-signals", RobotsField::content_signal},
    {"content-usage", RobotsField::content_usage},
}};

RobotsField field_of(std::string_view name) {
    for (const FieldName& known : kPrefixes) {
        if (starts_with_ignore_case(name, known.text)) return known.field;
    }
    for (const FieldName& known : kExtensions) {
        if (equals_ignore_case(name, known.text)) return known.field;
    }
    return RobotsField::unknown;
}

// Whether the line is the URL of a sitemap without "Sitemap:" before it.
bool is_bare_sitemap(std::string_view line) {
    return (starts_with_ignore_case(line, "http://") ||
            starts_with_ignore_case(line, "https://")) &&
           to_lower(line).find("sitemap") != std::string::npos;
}

// The offset of the separator: the first colon, or the white space in a line of exactly two words.
std::size_t separator_in(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon != std::string_view::npos) return colon;
    const std::size_t space = line.find_first_of(" \t");
    if (space == std::string_view::npos) return space;
    const std::size_t second_word = line.find_first_not_of(" \t", space);
    const bool has_third_word = line.find_first_of(" \t", second_word) != std::string_view::npos;
    return has_third_word ? std::string_view::npos : space;
}

}  // namespace

std::string robots_text(std::string_view bytes) {
    const bool is_cut = bytes.size() > limits::kRobotsBytesMax;
    if (is_cut) bytes = bytes.substr(0, limits::kRobotsBytesMax);
    std::string text;
    if (const Utf16 form = utf16_of(bytes); form != Utf16::no) {
        text = utf16_to_utf8(bytes, form == Utf16::big_endian);
    } else {
        text = bytes;
    }
    if (is_cut) text.resize(without_last_partial_line(text).size());
    // Google's parser also skips a byte order mark that is incomplete.
    constexpr std::string_view kMark = "\xEF\xBB\xBF";
    const auto mark_end = std::ranges::mismatch(text, kMark).in1;
    text.erase(text.begin(), mark_end);
    return text;
}

bool looks_like_html(std::string_view text) {
    text = trim(text);
    while (text.starts_with("<!--")) {
        const std::size_t end = text.find("-->");
        if (end == std::string_view::npos) return true;
        text = trim(text.substr(end + 3));
    }
    static constexpr std::array<std::string_view, 9> kOpenings = {
        "<!doctype", "<html", "<head", "<body", "<title", "<meta", "<script", "<div", "<?xml"};
    return std::ranges::any_of(
        kOpenings, [&](std::string_view tag) { return starts_with_ignore_case(text, tag); });
}

std::optional<RobotsLine> RobotsLines::next() {
    while (!rest_.empty()) {
        std::string_view line = take_line();
        RobotsLine out;
        out.number = number_;
        out.is_cut = line.size() > limits::kRobotsLineBytesMax;
        line = line.substr(0, limits::kRobotsLineBytesMax);
        // If a comment starts before the limit, the value is whole.
        if (const std::size_t comment = line.find('#'); comment != std::string_view::npos) {
            line = line.substr(0, comment);
            out.is_cut = false;
        }
        line = trim(line);
        const std::size_t separator = separator_in(line);
        if (separator == std::string_view::npos) continue;
        out.name = trim(line.substr(0, separator));
        out.value = trim(line.substr(separator + 1));
        if (out.name.empty()) continue;
        out.field = field_of(out.name);
        if (is_bare_sitemap(line)) {
            out.field = RobotsField::sitemap;
            out.value = line;
        }
        return out;
    }
    return std::nullopt;
}

std::string_view RobotsLines::take_line() {
    const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end);
    if (rest_.starts_with("\r\n")) rest_.remove_prefix(1);
    if (!rest_.empty()) rest_.remove_prefix(1);
    ++number_;
    return line;
}

}  // namespace weft::web

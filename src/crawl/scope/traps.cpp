#include "crawl/scope/traps.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

#include "base/bytes.h"
#include "web/html/fingerprint.h"

namespace weft::crawl {
namespace {

// Repeated segments are counted in an array of fixed size. A path with more segments than this is
// refused for its depth, even if path_depth_max is larger.
constexpr std::size_t kSegmentsCountedMax = 64;

std::optional<Refusal> path_trap(std::string_view path, const Config& config) {
    std::array<std::string_view, kSegmentsCountedMax> segments;
    std::size_t count = 0;
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::string_view segment = path.substr(0, path.find('/'));
        path.remove_prefix(segment.size());
        if (segment.empty()) continue;
        if (count >= config.path_depth_max || count == segments.size()) return Refusal::path_depth;
        segments[count++] = segment;
    }
    if (count <= config.segment_repeat_max) return std::nullopt;
    const auto end = segments.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(segments.begin(), end);
    for (auto first = segments.begin(); first != end;) {
        const auto last = std::upper_bound(first, end, *first);
        if (static_cast<std::size_t>(last - first) > config.segment_repeat_max) {
            return Refusal::path_repeats;
        }
        first = last;
    }
    return std::nullopt;
}

std::int32_t number(std::string_view digits) {
    std::int32_t value = 0;
    std::from_chars(digits.begin(), digits.end(), value);
    return value;
}

std::size_t digit_count(std::string_view text) {
    return std::min(text.find_first_not_of("0123456789"), text.size());
}

}  // namespace

std::optional<std::int32_t> calendar_year(std::string_view text) {
    constexpr std::size_t kYearDigitsMax = 6;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = digit_count(text.substr(i));
        if (length == 0) {
            ++i;
            continue;
        }
        const std::string_view year = text.substr(i, length);
        const bool is_inside_word = i > 0 && is_alpha(text[i - 1]);
        i += length;
        if (length < 4 || length > kYearDigitsMax || i + 1 >= text.size()) continue;
        if (!std::string_view("-/._").contains(text[i])) continue;
        const std::size_t month_length = digit_count(text.substr(i + 1));
        if (month_length < 1 || month_length > 2) continue;
        // Digits inside a word, such as a hexadecimal digest, are not a date.
        const std::size_t end = i + 1 + month_length;
        if (is_inside_word || (end < text.size() && is_alpha(text[end]))) continue;
        const std::int32_t month = number(text.substr(i + 1, month_length));
        if (month >= 1 && month <= 12) return number(year);
    }
    return std::nullopt;
}

std::optional<Refusal> trap_of(const web::Url& url, const Config& config,
                               std::optional<std::int32_t> year_max) {
    if (const auto trap = path_trap(url.pathname(), config)) return trap;
    const std::string_view query = url.search();
    if (!query.empty() &&
        static_cast<std::size_t>(std::ranges::count(query, '&')) >= config.query_parameter_max) {
        return Refusal::query_size;
    }
    if (year_max) {
        const std::optional<std::int32_t> year = calendar_year(url.path_and_query());
        if (year && *year > *year_max) return Refusal::calendar;
    }
    return std::nullopt;
}

namespace {

constexpr auto kSideEffects = std::to_array<std::string_view>(
    {"logout", "logoff", "signout", "signoff", "delete", "remove", "destroy", "unsubscribe",
     "deactivate", "disable", "revoke", "cancel", "reset", "purge", "trash"});

// Compares without case, "-", "_" and extension: "log-out", "sign_off", "delete.php".
bool is_side_effect(std::string_view word) {
    word = word.substr(0, word.find('.'));
    std::string plain;
    for (const char c : word) {
        if (c != '-' && c != '_') plain += to_lower(c);
    }
    return std::ranges::find(kSideEffects, plain) != kSideEffects.end();
}

}  // namespace

bool has_side_effect(const web::Url& url) {
    constexpr std::string_view kSeparators = "/?&=;";
    std::string_view rest = url.path_and_query();
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of(kSeparators), rest.size());
        if (is_side_effect(rest.substr(0, end))) return true;
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return false;
}

std::string url_shape(const web::Url& url) {
    std::string shape = web::path_pattern(url.pathname());
    std::string_view query = url.search();
    while (!query.empty()) {
        query.remove_prefix(1);
        const std::size_t end = std::min(query.find('&'), query.size());
        const std::string_view parameter = query.substr(0, end);
        shape += shape.contains('?') ? '&' : '?';
        shape += parameter.substr(0, parameter.find('='));
        query.remove_prefix(end);
    }
    return shape;
}

Refusal trap_name(const web::Url& url, std::string_view shape) {
    if (shape.contains("{date}") || calendar_year(url.path_and_query())) return Refusal::calendar;
    for (const std::string_view kind : {"{hex}", "{id}", "{uuid}"}) {
        if (shape.contains(kind)) return Refusal::session_id;
    }
    return Refusal::url_pattern;
}

}  // namespace weft::crawl

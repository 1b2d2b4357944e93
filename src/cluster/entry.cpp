#include "cluster/entry.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/limits.h"
#include "frontier/store/codec.h"

namespace weft::cluster {

std::string_view describe(EntryError error) {
    switch (error) {
        case EntryError::broken: return "a queued URL in Redis is broken";
        case EntryError::too_long: return "a queued URL in Redis is longer than URLs may be";
    }
    std::unreachable();
}

std::uint8_t class_of(std::uint8_t priority) {
    return std::min(priority, frontier::kPriorityMax) / kPrioritiesPerClass;
}

namespace {

// How a URL is written. The byte `way` has that of the URL in its lower half, that of the referrer
// in its upper half.
enum class Form : std::uint8_t { none = 0, http = 1, https = 2, full = 3 };
constexpr unsigned kReferrerShift = 4;
constexpr unsigned kFormMask = 0x03;

constexpr std::array<std::string_view, 4> kSchemes = {"", "http://", "https://", ""};

std::string_view scheme_of(Form form) {
    return kSchemes[static_cast<std::size_t>(form)];
}

// The form of a URL, and the part of it that is written.
std::pair<Form, std::string_view> shorten(std::string_view url, std::string_view host) {
    if (url.empty()) return {Form::none, {}};
    for (const Form form : {Form::http, Form::https}) {
        if (!url.starts_with(scheme_of(form))) continue;
        const std::string_view rest = url.substr(scheme_of(form).size());
        // The path begins behind the host: a.test is not the beginning of a.test.example.
        if (rest.starts_with(host) && rest.substr(host.size()).starts_with('/')) {
            return {form, rest.substr(host.size())};
        }
    }
    return {Form::full, url};
}

// A path that does not begin with a slash would change the host.
bool is_whole(Form form, std::string_view text) {
    return form == Form::none || form == Form::full || text.starts_with('/');
}

std::string lengthen(Form form, std::string_view text, std::string_view host) {
    if (form == Form::none) return {};
    if (form == Form::full) return std::string(text);
    return fmt::format("{}{}{}", scheme_of(form), host, text);
}

// A varint that fits 32 bits, taken off the front of `source`.
std::optional<std::uint32_t> take_number(std::string_view& source) {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35 && !source.empty(); shift += 7) {
        const auto byte = static_cast<unsigned char>(source.front());
        source.remove_prefix(1);
        value |= std::uint64_t{byte & 0x7FU} << shift;
        if (byte < 0x80) {
            if (value > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
            return static_cast<std::uint32_t>(value);
        }
    }
    return std::nullopt;
}

}  // namespace

std::string encode_entry(const frontier::Candidate& candidate, std::uint32_t attempt) {
    const auto [url_form, url] = shorten(candidate.url, candidate.host);
    const auto [referrer_form, referrer] = shorten(candidate.referrer, candidate.host);
    std::string entry;
    frontier::put_varint(entry, candidate.depth);
    frontier::put_varint(entry, candidate.trail);
    frontier::put_varint(entry, attempt);
    frontier::put_byte(
        entry, static_cast<std::uint8_t>(static_cast<unsigned>(url_form) |
                                         (static_cast<unsigned>(referrer_form) << kReferrerShift)));
    entry += url;
    if (referrer_form == Form::none) return entry;
    entry += '\0';
    entry += referrer;
    return entry;
}

std::expected<frontier::Visit, EntryError> decode_entry(std::string_view entry,
                                                        std::string_view host,
                                                        std::uint8_t class_number) {
    const auto depth = take_number(entry);
    const auto trail = take_number(entry);
    const auto attempt = take_number(entry);
    if (!depth || !trail || !attempt || entry.empty()) return std::unexpected(EntryError::broken);
    const auto way = static_cast<unsigned char>(entry.front());
    entry.remove_prefix(1);
    const std::size_t nul = std::min(entry.find('\0'), entry.size());
    const std::string_view behind = entry.substr(std::min(nul + 1, entry.size()));
    if (nul > limits::kUrlBytesMax || behind.size() > limits::kUrlBytesMax) {
        return std::unexpected(EntryError::too_long);
    }
    const auto url_form = static_cast<Form>(way & kFormMask);
    const auto referrer_form = static_cast<Form>((way >> kReferrerShift) & kFormMask);
    const std::string_view url = entry.substr(0, nul);
    if (url.empty() || url_form == Form::none || !is_whole(url_form, url) ||
        !is_whole(referrer_form, behind)) {
        return std::unexpected(EntryError::broken);
    }
    return frontier::Visit{
        .id = 0,
        .candidate = {.url = lengthen(url_form, url, host),
                      .key = {},
                      .host = std::string(host),
                      .referrer = lengthen(referrer_form, behind, host),
                      .depth = *depth,
                      .trail = *trail,
                      .priority = static_cast<std::uint8_t>(class_number * kPrioritiesPerClass)},
        .attempt = *attempt};
}

}  // namespace weft::cluster

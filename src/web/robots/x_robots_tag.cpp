#include "web/robots/x_robots_tag.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "base/bytes.h"

namespace weft::web {
namespace {

constexpr std::string_view kUnavailableAfter = "unavailable_after";

bool is_letter(char c) {
    return is_alpha(c);
}

bool ends_with_ignore_case(std::string_view text, std::string_view end) {
    return text.size() >= end.size() &&
           equals_ignore_case(text.substr(text.size() - end.size()), end);
}

// Whether the name before a colon is a directive with a value, and not an agent.
bool has_value(std::string_view name) {
    static constexpr std::array<std::string_view, 5> kValued = {
        kUnavailableAfter, "max-snippet", "max-image-preview", "max-video-preview", "content"};
    return std::ranges::any_of(
        kValued, [&](std::string_view known) { return equals_ignore_case(name, known); });
}

void apply(std::string_view word, PageDirectives& out) {
    static constexpr std::array<std::pair<std::string_view, bool PageDirectives::*>, 9> kWords = {{
        {"noindex", &PageDirectives::noindex},
        {"nofollow", &PageDirectives::nofollow},
        {"noarchive", &PageDirectives::noarchive},
        {"nocache", &PageDirectives::noarchive},
        {"nosnippet", &PageDirectives::nosnippet},
        {"noimageindex", &PageDirectives::noimageindex},
        {"notranslate", &PageDirectives::notranslate},
        {"noai", &PageDirectives::noai},
        {"noimageai", &PageDirectives::noimageai},
    }};
    for (const auto& [name, member] : kWords) {
        if (equals_ignore_case(word, name)) out.*member = true;
    }
    if (equals_ignore_case(word, "none")) out.noindex = out.nofollow = true;
}

void apply_unavailable_after(std::string_view value, PageDirectives& out) {
    std::optional<DateSeconds> date;
    if (const auto mail = parse_mail_date(value)) date = *mail;
    if (const auto w3c = parse_w3c_date(value)) {
        date = std::chrono::floor<std::chrono::seconds>(*w3c);
    }
    if (!date) return;
    // The strictest directive holds, so the earliest date wins.
    out.unavailable_after = out.unavailable_after ? std::min(*out.unavailable_after, *date) : *date;
}

// Removes the next piece from `rest`, up to a comma, and returns it. The comma inside a date ("Mon,
// 25 Jun 2010") does not end the piece.
std::string_view take_piece(std::string_view& rest) {
    std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view start = rest.substr(0, end);
    const std::size_t colon = start.rfind(':');
    if (colon != std::string_view::npos && end < rest.size()) {
        const std::string_view value = trim(start.substr(colon + 1));
        const std::string_view before = trim(start.substr(0, colon));
        const bool is_weekday = value.size() >= 3 && std::ranges::all_of(value, is_letter);
        if (is_weekday && ends_with_ignore_case(before, kUnavailableAfter)) {
            end = std::min(rest.find(',', end + 1), rest.size());
        }
    }
    const std::string_view piece = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return trim(piece);
}

// Without an agent (a <meta>) every piece counts. With one, "name:" before a directive says which
// agent it and the directives after it are for.
void parse_field(std::string_view field, std::optional<std::string_view> agent,
                 PageDirectives& out) {
    bool is_for_us = true;
    while (!field.empty()) {
        std::string_view piece = take_piece(field);
        std::size_t colon = piece.find(':');
        const auto name = [&] { return trim(piece.substr(0, colon)); };
        if (agent && colon != std::string_view::npos && !has_value(name())) {
            is_for_us = equals_ignore_case(name(), *agent) || name() == "*";
            piece = trim(piece.substr(colon + 1));
            colon = piece.find(':');
        }
        if (!is_for_us) continue;
        if (colon == std::string_view::npos) {
            apply(piece, out);
        } else if (equals_ignore_case(name(), kUnavailableAfter)) {
            apply_unavailable_after(trim(piece.substr(colon + 1)), out);
        }
    }
}

}  // namespace

void PageDirectives::add(const PageDirectives& other) {
    noindex |= other.noindex;
    nofollow |= other.nofollow;
    noarchive |= other.noarchive;
    nosnippet |= other.nosnippet;
    noimageindex |= other.noimageindex;
    notranslate |= other.notranslate;
    noai |= other.noai;
    noimageai |= other.noimageai;
    if (!other.unavailable_after) return;
    unavailable_after = unavailable_after ? std::min(*unavailable_after, *other.unavailable_after)
                                          : *other.unavailable_after;
}

PageDirectives parse_x_robots_tag(std::span<const std::string_view> fields,
                                  std::string_view agent) {
    PageDirectives out;
    for (std::string_view field : fields) parse_field(field, agent, out);
    return out;
}

}  // namespace weft::web

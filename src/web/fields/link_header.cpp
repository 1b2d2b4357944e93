#include "web/fields/link_header.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"

namespace weft::web {
namespace {

constexpr std::string_view kFieldSpace = " \t";

void skip_field_space(std::string_view& rest) {
    rest.remove_prefix(std::min(rest.find_first_not_of(kFieldSpace), rest.size()));
}

std::string_view take_until(std::string_view& rest, std::string_view set) {
    const std::string_view out = rest.substr(0, rest.find_first_of(set));
    rest.remove_prefix(out.size());
    return out;
}

// Reads a token or a quoted string, in which a backslash escapes the next character.
std::string take_value(std::string_view& rest) {
    if (!rest.starts_with('"')) return std::string(take_until(rest, " \t;,"));
    std::string out;
    std::size_t i = 1;
    for (; i < rest.size() && rest[i] != '"'; ++i) {
        if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
        out += rest[i];
    }
    rest.remove_prefix(std::min(i + 1, rest.size()));
    return out;
}

void take_parameters(std::string_view& rest, HeaderLink& link) {
    for (;;) {
        skip_field_space(rest);
        if (!rest.starts_with(';')) return;
        rest.remove_prefix(1);
        skip_field_space(rest);
        std::string name = to_lower(take_until(rest, " \t=;,"));
        skip_field_space(rest);
        std::string value;
        if (rest.starts_with('=')) {
            rest.remove_prefix(1);
            skip_field_space(rest);
            value = take_value(rest);
        }
        if (!name.empty() && link.parameters.size() < limits::kMimeParameterCountMax) {
            link.parameters.emplace_back(std::move(name), std::move(value));
        }
        // Text between the value and the next separator is ignored.
        take_until(rest, ";,");
    }
}

}  // namespace

std::optional<std::string_view> HeaderLink::parameter(std::string_view name) const {
    for (const auto& [key, value] : parameters) {
        if (key == name) return value;
    }
    return std::nullopt;
}

bool HeaderLink::has_relation(std::string_view relation) const {
    std::string_view rest = parameter("rel").value_or("");
    while (!rest.empty()) {
        skip_field_space(rest);
        if (equals_ignore_case(take_until(rest, kFieldSpace), relation)) return true;
    }
    return false;
}

std::vector<HeaderLink> parse_link_header(std::string_view field) {
    std::vector<HeaderLink> out;
    while (out.size() < limits::kLinksPerPageMax) {
        field.remove_prefix(std::min(field.find_first_not_of(" \t,"), field.size()));
        if (!field.starts_with('<')) break;
        const std::size_t end = field.find('>');
        if (end == std::string_view::npos) break;
        HeaderLink link;
        link.target = trim(field.substr(1, end - 1));
        field.remove_prefix(end + 1);
        take_parameters(field, link);
        out.push_back(std::move(link));
        take_until(field, ",");  // Text after the parameters is ignored.
    }
    return out;
}

}  // namespace weft::web

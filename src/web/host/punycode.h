#pragma once

#include <optional>
#include <string>
#include <string_view>

// Punycode (RFC 3492) writes a label of any code points in letters, digits and hyphens, as DNS
// needs it. Both functions take and return the label without "xn--". The encoder writes lower case.
// Both need quadratic time in the length of the label, so they refuse a label longer than
// limits::kDomainLabelMax.
namespace weft::web {

std::optional<std::string> punycode_encode(std::u32string_view label);
std::optional<std::u32string> punycode_decode(std::string_view text);

}  // namespace weft::web

#pragma once

#include <optional>
#include <string>
#include <string_view>

// Punycode (RFC 3492): a label of any code points in the letters, digits and hyphens of DNS. Both
// ways take and give the label without "xn--". Lower case comes out. They take quadratic time in
// one label, so a label longer than limits::kDomainLabelMax is refused.
namespace weft::web {

std::optional<std::string> punycode_encode(std::u32string_view label);
std::optional<std::u32string> punycode_decode(std::string_view text);

}  // namespace weft::web

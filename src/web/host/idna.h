#pragma once

#include <optional>
#include <string>
#include <string_view>

// International domain names by UTS 46 as the URL standard uses it: non-transitional, CheckBidi and
// CheckJoiners on; CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength off.
namespace weft::web {

// The name as DNS knows it ("bücher.de" becomes "xn--bcher-kva.de"), or nothing where it is not a
// valid name or not UTF-8. The result is ASCII but may hold any ASCII character that was written or
// mapped to ("℀" is "a/c"): what a host must not hold is for the caller to check.
std::optional<std::string> domain_to_ascii(std::string_view utf8);

}  // namespace weft::web

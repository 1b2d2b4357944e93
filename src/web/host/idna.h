#pragma once

#include <optional>
#include <string>
#include <string_view>

// International domain names by UTS 46 as the URL standard uses it: non-transitional, CheckBidi and
// CheckJoiners on; CheckHyphens, UseSTD3ASCIIRules and VerifyDnsLength off.
namespace weft::web {

// The name in the form of DNS ("bücher.de" becomes "xn--bcher-kva.de"). Nothing if it is not a
// valid name or not UTF-8. The result is ASCII and may contain any ASCII character: "℀" is mapped
// to "a/c". The caller checks for characters that a host must not have.
std::optional<std::string> domain_to_ascii(std::string_view utf8);

}  // namespace weft::web

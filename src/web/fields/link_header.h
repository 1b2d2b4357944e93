#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::web {

// One link of a Link header (RFC 8288): `<https://example.com/2>; rel="next"; title="more"`.
struct HeaderLink {
    // The text between the angle brackets. The caller resolves it against the page's URL.
    std::string target;

    // In order, names in lower case, values without quotes. A name may occur more than once.
    std::vector<std::pair<std::string, std::string>> parameters;

    std::optional<std::string_view> parameter(std::string_view name) const;

    // Whether the first `rel` contains this word, in any case.
    bool has_relation(std::string_view relation) const;

    // The URL that the link starts from, if it is not the page itself.
    std::optional<std::string_view> anchor() const { return parameter("anchor"); }
};

// The links of one Link field, parsed by RFC 8288 appendix B.2. Parsing ends at the first text that
// is not a link, and after kLinksPerPageMax links.
std::vector<HeaderLink> parse_link_header(std::string_view field);

}  // namespace weft::web

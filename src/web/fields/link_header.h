#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::web {

// One link of a Link header (RFC 8288): `<https://example.com/2>; rel="next"; title="more"`.
struct HeaderLink {
    // As written between the angle brackets, to be resolved against the page's URL.
    std::string target;

    // Names in lower case, values without quotes, in order; a name may come more than once.
    std::vector<std::pair<std::string, std::string>> parameters;

    std::optional<std::string_view> parameter(std::string_view name) const;

    // Whether the first `rel` has this word, whatever its case.
    bool has_relation(std::string_view relation) const;

    // The URL the link starts from, when it is not the page itself.
    std::optional<std::string_view> anchor() const { return parameter("anchor"); }
};

// The links of one Link field, read as RFC 8288, appendix B.2 has it; reading ends at the first
// thing that is not a link, and after kLinksPerPageMax.
std::vector<HeaderLink> parse_link_header(std::string_view field);

}  // namespace weft::web

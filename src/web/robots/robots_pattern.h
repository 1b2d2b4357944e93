#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// The paths of robots.txt rules: how they are brought to one spelling, and how they match.
namespace weft::web {

// A rule's path in one spelling (RFC 9309, 2.2.2): percent-encoded unreserved characters decoded,
// other escapes in upper case, octets that no URL may carry escaped. `*` in it always means any
// characters and `$`, at the very end only, the end of the path; both as plain characters are
// `%2A` and `%24`.
struct RobotsPattern {
    std::string text;

    // What the longest match is measured by: octets as written, an escape counting three.
    std::uint32_t length = 0;
};
RobotsPattern normalize_pattern(std::string_view path);

// A URL's path and query in the same spelling; a fragment is dropped. Returns `path` itself when
// that is already so, else a view of `buffer`.
std::string_view normalize_path(std::string_view path, std::string& buffer);

// Both normalized. Goes through the path once, whatever the number of `*`.
bool matches(std::string_view pattern, std::string_view path);

// One bit for each pair of neighbours in a normalized path, and in the literal parts of a pattern:
// a pattern whose pairs are not all among the path's cannot match it.
std::uint64_t neighbours_in_path(std::string_view path);
std::uint64_t neighbours_in_pattern(std::string_view pattern);

}  // namespace weft::web

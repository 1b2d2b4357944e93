#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// The paths of robots.txt rules: how they are normalized and how they match.
namespace weft::web {

// A rule's path in its normalized form (RFC 9309 section 2.2.2): escapes of unreserved characters
// are decoded, other escapes are in upper case, and octets that a URL cannot contain are escaped.
// `*` always means any characters, and `$` at the very end means the end of the path. The plain
// characters are written `%2A` and `%24`.
struct RobotsPattern {
    std::string text;

    // The length that decides which match is the longest: the octets as written, where an escape
    // counts three.
    std::uint32_t length = 0;
};
RobotsPattern normalize_pattern(std::string_view path);

// A URL's path and query in the same normalized form, without the fragment. Returns `path` itself
// if it is in that form already, else a view of `buffer`.
std::string_view normalize_path(std::string_view path, std::string& buffer);

// Whether the pattern matches the path. It reads the path once, even with many `*`. REQUIRES: both
// are normalized.
bool matches(std::string_view pattern, std::string_view path);

// A set of the pairs of neighbouring characters in a normalized path, or in the literal parts of a
// pattern. Each pair sets one of 64 bits. A pattern with a bit that the path does not have cannot
// match it.
std::uint64_t neighbours_in_path(std::string_view path);
std::uint64_t neighbours_in_pattern(std::string_view pattern);

}  // namespace weft::web

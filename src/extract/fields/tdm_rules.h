#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::extract {

// A rule of a tdmrep.json that applies to some paths of its site.
struct TdmRule {
    std::string pattern;      // Normalized, as for web::matches().
    std::string reservation;  // "1": text and data mining is reserved. As written.
    std::string policy;       // The URL of the terms; may be empty.
};

// A site's /.well-known/tdmrep.json (TDM Reservation Protocol, W3C Community Group report): a list
// of objects with "location", "tdm-reservation" and "tdm-policy". Locations are patterns as in
// robots.txt. The first rule that matches a path decides.
//
// Parsing cannot fail: text that is not such a list has no rules, and objects without a location or
// a reservation are ignored. It is a value that does not change after parse(), so many threads may
// use it at once.
class TdmRules {
public:
    static TdmRules parse(std::string_view json);

    // The rule for a path with query, or null. The pointer is valid until the rules are moved or
    // destroyed.
    const TdmRule* find(std::string_view path_and_query) const;

    std::size_t size() const { return rules_.size(); }
    std::size_t memory_bytes() const;

private:
    std::vector<TdmRule> rules_;
};

// A longer file, or one with more levels, has no rules; rules after these many are ignored.
inline constexpr std::size_t kTdmBytesMax = std::size_t{512} << 10;
inline constexpr int kTdmDepthMax = 16;
inline constexpr std::size_t kTdmRulesMax = 1000;

}  // namespace weft::extract

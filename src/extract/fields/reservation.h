#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "extract/fields/tdm_rules.h"
#include "web/robots/robots.h"

namespace weft::extract {

// What the text of pages is wanted for. Sites may forbid some uses and allow others.
enum class Purpose : std::uint8_t { unsaid, search, ai_input, ai_train };

// Where a site says how a page may be used.
enum class ReservedPlace : std::uint8_t { robots_txt, tdmrep, header, meta };
std::string_view name_of(ReservedPlace place);  // "robots.txt", "tdmrep.json", "header", "meta".

// One statement of a site about the use of a page.
struct ReservedStatement {
    ReservedPlace place = ReservedPlace::meta;
    std::string name;   // Lower case: "content-signal".
    std::string value;  // As written: "search=yes, ai-train=no".

    friend bool operator==(const ReservedStatement&, const ReservedStatement&) = default;
};

// What a site says about the use of a page.
struct Reservation {
    std::vector<ReservedStatement> reserved;  // All that apply to the page.
    std::string withheld;   // Why its text may not be used: "noai". Empty if it may.
    std::string overruled;  // The same, where text is kept all the same (Wishes::keeps_reserved).
};

// A header field or a meta tag.
struct NamedValue {
    std::string_view name;
    std::string_view value;
};

// Where the statements about one page come from. What is not known is left empty.
struct ReservationSources {
    std::string_view url = {};  // Rules of files apply to some paths only.
    std::string_view agent = "weft";
    std::span<const web::UsagePreference> robots = {};  // Robots::usage_preferences(agent).
    const TdmRules* tdm = nullptr;
    std::span<const NamedValue> headers = {};  // Of the response; any fields, any order.
    std::span<const NamedValue> metas = {};
};

// Whether a header field or meta tag of this name is read here. A meta tag named like the agent
// counts, too.
bool is_reservation_name(std::string_view name);

// Collects the statements of robots.txt (Content-Usage, Content-Signal), tdmrep.json, the header
// fields Content-Usage, Content-Signal, TDM-Reservation, TDM-Policy and X-Robots-Tag, and of meta
// tags of these names and "robots".
//
// For the yes-or-no statements the most specific place wins: a meta tag before a header field,
// before a file; in robots.txt the longest matching path; among equals "no". Directives for robots
// have no "yes", so each place counts.
//
// Text is withheld for "noai" and for "tdm-reservation: 1". The purpose `search` adds "search=no"
// and "noindex"; `ai_input` adds "ai-input=no"; `ai_train` adds "ai-train=no", "train-ai=n" and
// "train-genai=n". For each of the three "bots=n" counts if the site says nothing closer.
Reservation read_reservation(const ReservationSources& from, Purpose purpose);

// Statements after these many are not recorded, and longer values are cut; they count all the same.
inline constexpr std::size_t kReservedMax = 64;
inline constexpr std::size_t kReservedValueBytesMax = 1000;

}  // namespace weft::extract

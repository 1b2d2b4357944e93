#include "archive/index/outcome.h"

#include <algorithm>
#include <charconv>
#include <concepts>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/json_reader.h"

namespace weft::archive {
namespace {

// Enough for most lines, so that a line is allocated once.
constexpr std::size_t kUsualLineBytes = 1'000;

// In the order of the enumerators.
constexpr std::string_view kEndingNames[] = {"fetched", "redirect", "denied",
                                             "skipped", "failed",   ""};
constexpr std::string_view kViaNames[] = {"seed", "link",    "redirect", "refresh", "requisite",
                                          "hint", "sitemap", "guess",    "listed",  "robots"};

template <class Enum>
Enum find_named(std::span<const std::string_view> names, std::string_view name, Enum otherwise) {
    const auto found = std::ranges::find(names, name);
    return found == names.end() ? otherwise : static_cast<Enum>(found - names.begin());
}

// Called for each member of each line. Plain appending is several times as fast as fmt::format().
void add_name(std::string& out, std::string_view name) {
    out += ",\"";
    out += name;
    out += "\":";
}

void add_digits(std::string& out, std::uint64_t value) {
    const fmt::format_int digits(value);
    out.append(digits.data(), digits.size());
}

// add() writes a member, unless it is empty, zero or false; read() reads its value.

void add(std::string& out, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    add_name(out, name);
    out += '"';
    append_for_json(out, value);
    out += '"';
}

void add(std::string& out, std::string_view name, const std::string& value) {
    add(out, name, std::string_view(value));
}

void read(JsonReader& reader, std::string& value) {
    reader.read(value);
}

void add(std::string& out, std::string_view name, std::integral auto value) {
    if (value == 0) return;
    add_name(out, name);
    add_digits(out, static_cast<std::uint64_t>(value));
}

// JsonReader reads 64-bit numbers only.
void read(JsonReader& reader, std::integral auto& value) {
    auto number = static_cast<std::uint64_t>(value);
    reader.read(number);
    value = static_cast<std::remove_reference_t<decltype(value)>>(number);
}

void add(std::string& out, std::string_view name, bool value) {
    if (!value) return;
    add_name(out, name);
    out += "true";
}

void read(JsonReader& reader, bool& value) {
    reader.read(value);
}

void add(std::string& out, std::string_view name, WallTime value) {
    add(out, name, to_iso8601(value, 3));
}

// A bad date becomes the epoch, which is_sound() rejects.
void read(JsonReader& reader, WallTime& value) {
    std::string date;
    reader.read(date);
    value = parse_iso8601(date).value_or(WallTime{});
}

void add(std::string& out, std::string_view member, Ending value) {
    add(out, member, name(value));
}

void read(JsonReader& reader, Ending& value) {
    std::string text;
    reader.read(text);
    value = find_named(kEndingNames, text, Ending::unknown);
}

void add(std::string& out, std::string_view member, Via value) {
    if (value != Via::link) add(out, member, name(value));
}

void read(JsonReader& reader, Via& value) {
    std::string text;
    reader.read(text);
    value = parse_via(text);
}

void add(std::string& out, std::string_view name,
         const std::map<std::string, std::uint64_t>& counts) {
    if (counts.empty()) return;
    add_name(out, name);
    out += '{';
    for (const auto& [rule, count] : counts) {
        fmt::format_to(std::back_inserter(out), "\"{}\":{},", escape_for_json(rule), count);
    }
    out.back() = '}';  // Replaces the last comma.
}

void read(JsonReader& reader, std::map<std::string, std::uint64_t>& counts) {
    if (!reader.enter_object()) return;
    while (reader.next_member()) {
        const std::string rule(reader.key());
        reader.read(counts[rule]);
    }
}

void add(std::string& out, std::string_view name, const std::vector<std::string>& texts) {
    if (texts.empty()) return;
    add_name(out, name);
    out += '[';
    for (const std::string& text : texts) out += '"' + escape_for_json(text) + "\",";
    out.back() = ']';
}

void read(JsonReader& reader, std::vector<std::string>& texts) {
    if (!reader.enter_array()) return;
    while (reader.next_item()) reader.read(texts.emplace_back());
}

// A member of the JSON object, and how it is written and read.
struct Member {
    std::string_view name;
    void (*add)(std::string& out, std::string_view name, const Outcome& outcome);
    void (*read)(JsonReader& reader, Outcome& outcome);
};

// `kPath` leads from an Outcome to the value.
template <auto... kPath>
constexpr Member member(std::string_view name) {
    return {name,
            [](std::string& out, std::string_view written, const Outcome& outcome) {
                add(out, written, (outcome.*....*kPath));
            },
            [](JsonReader& reader, Outcome& outcome) { read(reader, (outcome.*....*kPath)); }};
}

// Hashes are written as text, because most JSON readers cannot represent such large numbers
// exactly.
template <std::uint64_t Outcome::* kMember>
constexpr Member hash_member(std::string_view name) {
    return {name,
            [](std::string& out, std::string_view written, const Outcome& outcome) {
                constexpr std::string_view kDigits = "0123456789abcdef";
                const std::uint64_t value = outcome.*kMember;
                if (value == 0) return;
                add_name(out, written);
                out += '"';
                for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[value >> shift & 0xF];
                out += '"';
            },
            [](JsonReader& reader, Outcome& outcome) {
                std::string digits;
                reader.read(digits);
                std::uint64_t value = 0;
                std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
                outcome.*kMember = value;
            }};
}

void add_attempts(std::string& out, std::string_view name, const Outcome& outcome) {
    if (outcome.attempt_count != 1) add(out, name, outcome.attempt_count);
}

// Written even if it is 0.
void add_offset(std::string& out, std::string_view name, const Outcome& outcome) {
    if (outcome.archived.file.empty()) return;
    add_name(out, name);
    add_digits(out, outcome.archived.offset);
}

// More than any fetch takes; a larger number would overflow.
constexpr std::uint64_t kMicrosecondsMax = 1'000'000h / 1us;

// When each phase of a fetch ended, in microseconds.
constexpr std::pair<std::string_view, Duration http::Timings::*> kPhases[] = {
    {"dns", &http::Timings::dns},
    {"connect", &http::Timings::connect},
    {"tls", &http::Timings::tls},
    {"sent", &http::Timings::sent},
    {"first_byte", &http::Timings::first_byte},
};

void add_phases(std::string& out, std::string_view name, const Outcome& outcome) {
    if (outcome.elapsed < 1us) return;
    add_name(out, name);
    out += "{\"total\":";
    add_digits(out, static_cast<std::uint64_t>(outcome.elapsed / 1us));
    for (const auto& [phase, end] : kPhases) add(out, phase, outcome.timings.*end / 1us);
    out += '}';
}

void read_phases(JsonReader& reader, Outcome& outcome) {
    if (!reader.enter_object()) return;
    while (reader.next_member()) {
        Duration unknown{};
        Duration* end = reader.key() == "total" ? &outcome.elapsed : &unknown;
        for (const auto& [phase, timing] : kPhases) {
            if (reader.key() == phase) end = &(outcome.timings.*timing);
        }
        std::uint64_t count = 0;
        reader.read(count);
        *end = 1us * std::min(count, kMicrosecondsMax);
    }
}

// In the order in which they are written; see read_member().
constexpr Member kMembers[] = {
    member<&Outcome::url>("url"),
    member<&Outcome::date>("ts"),
    member<&Outcome::title>("title"),
    member<&Outcome::ending>("ending"),
    member<&Outcome::status>("status"),
    member<&Outcome::failure>("failure"),
    member<&Outcome::reason>("reason"),
    member<&Outcome::content_type>("mime"),
    member<&Outcome::charset>("charset"),
    member<&Outcome::content_bytes>("size"),
    member<&Outcome::digest>("digest"),
    hash_member<&Outcome::simhash>("simhash"),
    hash_member<&Outcome::skeleton>("skeleton"),
    member<&Outcome::redirect_target>("redirect"),
    member<&Outcome::address>("address"),
    member<&Outcome::canonical>("canonical"),
    member<&Outcome::near_duplicate_of>("near_duplicate_of"),
    member<&Outcome::referrer>("referrer"),
    member<&Outcome::via>("via"),
    member<&Outcome::depth>("depth"),
    {"attempts", add_attempts, member<&Outcome::attempt_count>("").read},
    {"us", add_phases, read_phases},
    member<&Outcome::is_truncated>("truncated"),
    member<&Outcome::is_duplicate>("duplicate"),
    member<&Outcome::says_noindex>("noindex"),
    member<&Outcome::says_nofollow>("nofollow"),
    member<&Outcome::is_nofollow>("nofollow_link"),
    member<&Outcome::link_count>("wanted"),
    member<&Outcome::refused>("refused"),
    member<&Outcome::links>("links"),
    member<&Outcome::text>("text"),
    member<&Outcome::archived, &ArchivePlace::file>("file"),
    {"offset", add_offset, member<&Outcome::archived, &ArchivePlace::offset>("").read},
    member<&Outcome::archived, &ArchivePlace::length>("length"),
    member<&Outcome::payload_digest>("payload"),
    member<&Outcome::is_revisit>("revisit"),
    member<&Outcome::etag>("etag"),
    member<&Outcome::last_modified>("last_modified"),
    member<&Outcome::is_unchanged>("unchanged"),
};

// Searches the table from `next` on, and wraps around. Our own lines have their members in the
// table's order, so the first comparisons usually hit.
void read_member(JsonReader& reader, Outcome& outcome, std::size_t& next) {
    const std::string_view key = reader.key();
    for (std::size_t i = 0; i < std::size(kMembers); ++i) {
        const Member& member = kMembers[next];
        next = (next + 1) % std::size(kMembers);
        if (member.name == key) return member.read(reader, outcome);
    }
    reader.skip();
}

}  // namespace

std::string_view name(Ending ending) {
    return kEndingNames[static_cast<std::size_t>(ending)];
}

std::string_view name(Via via) {
    return kViaNames[static_cast<std::size_t>(via)];
}

Via parse_via(std::string_view name) {
    return find_named(kViaNames, name, Via::link);
}

std::string to_json_line(const Outcome& outcome) {
    std::string out;
    out.reserve(kUsualLineBytes);
    for (const Member& member : kMembers) member.add(out, member.name, outcome);
    out.front() = '{';  // Replaces the first comma.
    out += "}\n";
    return out;
}

bool is_sound(const Outcome& outcome) {
    return outcome.ending != Ending::unknown && outcome.date > WallTime{};
}

std::optional<Outcome> parse_page_line(std::string_view line) {
    std::optional<Outcome> outcome;
    JsonReader reader(line);
    if (!reader.enter_object()) return outcome;
    outcome.emplace().ending = Ending::unknown;
    std::size_t next = 0;
    while (reader.next_member()) read_member(reader, *outcome, next);
    // The format line has no "url", so that it is not an outcome.
    if (!reader.is_whole() || outcome->url.empty()) outcome.reset();
    return outcome;
}

}  // namespace weft::archive

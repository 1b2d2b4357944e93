#include "archive/index/page_entry.h"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <type_traits>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/json_reader.h"

namespace weft::archive {
namespace {

// Enough for most lines, so that a line is allocated once.
constexpr std::size_t kUsualLineBytes = 1'000;

// Called for each member of each line. Plain appending is several times as fast as fmt::format().
void add_name(std::string& out, std::string_view name) {
    out += ",\"";
    out += name;
    out += "\":";
}

void add_text(std::string& out, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    add_name(out, name);
    out += '"';
    append_for_json(out, value);
    out += '"';
}

void add_digits(std::string& out, std::uint64_t value) {
    const fmt::format_int digits(value);
    out.append(digits.data(), digits.size());
}

void add_number(std::string& out, std::string_view name, std::uint64_t value) {
    if (value == 0) return;
    add_name(out, name);
    add_digits(out, value);
}

void add_hash(std::string& out, std::string_view name, std::uint64_t value) {
    if (value == 0) return;
    constexpr std::string_view kDigits = "0123456789abcdef";
    add_name(out, name);
    out += '"';
    for (int shift = 60; shift >= 0; shift -= 4) out += kDigits[value >> shift & 0xF];
    out += '"';
}

void add_flag(std::string& out, std::string_view name, bool value) {
    if (!value) return;
    add_name(out, name);
    out += "true";
}

void add_phases(std::string& out, const PagePhases& phases) {
    if (phases.total == 0) return;
    out += ",\"us\":{\"total\":";
    add_digits(out, phases.total);
    add_number(out, "dns", phases.dns);
    add_number(out, "connect", phases.connect);
    add_number(out, "tls", phases.tls);
    add_number(out, "sent", phases.sent);
    add_number(out, "first_byte", phases.first_byte);
    out += '}';
}

void add_links(std::string& out, const PageEntry& entry) {
    add_number(out, "wanted", entry.link_count);
    if (!entry.refused.empty()) {
        out += ",\"refused\":{";
        for (const auto& [rule, count] : entry.refused) {
            fmt::format_to(std::back_inserter(out), "\"{}\":{},", escape_for_json(rule), count);
        }
        // Replaces the last comma.
        out.back() = '}';
    }
    if (entry.links.empty()) return;
    out += ",\"links\":[";
    for (const std::string& link : entry.links) out += '"' + escape_for_json(link) + "\",";
    out.back() = ']';
}

// Reads one member of the JSON object into the member of PageEntry that kMember points to.
template <auto kMember>
void read_into(JsonReader& reader, PageEntry& entry) {
    auto& value = entry.*kMember;
    using Value = std::remove_reference_t<decltype(value)>;
    if constexpr (std::is_same_v<Value, int> || std::is_same_v<Value, std::uint32_t>) {
        auto number = static_cast<std::uint64_t>(value);
        reader.read(number);
        // JsonReader reads 64-bit numbers only.
        value = static_cast<Value>(number);
    } else {
        reader.read(value);
    }
}

// Hashes are written as text, because most JSON readers cannot represent such large numbers
// exactly.
template <auto kMember>
void read_hash(JsonReader& reader, PageEntry& entry) {
    std::string digits;
    reader.read(digits);
    std::uint64_t value = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    entry.*kMember = value;
}

// A bad date becomes the epoch, which is_sound() rejects.
void read_date(JsonReader& reader, PageEntry& entry) {
    std::string date;
    reader.read(date);
    entry.date = parse_iso8601(date).value_or(WallTime{});
}

void read_phases(JsonReader& reader, PageEntry& entry) {
    if (!reader.enter_object()) return;
    PagePhases& phases = entry.phases;
    while (reader.next_member()) {
        const std::string_view key = reader.key();
        std::uint64_t unknown = 0;
        std::uint64_t& phase = key == "total"        ? phases.total
                               : key == "dns"        ? phases.dns
                               : key == "connect"    ? phases.connect
                               : key == "tls"        ? phases.tls
                               : key == "sent"       ? phases.sent
                               : key == "first_byte" ? phases.first_byte
                                                     : unknown;
        reader.read(phase);
    }
}

void read_refused(JsonReader& reader, PageEntry& entry) {
    if (!reader.enter_object()) return;
    while (reader.next_member()) {
        const std::string rule(reader.key());
        reader.read(entry.refused[rule]);
    }
}

void read_links(JsonReader& reader, PageEntry& entry) {
    if (!reader.enter_array()) return;
    while (reader.next_item()) reader.read(entry.links.emplace_back());
}

struct Field {
    std::string_view name;
    void (*read)(JsonReader& reader, PageEntry& entry);
};

// In the order in which to_json_line() writes them; see read_member().
constexpr Field kFields[] = {
    {"url", read_into<&PageEntry::url>},
    {"ts", read_date},
    {"title", read_into<&PageEntry::title>},
    {"ending", read_into<&PageEntry::ending>},
    {"status", read_into<&PageEntry::status>},
    {"failure", read_into<&PageEntry::failure>},
    {"reason", read_into<&PageEntry::reason>},
    {"mime", read_into<&PageEntry::content_type>},
    {"charset", read_into<&PageEntry::charset>},
    {"size", read_into<&PageEntry::content_bytes>},
    {"digest", read_into<&PageEntry::digest>},
    {"simhash", read_hash<&PageEntry::simhash>},
    {"skeleton", read_hash<&PageEntry::skeleton>},
    {"redirect", read_into<&PageEntry::redirect_target>},
    {"address", read_into<&PageEntry::address>},
    {"canonical", read_into<&PageEntry::canonical>},
    {"near_duplicate_of", read_into<&PageEntry::near_duplicate_of>},
    {"referrer", read_into<&PageEntry::referrer>},
    {"via", read_into<&PageEntry::via>},
    {"depth", read_into<&PageEntry::depth>},
    {"attempts", read_into<&PageEntry::attempt_count>},
    {"us", read_phases},
    {"truncated", read_into<&PageEntry::is_truncated>},
    {"duplicate", read_into<&PageEntry::is_duplicate>},
    {"noindex", read_into<&PageEntry::is_noindex>},
    {"nofollow", read_into<&PageEntry::is_nofollow>},
    {"nofollow_link", read_into<&PageEntry::is_nofollow_link>},
    {"wanted", read_into<&PageEntry::link_count>},
    {"refused", read_refused},
    {"links", read_links},
    {"text", read_into<&PageEntry::text>},
    {"file", read_into<&PageEntry::warc_file>},
    {"offset", read_into<&PageEntry::warc_offset>},
    {"length", read_into<&PageEntry::warc_length>},
    {"payload", read_into<&PageEntry::payload_digest>},
    {"revisit", read_into<&PageEntry::is_revisit>},
    {"etag", read_into<&PageEntry::etag>},
    {"last_modified", read_into<&PageEntry::last_modified>},
    {"unchanged", read_into<&PageEntry::is_unchanged>},
};

// Searches the table from `next` on, and wraps around. Our own lines have their members in the
// table's order, so the first comparisons usually hit.
void read_member(JsonReader& reader, PageEntry& entry, std::size_t& next) {
    const std::string_view key = reader.key();
    for (std::size_t i = 0; i < std::size(kFields); ++i) {
        const Field& field = kFields[next];
        next = (next + 1) % std::size(kFields);
        if (field.name == key) return field.read(reader, entry);
    }
    reader.skip();
}

}  // namespace

std::string to_json_line(const PageEntry& entry) {
    std::string out;
    out.reserve(kUsualLineBytes);
    out += "{\"url\":\"";
    append_for_json(out, entry.url);
    out += '"';
    add_text(out, "ts", to_iso8601(entry.date, 3));
    add_text(out, "title", entry.title);
    add_text(out, "ending", entry.ending);
    add_number(out, "status", static_cast<std::uint64_t>(entry.status));
    add_text(out, "failure", entry.failure);
    add_text(out, "reason", entry.reason);
    add_text(out, "mime", entry.content_type);
    add_text(out, "charset", entry.charset);
    add_number(out, "size", entry.content_bytes);
    add_text(out, "digest", entry.digest);
    add_hash(out, "simhash", entry.simhash);
    add_hash(out, "skeleton", entry.skeleton);
    add_text(out, "redirect", entry.redirect_target);
    add_text(out, "address", entry.address);
    add_text(out, "canonical", entry.canonical);
    add_text(out, "near_duplicate_of", entry.near_duplicate_of);
    add_text(out, "referrer", entry.referrer);
    add_text(out, "via", entry.via);
    add_number(out, "depth", entry.depth);
    if (entry.attempt_count != 1) add_number(out, "attempts", entry.attempt_count);
    add_phases(out, entry.phases);
    add_flag(out, "truncated", entry.is_truncated);
    add_flag(out, "duplicate", entry.is_duplicate);
    add_flag(out, "noindex", entry.is_noindex);
    add_flag(out, "nofollow", entry.is_nofollow);
    add_flag(out, "nofollow_link", entry.is_nofollow_link);
    add_links(out, entry);
    add_text(out, "text", entry.text);
    if (!entry.warc_file.empty()) {
        add_text(out, "file", entry.warc_file);
        add_name(out, "offset");  // Written even if it is 0.
        add_digits(out, entry.warc_offset);
        add_number(out, "length", entry.warc_length);
        add_text(out, "payload", entry.payload_digest);
        add_flag(out, "revisit", entry.is_revisit);
    }
    add_text(out, "etag", entry.etag);
    add_text(out, "last_modified", entry.last_modified);
    add_flag(out, "unchanged", entry.is_unchanged);
    out += "}\n";
    return out;
}

// The five endings are the only ones that a crawl writes.
bool is_sound(const PageEntry& entry) {
    constexpr std::string_view kEndings[] = {"fetched", "redirect", "denied", "skipped", "failed"};
    return std::ranges::find(kEndings, entry.ending) != std::end(kEndings) &&
           entry.date > WallTime{};
}

std::optional<PageEntry> parse_page_line(std::string_view line) {
    std::optional<PageEntry> entry;
    JsonReader reader(line);
    if (!reader.enter_object()) return entry;
    entry.emplace();
    std::size_t next = 0;
    while (reader.next_member()) read_member(reader, *entry, next);
    // The format line has no "url", so that it is not an entry.
    if (!reader.is_whole() || entry->url.empty()) entry.reset();
    return entry;
}

}  // namespace weft::archive

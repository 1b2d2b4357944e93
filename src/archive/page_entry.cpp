#include "archive/page_entry.h"

#include <charconv>
#include <iterator>
#include <type_traits>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/json_reader.h"

namespace weft::archive {
namespace {

constexpr std::size_t kUsualLineBytes = 1'000;

// Called for each member of each page's line: plain appending is several times as fast as a format.
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

void add_number(std::string& out, std::string_view name, std::uint64_t value) {
    if (value == 0) return;
    add_name(out, name);
    out += fmt::format_int(value).c_str();
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
    out += ",\"us\":{\"total\":" + std::to_string(phases.total);
    add_number(out, "dns", phases.dns);
    add_number(out, "connect", phases.connect);
    add_number(out, "tls", phases.tls);
    add_number(out, "sent", phases.sent);
    add_number(out, "first_byte", phases.first_byte);
    out += '}';
}

void add_links(std::string& out, const PageEntry& entry) {
    add_number(out, "wanted", entry.link_count);
    add_number(out, "new", entry.new_link_count);
    if (!entry.refused.empty()) {
        out += ",\"refused\":{";
        for (const auto& [rule, count] : entry.refused) {
            fmt::format_to(std::back_inserter(out), "\"{}\":{},", escape_for_json(rule), count);
        }
        out.back() = '}';
    }
    if (entry.links.empty()) return;
    out += ",\"links\":[";
    for (const std::string& link : entry.links) out += '"' + escape_for_json(link) + "\",";
    out.back() = ']';
}

template <class Value>
struct Field {
    std::string_view name;
    Value PageEntry::* member;
};

constexpr Field<std::string> kTexts[] = {
    {"url", &PageEntry::url},
    {"title", &PageEntry::title},
    {"ending", &PageEntry::ending},
    {"failure", &PageEntry::failure},
    {"reason", &PageEntry::reason},
    {"mime", &PageEntry::content_type},
    {"charset", &PageEntry::charset},
    {"digest", &PageEntry::digest},
    {"redirect", &PageEntry::redirect_target},
    {"address", &PageEntry::address},
    {"canonical", &PageEntry::canonical},
    {"near_duplicate_of", &PageEntry::near_duplicate_of},
    {"referrer", &PageEntry::referrer},
    {"via", &PageEntry::via},
    {"text", &PageEntry::text},
    {"file", &PageEntry::warc_file},
    {"payload", &PageEntry::payload_digest},
    {"etag", &PageEntry::etag},
    {"last_modified", &PageEntry::last_modified},
};

constexpr Field<std::uint64_t> kNumbers[] = {
    {"size", &PageEntry::content_bytes}, {"wanted", &PageEntry::link_count},
    {"new", &PageEntry::new_link_count}, {"offset", &PageEntry::warc_offset},
    {"length", &PageEntry::warc_length},
};

// Written as text: numbers that large are no use to most readers of JSON.
constexpr Field<std::uint64_t> kHashes[] = {
    {"simhash", &PageEntry::simhash},
    {"skeleton", &PageEntry::skeleton},
};

constexpr Field<std::uint32_t> kSmallNumbers[] = {
    {"depth", &PageEntry::depth},
    {"attempts", &PageEntry::attempt_count},
};

constexpr Field<bool> kFlags[] = {
    {"truncated", &PageEntry::is_truncated},
    {"duplicate", &PageEntry::is_duplicate},
    {"noindex", &PageEntry::is_noindex},
    {"nofollow", &PageEntry::is_nofollow},
    {"revisit", &PageEntry::is_revisit},
    {"unchanged", &PageEntry::is_unchanged},
    {"nofollow_link", &PageEntry::is_nofollow_link},
};

template <class Number>
void read_number(JsonReader& reader, Number& value) {
    std::uint64_t number = static_cast<std::uint64_t>(value);
    reader.read(number);
    value = static_cast<Number>(number);
}

template <class Value, std::size_t kCount>
bool read_field(const Field<Value> (&fields)[kCount], JsonReader& reader, PageEntry& entry) {
    for (const Field<Value>& field : fields) {
        if (field.name != reader.key()) continue;
        if constexpr (std::is_same_v<Value, std::uint32_t>) {
            read_number(reader, entry.*field.member);
        } else {
            reader.read(entry.*field.member);
        }
        return true;
    }
    return false;
}

bool read_hash(JsonReader& reader, PageEntry& entry) {
    for (const Field<std::uint64_t>& field : kHashes) {
        if (field.name != reader.key()) continue;
        std::string digits;
        reader.read(digits);
        std::uint64_t value = 0;
        std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
        entry.*field.member = value;
        return true;
    }
    return false;
}

void read_phases(JsonReader& reader, PagePhases& phases) {
    if (!reader.enter_object()) return;
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

void read_member(JsonReader& reader, PageEntry& entry) {
    const std::string_view key = reader.key();
    if (read_field(kTexts, reader, entry)) return;
    if (read_field(kNumbers, reader, entry)) return;
    if (read_field(kSmallNumbers, reader, entry)) return;
    if (read_field(kFlags, reader, entry)) return;
    if (read_hash(reader, entry)) return;
    if (key == "ts") {
        std::string date;
        reader.read(date);
        entry.date = parse_iso8601(date).value_or(WallTime{});
    } else if (key == "status") {
        read_number(reader, entry.status);
    } else if (key == "us") {
        read_phases(reader, entry.phases);
    } else if (key == "refused") {
        read_refused(reader, entry);
    } else if (key == "links") {
        read_links(reader, entry);
    } else {
        reader.skip();
    }
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
        add_name(out, "offset");  // Also when it is 0.
        out += fmt::format_int(entry.warc_offset).c_str();
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

std::optional<PageEntry> parse_page_line(std::string_view line) {
    JsonReader reader(line);
    if (!reader.enter_object()) return std::nullopt;
    PageEntry entry;
    while (reader.next_member()) read_member(reader, entry);
    if (!reader.is_whole() || entry.url.empty()) return std::nullopt;
    return entry;
}

}  // namespace weft::archive

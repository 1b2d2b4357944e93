#include "archive/page_entry.h"

#include <iterator>

#include <fmt/format.h>

#include "archive/json_line.h"
#include "base/escape.h"

namespace weft::archive {
namespace {

const std::vector<JsonLine::Member> kNoMembers;

void add_text(std::string& out, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    fmt::format_to(std::back_inserter(out), ",\"{}\":\"{}\"", name, escape_for_json(value));
}

void add_number(std::string& out, std::string_view name, std::uint64_t value) {
    if (value == 0) return;
    fmt::format_to(std::back_inserter(out), ",\"{}\":{}", name, value);
}

void add_flag(std::string& out, std::string_view name, bool value) {
    if (value) fmt::format_to(std::back_inserter(out), ",\"{}\":true", name);
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

void read(const JsonLine& object, const char* name, std::string& value) {
    object.read(name, value);
}

template <class Number>
    requires std::is_integral_v<Number>
void read(const JsonLine& object, const char* name, Number& value) {
    if constexpr (std::is_same_v<Number, bool>) {
        object.read(name, value);
    } else {
        std::uint64_t number = 0;
        if (object.read(name, number)) value = static_cast<Number>(number);
    }
}

void read_phases(const JsonLine& object, PagePhases& phases) {
    const auto text = object.nested("us");
    if (!text) return;
    const auto times = JsonLine::parse(*text);
    if (!times) return;
    read(*times, "total", phases.total);
    read(*times, "dns", phases.dns);
    read(*times, "connect", phases.connect);
    read(*times, "tls", phases.tls);
    read(*times, "sent", phases.sent);
    read(*times, "first_byte", phases.first_byte);
}

void read_links(const JsonLine& object, PageEntry& entry) {
    read(object, "wanted", entry.link_count);
    read(object, "new", entry.new_link_count);
    if (const auto text = object.nested("refused")) {
        const auto refused = JsonLine::parse(*text);
        for (const auto& [rule, count] : refused ? refused->members() : kNoMembers) {
            const auto number = read_json_number(count);
            if (number) entry.refused[std::string(rule)] = *number;
        }
    }
    if (const auto text = object.nested("links")) entry.links = read_json_strings(*text);
}

}  // namespace

std::string to_json_line(const PageEntry& entry) {
    std::string out = fmt::format("{{\"url\":\"{}\",\"ts\":\"{}\"", escape_for_json(entry.url),
                                  to_iso8601(entry.date, 3));
    add_text(out, "title", entry.title);
    add_text(out, "ending", entry.ending);
    add_number(out, "status", static_cast<std::uint64_t>(entry.status));
    add_text(out, "failure", entry.failure);
    add_text(out, "reason", entry.reason);
    add_text(out, "mime", entry.content_type);
    add_text(out, "charset", entry.charset);
    add_number(out, "size", entry.content_bytes);
    add_text(out, "digest", entry.digest);
    add_number(out, "simhash", entry.simhash);
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
    add_links(out, entry);
    add_text(out, "text", entry.text);
    if (!entry.warc_file.empty()) {
        add_text(out, "file", entry.warc_file);
        fmt::format_to(std::back_inserter(out), ",\"offset\":{},\"length\":{}", entry.warc_offset,
                       entry.warc_length);
    }
    return out + "}\n";
}

std::optional<PageEntry> parse_page_line(std::string_view line) {
    const auto parsed = JsonLine::parse(line);
    if (!parsed || !parsed->contains("url")) return std::nullopt;
    const JsonLine& object = *parsed;
    PageEntry entry;
    read(object, "url", entry.url);
    std::string date;
    read(object, "ts", date);
    entry.date = parse_iso8601(date).value_or(WallTime{});
    read(object, "title", entry.title);
    read(object, "ending", entry.ending);
    read(object, "status", entry.status);
    read(object, "failure", entry.failure);
    read(object, "reason", entry.reason);
    read(object, "mime", entry.content_type);
    read(object, "charset", entry.charset);
    read(object, "size", entry.content_bytes);
    read(object, "digest", entry.digest);
    read(object, "simhash", entry.simhash);
    read(object, "redirect", entry.redirect_target);
    read(object, "address", entry.address);
    read(object, "canonical", entry.canonical);
    read(object, "near_duplicate_of", entry.near_duplicate_of);
    read(object, "referrer", entry.referrer);
    read(object, "via", entry.via);
    read(object, "depth", entry.depth);
    read(object, "attempts", entry.attempt_count);
    read_phases(object, entry.phases);
    read(object, "truncated", entry.is_truncated);
    read(object, "duplicate", entry.is_duplicate);
    read(object, "noindex", entry.is_noindex);
    read(object, "nofollow", entry.is_nofollow);
    read_links(object, entry);
    read(object, "text", entry.text);
    read(object, "file", entry.warc_file);
    read(object, "offset", entry.warc_offset);
    read(object, "length", entry.warc_length);
    return entry;
}

}  // namespace weft::archive

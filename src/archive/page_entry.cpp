#include "archive/page_entry.h"

#include <iterator>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "base/escape.h"

namespace weft::archive {
namespace {

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

using Json = nlohmann::json;

void read(const Json& object, const char* name, std::string& value) {
    if (const auto at = object.find(name); at != object.end() && at->is_string()) {
        value = at->get<std::string>();
    }
}

template <class Number>
    requires std::is_integral_v<Number>
void read(const Json& object, const char* name, Number& value) {
    const auto at = object.find(name);
    if (at == object.end()) return;
    if constexpr (std::is_same_v<Number, bool>) {
        if (at->is_boolean()) value = at->get<bool>();
    } else {
        if (at->is_number_unsigned()) value = static_cast<Number>(at->get<std::uint64_t>());
    }
}

void read_phases(const Json& object, PagePhases& phases) {
    const auto at = object.find("us");
    if (at == object.end() || !at->is_object()) return;
    read(*at, "total", phases.total);
    read(*at, "dns", phases.dns);
    read(*at, "connect", phases.connect);
    read(*at, "tls", phases.tls);
    read(*at, "sent", phases.sent);
    read(*at, "first_byte", phases.first_byte);
}

void read_links(const Json& object, PageEntry& entry) {
    read(object, "wanted", entry.link_count);
    read(object, "new", entry.new_link_count);
    if (const auto at = object.find("refused"); at != object.end() && at->is_object()) {
        for (const auto& [rule, count] : at->items()) {
            if (count.is_number_unsigned()) entry.refused[rule] = count.get<std::uint64_t>();
        }
    }
    if (const auto at = object.find("links"); at != object.end() && at->is_array()) {
        for (const Json& link : *at) {
            if (link.is_string()) entry.links.push_back(link.get<std::string>());
        }
    }
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
        add_text(out, "payload", entry.payload_digest);
        add_flag(out, "revisit", entry.is_revisit);
    }
    add_text(out, "etag", entry.etag);
    add_text(out, "last_modified", entry.last_modified);
    add_flag(out, "unchanged", entry.is_unchanged);
    return out + "}\n";
}

std::optional<PageEntry> parse_page_line(std::string_view line) {
    const Json object = Json::parse(line, nullptr, false);
    if (!object.is_object() || !object.contains("url")) return std::nullopt;
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
    read(object, "payload", entry.payload_digest);
    read(object, "revisit", entry.is_revisit);
    read(object, "etag", entry.etag);
    read(object, "last_modified", entry.last_modified);
    read(object, "unchanged", entry.is_unchanged);
    return entry;
}

}  // namespace weft::archive

#include <algorithm>

#include "base/bytes.h"
#include "web/url/percent.h"
#include "web/url/url.h"
#include "web/url/url_parser.h"
#include "web/url/url_path.h"
#include "web/url/url_query.h"
#include "web/url/url_record.h"

// The setters of the standard's URL API (section 6.1). Each setter takes the URL apart, changes one
// part as the parser with a state override would, and writes the URL again.
namespace weft::web {
namespace {

using detail::Scheme;
using detail::UrlRecord;

std::string_view leading_digits(std::string_view text) {
    const auto end = std::ranges::find_if_not(text, [](char c) { return is_digit(c); });
    return text.substr(0, static_cast<std::size_t>(end - text.begin()));
}

bool has_credentials_or_port(const UrlRecord& record) {
    return !record.username.empty() || !record.password.empty() || record.port.has_value();
}

// A port out of range is ignored.
void change_port(UrlRecord& record, std::string_view digits) {
    const auto ignored = detail::set_port(record, digits);
    static_cast<void>(ignored);
}

void change_protocol(UrlRecord& record, std::string_view value) {
    const std::string name = to_lower(value.substr(0, value.find(':')));
    const auto is_scheme_char = [](char c) {
        return is_alnum(c) || c == '+' || c == '-' || c == '.';
    };
    if (name.empty() || !is_alpha(name[0]) || !std::ranges::all_of(name, is_scheme_char)) return;
    // "Scheme state" with a state override: a special scheme stays special, and file: takes no
    // credentials and no port.
    const Scheme kind = detail::scheme_of(name);
    if (detail::is_special(kind) != detail::is_special(record.kind)) return;
    if (kind == Scheme::file && has_credentials_or_port(record)) return;
    if (record.kind == Scheme::file && record.host && record.host->text.empty()) return;
    record.scheme = name;
    record.kind = kind;
    if (record.port == detail::default_port(kind)) record.port.reset();
}

void change_file_host(UrlRecord& record, std::string_view text) {
    Host host{.text = {}, .kind = HostKind::empty};
    if (!text.empty()) {
        auto parsed = parse_host(text, false);
        if (!parsed) return;
        if (parsed->text != "localhost") host = *std::move(parsed);
    }
    record.host = std::move(host);
}

void change_host(UrlRecord& record, std::string_view value, bool with_port) {
    const bool special = detail::is_special(record.kind);
    const std::string_view text = value.substr(0, value.find_first_of(special ? "/\\?#" : "/?#"));
    if (record.kind == Scheme::file) return change_file_host(record, text);
    // The hostname setter refuses a text with a port. The host setter needs a host before the port.
    const std::size_t colon = detail::find_port_colon(text);
    if (colon < text.size() && (colon == 0 || !with_port)) return;
    if (colon == 0 && (special || has_credentials_or_port(record))) return;
    auto host = parse_host(text.substr(0, colon), !special);
    if (!host) return;
    record.host = *std::move(host);
    if (colon == text.size()) return;
    const std::string_view digits = leading_digits(text.substr(colon + 1));
    if (!digits.empty()) change_port(record, digits);
}

void change_pathname(UrlRecord& record, std::string_view value) {
    record.path.clear();
    const bool special = detail::is_special(record.kind);
    if (value.starts_with('/') || (special && value.starts_with('\\'))) {
        value.remove_prefix(1);
    } else if (value.empty() && !special) {
        if (!record.host) record.path = "/";
        return;
    }
    detail::PathWriter(record.path, 0, record.kind).append(value);
}

// Applies `change` to the record of `url`. The value has no tabs and newlines, as in the parser.
template <typename Change>
void edit(Url& url, std::string_view value, Change change) {
    if (value.size() > kUrlBytesCeiling) return;
    UrlRecord record = UrlRecord::of(url);
    std::string cleaned;
    if (detail::has_tab_or_newline(value)) {
        cleaned = detail::without_tabs_and_newlines(value);
        value = cleaned;
    }
    change(record, value);
    url = record.to_url();
}

}  // namespace

void Url::set_protocol(std::string_view value) {
    edit(*this, value, change_protocol);
}

void Url::set_username(std::string_view value) {
    UrlRecord record = UrlRecord::of(*this);
    if (!record.may_have_credentials() || value.size() > kUrlBytesCeiling) return;
    record.username.clear();
    append_percent_encoded(record.username, value, PercentSet::userinfo);
    *this = record.to_url();
}

void Url::set_password(std::string_view value) {
    UrlRecord record = UrlRecord::of(*this);
    if (!record.may_have_credentials() || value.size() > kUrlBytesCeiling) return;
    record.password.clear();
    append_percent_encoded(record.password, value, PercentSet::userinfo);
    *this = record.to_url();
}

void Url::set_host(std::string_view value) {
    if (has_opaque_path()) return;
    edit(*this, value,
         [](UrlRecord& record, std::string_view text) { change_host(record, text, true); });
}

void Url::set_hostname(std::string_view value) {
    if (has_opaque_path()) return;
    edit(*this, value,
         [](UrlRecord& record, std::string_view text) { change_host(record, text, false); });
}

void Url::set_port(std::string_view value) {
    const bool is_removal = value.empty();
    edit(*this, value, [is_removal](UrlRecord& record, std::string_view text) {
        if (!record.may_have_credentials()) return;
        const std::string_view digits = leading_digits(text);
        if (is_removal || !digits.empty()) change_port(record, digits);
    });
}

void Url::set_pathname(std::string_view value) {
    if (has_opaque_path()) return;
    edit(*this, value, change_pathname);
}

void Url::set_search(std::string_view value) {
    const bool is_removal = value.empty();
    if (value.starts_with('?')) value.remove_prefix(1);
    edit(*this, value, [is_removal](UrlRecord& record, std::string_view text) {
        record.query.reset();
        if (!is_removal) record.query = detail::encode_query(text, record.kind, nullptr);
    });
}

void Url::set_hash(std::string_view value) {
    const bool is_removal = value.empty();
    if (value.starts_with('#')) value.remove_prefix(1);
    edit(*this, value, [is_removal](UrlRecord& record, std::string_view text) {
        record.fragment.reset();
        if (is_removal) return;
        append_percent_encoded(record.fragment.emplace(), text, PercentSet::fragment);
    });
}

}  // namespace weft::web

#include "web/url/url_parser.h"

#include <algorithm>

#include "base/bytes.h"
#include "web/url/percent.h"
#include "web/url/url_path.h"
#include "web/url/url_query.h"

namespace weft::web::detail {

std::expected<Url, UrlError> parse_by_standard(std::string_view text, const Url* base,
                                               const QueryEncoder* query_encoder) {
    // The standard strips control characters and spaces at both ends, and tabs and newlines
    // anywhere.
    const auto is_blank = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    std::string cleaned;
    if (has_tab_or_newline(text)) {
        cleaned = without_tabs_and_newlines(text);
        text = cleaned;
    }
    auto record = UrlParser(text, base, query_encoder).parse();
    if (!record) return std::unexpected(record.error());
    return record->to_url();
}

std::expected<UrlRecord, UrlError> UrlParser::parse() {
    const Result result = read_scheme() ? after_scheme() : without_scheme();
    if (!result) return std::unexpected(result.error());
    return std::move(record_);
}

// "Scheme start state" and "scheme state". Reads "name:", or reads nothing and returns false.
bool UrlParser::read_scheme() {
    if (rest_.empty() || !is_alpha(rest_[0])) return false;
    const auto is_scheme_char = [](char c) {
        return is_alnum(c) || c == '+' || c == '-' || c == '.';
    };
    const auto end = std::ranges::find_if_not(rest_, is_scheme_char);
    if (end == rest_.end() || *end != ':') return false;
    const auto length = static_cast<std::size_t>(end - rest_.begin());
    record_.scheme = to_lower(rest_.substr(0, length));
    record_.kind = scheme_of(record_.scheme);
    rest_.remove_prefix(length + 1);
    return true;
}

// The end of "scheme state", and "special relative or authority state".
UrlParser::Result UrlParser::after_scheme() {
    if (record_.kind == Scheme::file) {
        if (base_ != nullptr && base_->scheme() != "file") base_ = nullptr;
        return file();
    }
    if (is_special(record_.kind)) {
        // "http:foo" is relative to an http base: the standard keeps this old habit.
        const bool same_scheme = base_ != nullptr && base_->scheme() == record_.scheme;
        if (same_scheme && !rest_.starts_with("//")) return relative();
        return authority();
    }
    if (rest_.starts_with("//")) return authority();
    if (rest_.starts_with('/')) return path();
    return opaque_path();
}

// "No scheme state".
UrlParser::Result UrlParser::without_scheme() {
    if (base_ == nullptr) {
        return std::unexpected(rest_.empty() ? UrlError::empty : UrlError::missing_scheme);
    }
    record_.scheme = base_->scheme();
    record_.kind = scheme_of(record_.scheme);
    if (base_->has_opaque_path()) {
        if (!rest_.starts_with('#')) return std::unexpected(UrlError::opaque_base);
        record_.copy_path(*base_);
        record_.copy_query(*base_);
        return query_and_fragment();
    }
    return record_.kind == Scheme::file ? file() : relative();
}

// "Relative state".
UrlParser::Result UrlParser::relative() {
    if (is_slash(0)) return relative_slash();
    record_.copy_authority(*base_);
    copy_from_base();
    return rest_.empty() || rest_[0] == '?' || rest_[0] == '#' ? query_and_fragment() : path();
}

// "Relative slash state".
UrlParser::Result UrlParser::relative_slash() {
    if (is_slash(1)) return authority();
    record_.copy_authority(*base_);
    return path();
}

// "Special authority ignore slashes state" (any number of slashes counts as two) and "authority
// state". The user ends at the last "@", so that "http://a@b@c/" has the host c.
UrlParser::Result UrlParser::authority() {
    if (is_special(record_.kind)) {
        rest_.remove_prefix(std::min(rest_.find_first_not_of("/\\"), rest_.size()));
    } else {
        rest_.remove_prefix(2);
    }
    std::string_view text = take_until(is_special(record_.kind) ? "/\\?#" : "/?#");
    const std::size_t at = text.rfind('@');
    if (at != std::string_view::npos) {
        const std::string_view credentials = text.substr(0, at);
        const std::size_t colon = std::min(credentials.find(':'), credentials.size());
        const std::string_view user = credentials.substr(0, colon);
        append_percent_encoded(record_.username, user, PercentSet::userinfo);
        if (colon < credentials.size()) {
            append_percent_encoded(record_.password, credentials.substr(colon + 1),
                                   PercentSet::userinfo);
        }
        text.remove_prefix(at + 1);
        if (text.empty()) return std::unexpected(UrlError::missing_host);
    }
    if (Result result = host_and_port(text); !result) return result;
    return path_start();
}

// "Host state" and "port state".
UrlParser::Result UrlParser::host_and_port(std::string_view text) {
    const std::size_t colon = find_port_colon(text);
    if (colon == 0 && (!text.empty() || is_special(record_.kind))) {
        return std::unexpected(UrlError::missing_host);
    }
    auto host = parse_host(text.substr(0, colon), !is_special(record_.kind));
    if (!host) return std::unexpected(host.error());
    record_.host = std::move(*host);
    if (colon == text.size()) return {};
    const std::string_view digits = text.substr(colon + 1);
    if (!std::ranges::all_of(digits, [](char c) { return is_digit(c); })) {
        return std::unexpected(UrlError::bad_port);
    }
    return set_port(record_, digits);
}

// "File state".
UrlParser::Result UrlParser::file() {
    record_.scheme = "file";
    record_.host = Host{.text = {}, .kind = HostKind::empty};
    if (is_slash(0)) return file_slash();
    if (base_ == nullptr) return path();
    record_.copy_authority(*base_);
    if (starts_with_drive_letter(rest_)) return path();
    copy_from_base();
    return rest_.empty() || rest_[0] == '?' || rest_[0] == '#' ? query_and_fragment() : path();
}

// "File slash state". A path from the root stays on the drive of the base.
UrlParser::Result UrlParser::file_slash() {
    if (is_slash(1)) return file_host();
    if (base_ != nullptr) {
        record_.copy_authority(*base_);
        const std::string_view base_path = base_->pathname();
        const std::string_view first = base_path.substr(0, base_path.find('/', 1));
        if (!starts_with_drive_letter(rest_.substr(1)) && first.size() == 3 &&
            is_normalized_drive_letter(first.substr(1))) {
            record_.path = first;
        }
    }
    return path();
}

UrlParser::Result UrlParser::file_host() {
    rest_.remove_prefix(2);
    const std::string_view text = rest_.substr(0, rest_.find_first_of("/\\?#"));
    // In "file://C:/x" the drive letter belongs to the path, not to the host.
    if (is_drive_letter(text)) return path();
    rest_.remove_prefix(text.size());
    if (!text.empty()) {
        auto host = parse_host(text, false);
        if (!host) return std::unexpected(host.error());
        // "file://localhost/x" is the same as "file:///x".
        if (host->text != "localhost") record_.host = std::move(*host);
    }
    return path_start();
}

UrlParser::Result UrlParser::path_start() {
    const bool has_path = !rest_.empty() && rest_[0] != '?' && rest_[0] != '#';
    return has_path || is_special(record_.kind) ? path() : query_and_fragment();
}

UrlParser::Result UrlParser::path() {
    if (is_slash(0)) rest_.remove_prefix(1);
    PathWriter(record_.path, 0, record_.kind).append(take_until("?#"));
    return query_and_fragment();
}

UrlParser::Result UrlParser::opaque_path() {
    record_.opaque_path = true;
    const std::string_view text = take_until("?#");
    append_percent_encoded(record_.path, text, PercentSet::c0_control);
    // A space at the end of the path would be stripped if the URL is parsed again without its query
    // and fragment.
    if (text.ends_with(' ')) {
        record_.path.pop_back();
        record_.path += "%20";
    }
    return query_and_fragment();
}

UrlParser::Result UrlParser::query_and_fragment() {
    if (rest_.starts_with('?')) {
        rest_.remove_prefix(1);
        record_.query = encode_query(take_until("#"), record_.kind, query_encoder_);
    }
    if (rest_.starts_with('#')) {
        record_.fragment.emplace();
        append_percent_encoded(*record_.fragment, rest_.substr(1), PercentSet::fragment);
    }
    return {};
}

bool UrlParser::is_slash(std::size_t at) const {
    if (at >= rest_.size()) return false;
    return rest_[at] == '/' || (rest_[at] == '\\' && is_special(record_.kind));
}

std::string_view UrlParser::take_until(std::string_view delimiters) {
    const std::string_view text = rest_.substr(0, rest_.find_first_of(delimiters));
    rest_.remove_prefix(text.size());
    return text;
}

// Copies the part of the base that a relative reference keeps. An empty reference or a fragment
// keeps path and query, a query keeps the path, and a path keeps all but the last segment.
void UrlParser::copy_from_base() {
    record_.copy_path(*base_);
    if (rest_.empty() || rest_[0] == '#') {
        record_.copy_query(*base_);
    } else if (rest_[0] != '?') {
        PathWriter(record_.path, 0, record_.kind).shorten();
    }
}

bool has_tab_or_newline(std::string_view text) {
    return text.find_first_of("\t\n\r") != std::string_view::npos;
}

std::string without_tabs_and_newlines(std::string_view text) {
    std::string cleaned(text);
    std::erase_if(cleaned, [](char c) { return c == '\t' || c == '\n' || c == '\r'; });
    return cleaned;
}

std::size_t find_port_colon(std::string_view host_and_port) {
    bool inside_brackets = false;
    for (std::size_t i = 0; i < host_and_port.size(); ++i) {
        const char c = host_and_port[i];
        if (c == ':' && !inside_brackets) return i;
        if (c == '[') inside_brackets = true;
        if (c == ']') inside_brackets = false;
    }
    return host_and_port.size();
}

std::expected<void, UrlError> set_port(UrlRecord& record, std::string_view digits) {
    std::optional<unsigned> port;
    for (const char c : digits) {
        port = port.value_or(0) * 10 + static_cast<unsigned>(c - '0');
        if (*port > 65535) return std::unexpected(UrlError::bad_port);
    }
    record.port.reset();
    if (port && default_port(record.kind) != *port) record.port = static_cast<std::uint16_t>(*port);
    return {};
}

}  // namespace weft::web::detail

#include "web/fields/mime.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/limits.h"

namespace weft::web {
namespace {

// "HTTP token code point" of the MIME Sniffing standard (RFC 9110 section 5.6.2).
bool is_token_char(char c) {
    return is_alnum(c) || std::string_view("!#$%&'*+-.^_`|~").contains(c);
}

bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_token_char);
}

// "HTTP quoted-string token code points". Bytes above 0x7F count, too.
bool is_quotable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte == '\t' || (byte >= 0x20 && byte != 0x7F);
    });
}

// Trims HTTP white space, which unlike in trim() has no form feed.
std::string_view trim_http(std::string_view text, std::string_view space = " \t\r\n") {
    const std::size_t first = text.find_first_not_of(space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(space) - first + 1);
}

// The text of the quoted string at the front of `rest`, which loses it. The end quote may be
// missing, and a backslash at the very end is itself.
std::string take_quoted(std::string_view& rest) {
    std::string out;
    std::size_t i = 1;
    for (; i < rest.size() && rest[i] != '"'; ++i) {
        if (rest[i] == '\\' && i + 1 < rest.size()) ++i;
        out += rest[i];
    }
    rest.remove_prefix(std::min(i + 1, rest.size()));
    return out;
}

// Reads one parameter ("parse a MIME type", step 11). `rest` starts after the semicolon.
void take_parameter(std::string_view& rest, MimeType& mime) {
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n"), rest.size()));
    const std::size_t name_end = std::min(rest.find_first_of(";="), rest.size());
    const std::string name = to_lower(rest.substr(0, name_end));
    rest.remove_prefix(name_end);
    if (rest.empty() || rest.front() == ';') return;
    rest.remove_prefix(1);

    std::string value;
    if (rest.starts_with('"')) {
        value = take_quoted(rest);
        rest.remove_prefix(std::min(rest.find(';'), rest.size()));
    } else {
        const std::size_t value_end = std::min(rest.find(';'), rest.size());
        std::string_view plain = rest.substr(0, value_end);
        plain = plain.substr(0, plain.find_last_not_of(" \t\r\n") + 1);
        rest.remove_prefix(value_end);
        if (plain.empty()) return;
        value = plain;
    }
    if (mime.parameters.size() == limits::kMimeParameterCountMax) return;
    if (is_token(name) && is_quotable(value) && !mime.parameter(name)) {
        mime.parameters.emplace_back(name, std::move(value));
    }
}

template <std::size_t N>
bool is_one_of(std::string_view text, const std::array<std::string_view, N>& names) {
    return std::ranges::find(names, text) != names.end();
}

}  // namespace

std::string_view describe(MimeError error) {
    switch (error) {
        case MimeError::no_slash: return "no slash between type and subtype";
        case MimeError::bad_type: return "the type is not a token";
        case MimeError::bad_subtype: return "the subtype is not a token";
    }
    std::unreachable();
}

std::expected<MimeType, MimeError> MimeType::parse(std::string_view text) {
    std::string_view rest = trim_http(text);
    const std::size_t slash = rest.find('/');
    if (slash == std::string_view::npos) return std::unexpected(MimeError::no_slash);
    if (!is_token(rest.substr(0, slash))) return std::unexpected(MimeError::bad_type);
    MimeType mime;
    mime.type = to_lower(rest.substr(0, slash));
    rest.remove_prefix(slash + 1);
    const std::size_t subtype_end = std::min(rest.find(';'), rest.size());
    const std::string_view subtype = rest.substr(0, subtype_end);
    mime.subtype = to_lower(subtype.substr(0, subtype.find_last_not_of(" \t\r\n") + 1));
    if (!is_token(mime.subtype)) return std::unexpected(MimeError::bad_subtype);
    rest.remove_prefix(subtype_end);
    while (!rest.empty()) {
        rest.remove_prefix(1);
        take_parameter(rest, mime);
    }
    return mime;
}

bool MimeType::has_essence(std::string_view essence) const {
    return essence.size() == type.size() + 1 + subtype.size() && essence.starts_with(type) &&
           essence[type.size()] == '/' && essence.ends_with(subtype);
}

// "Serialize a MIME type": a value that is not a token is quoted.
std::string MimeType::serialize() const {
    std::string out = essence();
    for (const auto& [name, value] : parameters) {
        out += ';' + name + '=';
        if (is_token(value)) {
            out += value;
            continue;
        }
        out += '"';
        for (char c : value) {
            if (c == '"' || c == '\\') out += '\\';
            out += c;
        }
        out += '"';
    }
    return out;
}

std::optional<std::string_view> MimeType::parameter(std::string_view name) const {
    const auto found = std::ranges::find(parameters, name,
                                         [](const auto& p) -> std::string_view { return p.first; });
    if (found == parameters.end()) return std::nullopt;
    return found->second;
}

void MimeType::set_parameter(std::string_view name, std::string_view value) {
    const auto found = std::ranges::find(parameters, name,
                                         [](const auto& p) -> std::string_view { return p.first; });
    if (found == parameters.end()) {
        parameters.emplace_back(name, value);
    } else {
        found->second = value;
    }
}

bool MimeType::is_audio_or_video() const {
    return type == "audio" || type == "video" || has_essence("application/ogg");
}

bool MimeType::is_font() const {
    static constexpr std::array<std::string_view, 7> kSubtypes = {
        "font-cff",  "font-off",          "font-sfnt",      "font-ttf",
        "font-woff", "vnd.ms-fontobject", "vnd.ms-opentype"};
    return type == "font" || (type == "application" && is_one_of(subtype, kSubtypes));
}

bool MimeType::is_zip_based() const {
    return subtype.ends_with("+zip") || has_essence("application/zip");
}

bool MimeType::is_archive() const {
    static constexpr std::array<std::string_view, 3> kSubtypes = {"x-rar-compressed", "zip",
                                                                  "x-gzip"};
    return type == "application" && is_one_of(subtype, kSubtypes);
}

bool MimeType::is_xml() const {
    return subtype.ends_with("+xml") || has_essence("text/xml") || has_essence("application/xml");
}

bool MimeType::is_javascript() const {
    static constexpr std::array<std::string_view, 4> kApplication = {
        "ecmascript", "javascript", "x-ecmascript", "x-javascript"};
    static constexpr std::array<std::string_view, 12> kText = {
        "ecmascript",    "javascript",    "javascript1.0", "javascript1.1",
        "javascript1.2", "javascript1.3", "javascript1.4", "javascript1.5",
        "jscript",       "livescript",    "x-ecmascript",  "x-javascript"};
    return (type == "application" && is_one_of(subtype, kApplication)) ||
           (type == "text" && is_one_of(subtype, kText));
}

bool MimeType::is_json() const {
    return subtype.ends_with("+json") || has_essence("application/json") ||
           has_essence("text/json");
}

std::vector<std::string> split_header(std::span<const std::string_view> fields) {
    if (fields.empty()) return {};
    std::string joined(fields.front());
    for (std::string_view field : fields.subspan(1)) {
        joined += ", ";
        joined += field;
    }
    std::vector<std::string> values;
    std::size_t start = 0;
    bool is_quoted = false;
    for (std::size_t i = 0; i < joined.size(); ++i) {
        // Inside quotes a backslash escapes the next character, even a quote.
        if (joined[i] == '"') is_quoted = !is_quoted;
        if (is_quoted && joined[i] == '\\') ++i;
        if (i >= joined.size() || joined[i] != ',' || is_quoted) continue;
        values.emplace_back(trim_http(std::string_view(joined).substr(start, i - start), " \t"));
        start = i + 1;
    }
    values.emplace_back(trim_http(std::string_view(joined).substr(start), " \t"));
    return values;
}

std::optional<MimeType> extract_mime_type(std::span<const std::string_view> content_types) {
    std::optional<MimeType> mime;
    std::optional<std::string> charset;
    for (const std::string& value : split_header(content_types)) {
        std::expected<MimeType, MimeError> next = MimeType::parse(value);
        if (!next || next->has_essence("*/*")) continue;
        const std::optional<std::string_view> own_charset = next->parameter("charset");
        // The last valid type wins. It inherits the charset of the fields before it if they have
        // the same type and it has no charset itself.
        if (!mime || mime->essence() != next->essence()) {
            charset = own_charset;
        } else if (!own_charset && charset) {
            next->set_parameter("charset", *charset);
        }
        mime = std::move(*next);
    }
    return mime;
}

// "Determine nosniff" of the Fetch standard: only the first value counts.
bool is_nosniff(std::span<const std::string_view> content_type_options) {
    const std::vector<std::string> values = split_header(content_type_options);
    return !values.empty() && equals_ignore_case(values.front(), "nosniff");
}

}  // namespace weft::web

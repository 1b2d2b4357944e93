#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// MIME types as the MIME Sniffing standard has them, and the headers that carry them (Fetch).
namespace weft::web {

enum class [[nodiscard]] MimeError { no_slash, bad_type, bad_subtype };
std::string_view describe(MimeError error);

// "text/html;charset=utf-8". Bytes above 0x7F in a parameter stand for themselves.
struct MimeType {
    std::string type;  // Lower case, as are the subtype and the parameters' names.
    std::string subtype;
    std::vector<std::pair<std::string, std::string>> parameters;

    // Parameters that are malformed are passed over, as are repeated ones and those past
    // kMimeParameterCountMax.
    static std::expected<MimeType, MimeError> parse(std::string_view text);

    // "text/html".
    std::string essence() const { return type + '/' + subtype; }
    bool has_essence(std::string_view essence) const;

    // As written in a header, values quoted where they must be.
    std::string serialize() const;

    // The parameter's value, a view into this.
    std::optional<std::string_view> parameter(std::string_view name) const;
    void set_parameter(std::string_view name, std::string_view value);

    // The standard's groups.
    bool is_image() const { return type == "image"; }
    bool is_audio_or_video() const;
    bool is_font() const;
    bool is_zip_based() const;
    bool is_archive() const;
    bool is_xml() const;
    bool is_html() const { return type == "text" && subtype == "html"; }
    bool is_scriptable() const { return is_xml() || is_html() || has_essence("application/pdf"); }
    bool is_javascript() const;
    bool is_json() const;

    friend bool operator==(const MimeType&, const MimeType&) = default;
};

// Of a type without parameters: a page, as browsers show it.
inline bool is_html_type(std::string_view essence) {
    return essence == "text/html" || essence == "application/xhtml+xml";
}

// The values of a header's fields, joined and cut at commas outside of quotes ("get, decode, and
// split"). No fields: nothing; an empty field: one empty value.
std::vector<std::string> split_header(std::span<const std::string_view> fields);

// The type that all Content-Type fields of a response amount to; nothing when none is good.
std::optional<MimeType> extract_mime_type(std::span<const std::string_view> content_types);

// Whether the X-Content-Type-Options fields forbid to look into the body for its type.
bool is_nosniff(std::span<const std::string_view> content_type_options);

}  // namespace weft::web

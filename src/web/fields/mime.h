#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// MIME types by the MIME Sniffing standard, and the header fields that carry them (Fetch standard).
namespace weft::web {

enum class [[nodiscard]] MimeError { no_slash, bad_type, bad_subtype };
std::string_view describe(MimeError error);

// A MIME type such as "text/html;charset=utf-8". Bytes above 0x7F in a parameter stay as they are.
struct MimeType {
    std::string type;  // Lower case, as are the subtype and the parameters' names.
    std::string subtype;
    std::vector<std::pair<std::string, std::string>> parameters;

    // Malformed and repeated parameters are ignored, and those beyond kMimeParameterCountMax.
    static std::expected<MimeType, MimeError> parse(std::string_view text);

    // "text/html".
    std::string essence() const { return type + '/' + subtype; }
    bool has_essence(std::string_view essence) const;

    // The text for a header field. Values are quoted where necessary.
    std::string serialize() const;

    // The parameter's value, a view into this object. `name` is in lower case.
    std::optional<std::string_view> parameter(std::string_view name) const;
    void set_parameter(std::string_view name, std::string_view value);

    // The groups of MIME types that the standard defines.
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

// Whether the type (without parameters) is one that browsers show as a page.
inline bool is_html_type(std::string_view essence) {
    return essence == "text/html" || essence == "application/xhtml+xml";
}

// The values of a header's fields, joined and then split at commas outside of quotes ("get, decode,
// and split" of the Fetch standard). No fields give no values; an empty field gives one empty
// value.
std::vector<std::string> split_header(std::span<const std::string_view> fields);

// The type that the Content-Type fields of a response give together ("extract a MIME type" of the
// Fetch standard). Nothing if no field has a valid type.
std::optional<MimeType> extract_mime_type(std::span<const std::string_view> content_types);

// Whether the X-Content-Type-Options fields forbid guessing the type from the body.
bool is_nosniff(std::span<const std::string_view> content_type_options);

}  // namespace weft::web

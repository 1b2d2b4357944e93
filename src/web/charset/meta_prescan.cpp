#include "web/charset/meta_prescan.h"

#include <algorithm>
#include <string>

#include "base/bytes.h"
#include "web/charset/tag_bytes.h"

namespace weft::web::detail {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kNameEnds = "\t\n\f\r />";

bool starts_tag(std::string_view text) {
    const std::size_t name = text.starts_with("</") ? 2 : 1;
    return text.starts_with('<') && text.size() > name && is_alpha(text[name]);
}

// Moves past a comment or a declaration. Returns false if none starts here.
bool skip_comment(TagBytes& bytes) {
    const std::string_view rest = bytes.rest();
    if (rest.starts_with("<!--")) {
        bytes.skip(2);  // "<!-->" is a whole comment, so its dashes may be those of the end.
        bytes.pass("-->");
        return true;
    }
    if (!rest.starts_with("<!") && !rest.starts_with("</") && !rest.starts_with("<?")) return false;
    bytes.pass(">");
    return true;
}

// Whether a meta tag may begin in the part that the prescan reads. This quick check is enough for
// most pages that have none. A cut tag at the end may become one.
bool may_have_meta(std::string_view document) {
    constexpr std::string_view kMeta = "<meta";
    const std::size_t end = std::min(document.size(), kPrescanBytes);
    for (std::size_t at = 0; (at = document.find('<', at)) < end; ++at) {
        if (at + 1 < document.size() && to_lower(document[at + 1]) != 'm') continue;
        const std::string_view start = document.substr(at, kMeta.size());
        if (equals_ignore_case(start, kMeta.substr(0, start.size()))) return true;
    }
    return false;
}

}  // namespace

Declared prescan(std::string_view document) {
    // The standard's step 2: an XML declaration in UTF-16.
    if (document.starts_with("<\0?\0x\0"sv)) return {Encoding::utf_16le, true};
    if (document.starts_with("\0<\0?\0x"sv)) return {Encoding::utf_16be, true};
    if (!may_have_meta(document)) return {std::nullopt, document.size() >= kPrescanBytes};
    TagBytes bytes(document);
    while (true) {
        bytes.find('<');
        if (bytes.position() >= kPrescanBytes) return {std::nullopt, true};
        if (bytes.rest().size() <= "<meta"sv.size()) return {};  // It may become a meta tag.
        if (bytes.has_name("<meta", "\t\n\f\r /")) {
            bytes.skip("<meta"sv.size());
            const std::optional<Encoding> encoding = bytes.meta_encoding();
            if (bytes.at_end()) return {};
            if (encoding) return {encoding, true};
        } else if (starts_tag(bytes.rest())) {
            bytes.find_any("\t\n\f\r >");
            bytes.skip_attributes();
        } else if (skip_comment(bytes)) {
            continue;
        }
        bytes.skip(1);
    }
}

std::optional<Encoding> xml_encoding(std::string_view bytes) {
    if (!bytes.starts_with("<?xml")) return std::nullopt;
    const std::size_t end = bytes.find('>');
    if (end == std::string_view::npos) return std::nullopt;
    const std::size_t at = bytes.substr(0, end).find("encoding");
    if (at == std::string_view::npos) return std::nullopt;

    const auto is_control = [](char c) { return static_cast<unsigned char>(c) <= 0x20; };
    const auto skip_controls = [&](std::string_view text) {
        const auto* first = std::ranges::find_if_not(text, is_control);
        return std::string_view(first, text.end());
    };
    std::string_view rest = skip_controls(bytes.substr(at + "encoding"sv.size()));
    if (!rest.starts_with('=')) return std::nullopt;
    rest = skip_controls(rest.substr(1));
    if (!rest.starts_with('"') && !rest.starts_with('\'')) return std::nullopt;
    const std::size_t close = rest.find(rest[0], 1);
    if (close == std::string_view::npos) return std::nullopt;
    const std::string_view label = rest.substr(1, close - 1);
    if (std::ranges::any_of(label, is_control)) return std::nullopt;
    const std::optional<Encoding> encoding = encoding_for_label(label);
    // A declaration that can be read as ASCII is not UTF-16.
    const bool is_utf_16 = encoding == Encoding::utf_16be || encoding == Encoding::utf_16le;
    return is_utf_16 ? Encoding::utf_8 : encoding;
}

namespace {

// Walks through the elements of a head, up to the first tag that cannot be in a head.
class HeadScan {
public:
    explicit HeadScan(std::string_view document) : bytes_(document) {}

    Declared run() {
        while (true) {
            bytes_.find('<');
            if (bytes_.at_end()) return {};
            if (!starts_tag(bytes_.rest())) {
                if (!skip_comment(bytes_)) bytes_.skip(1);
                continue;
            }
            const std::size_t start = bytes_.position();
            const bool is_end_tag = bytes_.rest()[1] == '/';
            bytes_.skip(is_end_tag ? 2 : 1);
            const std::string_view name = take_name();
            const std::optional<Encoding> encoding = take_encoding(name);
            if (bytes_.at_end()) return {};
            if (is_end_tag ? is_end_of_head(name) : is_start_of_body(name)) return {{}, true};
            if (is_end_tag) continue;
            // A meta tag that starts earlier belongs to the prescan.
            if (encoding && depth_ == 0 && start >= kPrescanBytes) {
                return {encoding, true};
            }
            skip_raw_text(name);
        }
    }

private:
    static bool is(std::string_view name, std::string_view lower) {
        return equals_ignore_case(name, lower);
    }

    static bool is_any(std::string_view name, std::initializer_list<std::string_view> names) {
        return std::ranges::any_of(names, [&](std::string_view n) { return is(name, n); });
    }

    std::string_view take_name() {
        const std::string_view rest = bytes_.rest();
        bytes_.find_any(kNameEnds);
        return rest.substr(0, rest.size() - bytes_.rest().size());
    }

    // The encoding that a meta element declares. The attributes of other elements are skipped.
    std::optional<Encoding> take_encoding(std::string_view name) {
        if (is(name, "meta")) return bytes_.meta_encoding();
        bytes_.skip_attributes();
        return std::nullopt;
    }

    bool is_end_of_head(std::string_view name) {
        if (is(name, "template")) depth_ -= depth_ > 0;
        return depth_ == 0 && is_any(name, {"head", "body", "html", "br"});
    }

    bool is_start_of_body(std::string_view name) {
        if (is(name, "template")) ++depth_;
        return depth_ == 0 &&
               !is_any(name, {"html", "head", "base", "basefont", "bgsound", "link", "meta",
                              "title", "noscript", "noframes", "style", "script"});
    }

    // Moves past the text of an element that contains no markup.
    void skip_raw_text(std::string_view name) {
        if (!is_any(name, {"title", "style", "script", "noframes"})) return;
        const std::string close = "</" + std::string(name);
        while (!bytes_.at_end()) {
            bytes_.find('<');
            if (bytes_.has_name(close, kNameEnds)) return;
            bytes_.skip(1);
        }
    }

    TagBytes bytes_;
    std::size_t depth_ = 0;  // The number of open templates.
};

}  // namespace

Declared late_meta(std::string_view document) {
    if (document.size() <= kPrescanBytes) return {};
    return HeadScan(document).run();
}

}  // namespace weft::web::detail

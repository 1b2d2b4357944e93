#include <fmt/format.h>

#include "base/assert.h"
#include "base/bytes.h"
#include "demo/server/page.h"
#include "demo/server/site_part.h"
#include "web/url/percent.h"

namespace weft::demo {

namespace {

// RFC 3986, section 6.2.2: decodes escapes of unreserved characters, writes the others with upper
// case digits, and escapes bytes that need it.
std::string normalise_escapes(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        if (text[i] == '%' && i + 2 < text.size() && is_hex_digit(text[i + 1]) &&
            is_hex_digit(text[i + 2])) {
            const char c = static_cast<char>(hex_value(text[i + 1]) * 16 + hex_value(text[i + 2]));
            if (web::is_unreserved(c)) {
                out += c;
            } else {
                out += fmt::format("%{:02X}", static_cast<unsigned char>(c));
            }
            i += 2;
        } else if (byte <= 0x20 || byte >= 0x7F) {
            out += fmt::format("%{:02X}", byte);
        } else {
            out += text[i];
        }
    }
    return out;
}

// RFC 3986, section 5.2.4.
std::string remove_dot_segments(std::string_view path) {
    std::string out;
    while (!path.empty()) {  // Each iteration takes "/segment".
        const std::size_t end = path.find('/', 1);
        const std::string_view segment = path.substr(0, end);
        path = end == std::string_view::npos ? std::string_view() : path.substr(end);
        if (segment == "/..") {
            out.resize(out.empty() ? 0 : out.rfind('/'));
        } else if (segment != "/.") {
            out += segment;
        }
        if (path.empty() && (segment == "/." || segment == "/..")) out += '/';
    }
    return out.empty() ? "/" : out;
}

}  // namespace

std::string DemoPlace::target() const {
    return query.empty() ? path : fmt::format("{}?{}", path, query);
}

std::string DemoPlace::origin() const {
    return fmt::format("http://{}:{}", host->name, options->port);
}

std::string origin_of(const Options& options, unsigned number) {
    return fmt::format("http://127.0.0.{}:{}", number, options.port);
}

DemoPlace find_place(const Options& options, const SiteHost& host, std::string_view target) {
    WEFT_ASSERT(target.starts_with('/'));
    target = target.substr(0, target.find('#'));
    const std::size_t mark = target.find('?');
    DemoPlace place{.options = &options, .host = &host, .path = {}, .query = {}};
    place.path = remove_dot_segments(normalise_escapes(target.substr(0, mark)));
    if (mark != std::string_view::npos) place.query = normalise_escapes(target.substr(mark + 1));
    return place;
}

Document find_document(const DemoPlace& place) {
    for (const SitePart part : place.host->parts) {
        if (std::optional<Document> document = part(place)) return *std::move(document);
    }
    return error_page(place, 404, "There is no such page.");
}

}  // namespace weft::demo

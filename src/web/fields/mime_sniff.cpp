#include "web/fields/mime_sniff.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "base/bytes.h"

namespace weft::web {
namespace {

using namespace std::string_view_literals;

// The first bytes of a format. If `has_gaps` is true, '.' in `pattern` matches any byte. The tables
// are those of sections 6 and 7.1 of the MIME Sniffing standard.
struct Signature {
    std::string_view pattern;
    std::string_view essence;
    bool has_gaps = false;
};

constexpr std::array kPlainSignatures = {
    Signature{"%PDF-"sv, "application/pdf"sv},
    Signature{"%!PS-Adobe-"sv, "application/postscript"sv},
    Signature{"\xFE\xFF.."sv, "text/plain"sv, true},
    Signature{"\xFF\xFE.."sv, "text/plain"sv, true},
    Signature{"\xEF\xBB\xBF."sv, "text/plain"sv, true},
};
constexpr std::array kImageSignatures = {
    Signature{"\0\0\1\0"sv, "image/x-icon"sv},
    Signature{"\0\0\2\0"sv, "image/x-icon"sv},
    Signature{"BM"sv, "image/bmp"sv},
    Signature{"GIF87a"sv, "image/gif"sv},
    Signature{"GIF89a"sv, "image/gif"sv},
    Signature{"RIFF....WEBPVP"sv, "image/webp"sv, true},
    Signature{"\x89PNG\r\n\x1A\n"sv, "image/png"sv},
    Signature{"\xFF\xD8\xFF"sv, "image/jpeg"sv},
};
constexpr std::array kMediaSignatures = {
    Signature{"FORM....AIFF"sv, "audio/aiff"sv, true},
    Signature{"ID3"sv, "audio/mpeg"sv},
    Signature{"OggS\0"sv, "application/ogg"sv},
    Signature{"MThd\0\0\0\6"sv, "audio/midi"sv},
    Signature{"RIFF....AVI "sv, "video/avi"sv, true},
    Signature{"RIFF....WAVE"sv, "audio/wave"sv, true},
};
constexpr std::array kArchiveSignatures = {
    Signature{"\x1F\x8B\x08"sv, "application/x-gzip"sv},
    Signature{"PK\3\4"sv, "application/zip"sv},
    Signature{"Rar \x1A\7\0"sv, "application/x-rar-compressed"sv},
    Signature{"Rar!\x1A\7\0"sv, "application/x-rar-compressed"sv},
};

// Each must be followed by a space or `>` (a "tag-terminating byte").
constexpr std::array kHtmlOpenings = {"<!doctype html"sv,
                                      "<html"sv,
                                      "<head"sv,
                                      "<script"sv,
                                      "<iframe"sv,
                                      "<h1"sv,
                                      "<div"sv,
                                      "<font"sv,
                                      "<table"sv,
                                      "<a"sv,
                                      "<style"sv,
                                      "<title"sv,
                                      "<b"sv,
                                      "<body"sv,
                                      "<br"sv,
                                      "<p"sv,
                                      "<!--"sv};

bool matches_signature(const Signature& signature, std::string_view head) {
    if (head.size() < signature.pattern.size()) return false;
    if (!signature.has_gaps) return head.starts_with(signature.pattern);
    for (std::size_t i = 0; i < signature.pattern.size(); ++i) {
        if (signature.pattern[i] != '.' && signature.pattern[i] != head[i]) return false;
    }
    return true;
}

std::optional<std::string_view> find_in(std::span<const Signature> table, std::string_view head) {
    const auto found = std::ranges::find_if(
        table, [&](const Signature& entry) { return matches_signature(entry, head); });
    if (found == table.end()) return std::nullopt;
    return found->essence;
}

// Whether the body starts with an "ftyp" box that names a brand starting with "mp4"
// (section 6.2.1). The four bytes at offset 12 are a version, not a brand.
bool is_mp4(std::string_view head) {
    if (head.size() < 12 || head.substr(4, 4) != "ftyp") return false;
    std::uint32_t box_bytes = 0;
    for (char c : head.substr(0, 4)) box_bytes = box_bytes << 8 | static_cast<unsigned char>(c);
    if (head.size() < box_bytes || box_bytes % 4 != 0) return false;
    if (head.substr(8, 3) == "mp4") return true;
    for (std::size_t i = 16; i + 3 <= box_bytes; i += 4) {
        if (head.substr(i, 3) == "mp4") return true;
    }
    return false;
}

// Whether the body starts with an EBML header whose DocType is "webm" (section 6.2.2).
bool is_webm(std::string_view head) {
    if (!head.starts_with("\x1A\x45\xDF\xA3")) return false;
    const std::size_t doc_type = head.substr(0, 40).find("\x42\x82"sv, 4);
    if (doc_type == std::string_view::npos) return false;
    const std::string_view value = head.substr(doc_type + 2);
    // The length of the name takes one to eight bytes, and zeros may stand before the name.
    return value.substr(0, 16).contains("webm");
}

std::optional<std::string_view> find_media(std::string_view head) {
    if (const auto found = find_in(kMediaSignatures, head)) return found;
    if (is_mp4(head)) return "video/mp4";
    if (is_webm(head)) return "video/webm";
    return std::nullopt;
}

// Whether there is a "binary data byte": a control character that text does not have.
bool is_binary(std::string_view head) {
    return std::ranges::any_of(head, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte <= 0x08 || byte == 0x0B || (byte >= 0x0E && byte <= 0x1A) ||
               (byte >= 0x1C && byte <= 0x1F);
    });
}

std::optional<std::string_view> find_markup(std::string_view head) {
    const std::size_t start = head.find_first_not_of(" \t\n\f\r");
    if (start == std::string_view::npos) return std::nullopt;
    head.remove_prefix(start);
    const bool is_html = std::ranges::any_of(kHtmlOpenings, [&](std::string_view opening) {
        if (head.size() <= opening.size()) return false;
        const char end = head[opening.size()];
        return (end == ' ' || end == '>') &&
               equals_ignore_case(head.substr(0, opening.size()), opening);
    });
    if (is_html) return "text/html";
    if (head.starts_with("<?xml")) return "text/xml";
    return std::nullopt;
}

// "Identifying a resource with an unknown MIME type" (section 7.1). Types that can run scripts
// (HTML, XML, PDF) are guessed only if `may_be_scriptable`.
std::string_view guess(std::string_view head, bool may_be_scriptable) {
    if (may_be_scriptable) {
        if (const auto found = find_markup(head)) return *found;
    }
    // PDF is the first signature of the table.
    const std::span plain = may_be_scriptable ? std::span<const Signature>(kPlainSignatures)
                                              : std::span(kPlainSignatures).subspan<1>();
    if (const auto found = find_in(plain, head)) return *found;
    if (const auto found = find_in(kImageSignatures, head)) return *found;
    if (const auto found = find_media(head)) return *found;
    if (const auto found = find_in(kArchiveSignatures, head)) return *found;
    return is_binary(head) ? "application/octet-stream" : "text/plain";
}

MimeType from_essence(std::string_view essence) {
    return MimeType::parse(essence).value();
}

bool is_unknown(const MimeType& mime) {
    return mime.has_essence("unknown/unknown") || mime.has_essence("application/unknown") ||
           mime.has_essence("*/*");
}

// The Content-Type values that old Apache servers sent for files of an unknown type. The standard's
// "check-for-apache-bug flag" compares them byte by byte, with the last field.
bool is_apache_default(std::span<const std::string_view> content_types) {
    static constexpr std::array kDefaults = {"text/plain"sv, "text/plain; charset=ISO-8859-1"sv,
                                             "text/plain; charset=iso-8859-1"sv,
                                             "text/plain; charset=UTF-8"sv};
    return !content_types.empty() &&
           std::ranges::find(kDefaults, content_types.back()) != kDefaults.end();
}

bool has_byte_order_mark(std::string_view head) {
    return head.starts_with("\xFE\xFF") || head.starts_with("\xFF\xFE") ||
           head.starts_with("\xEF\xBB\xBF");
}

}  // namespace

MimeType sniff_mime_type(const SniffInput& input) {
    const std::string_view head = input.head.substr(0, kSniffBytesMax);
    const std::optional<MimeType> supplied = extract_mime_type(input.content_types);
    if (!supplied || is_unknown(*supplied)) return from_essence(guess(head, !input.nosniff));
    if (supplied->is_xml() || supplied->is_html() || input.nosniff) return *supplied;
    if (is_apache_default(input.content_types)) {
        if (has_byte_order_mark(head) || !is_binary(head)) return *supplied;
        return from_essence(guess(head, false));
    }
    if (supplied->is_image()) {
        if (const auto found = find_in(kImageSignatures, head)) return from_essence(*found);
    }
    if (supplied->is_audio_or_video()) {
        if (const auto found = find_media(head)) return from_essence(*found);
    }
    return *supplied;
}

}  // namespace weft::web

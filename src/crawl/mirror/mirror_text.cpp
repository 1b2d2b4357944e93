#include "crawl/mirror/mirror_text.h"

#include <optional>

#include "base/bytes.h"
#include "web/charset/page_decoder.h"
#include "web/charset/utf8_text.h"

namespace weft::crawl {

namespace {

using web::Encoding;

// Decodes the content and puts a byte order mark before it.
std::string with_mark(Encoding encoding, std::string_view content) {
    std::string text(web::kByteOrderMark);
    web::TextDecoder decoder(encoding);
    decoder.feed(content, text);
    decoder.finish(text);
    return text;
}

// The encoding by byte order mark or header. Only three bytes are looked at, because more could
// contain a meta element, which counts in pages only.
std::optional<Encoding> named_encoding(std::string_view content, std::string_view header) {
    const web::EncodingGuess guess = web::guess_encoding(content.substr(0, 3), header);
    const bool is_named = guess.source == web::EncodingSource::byte_order_mark ||
                          guess.source == web::EncodingSource::http_header;
    return is_named ? std::optional(guess.encoding) : std::nullopt;
}

// The encoding that a sheet declares by @charset "..."; (CSS Syntax section 3.2). UTF-16 means
// UTF-8 there: the declaration itself could not be read as UTF-16.
std::optional<Encoding> sheet_encoding(std::string_view content) {
    constexpr std::string_view kCharset = "@charset \"";
    if (!content.starts_with(kCharset)) return std::nullopt;
    const std::string_view rest = content.substr(kCharset.size(), 1'024);
    const std::size_t end = rest.find("\";");
    if (end == std::string_view::npos) return std::nullopt;
    const auto encoding = web::encoding_for_label(rest.substr(0, end));
    const bool is_wide = encoding == Encoding::utf_16be || encoding == Encoding::utf_16le;
    return is_wide ? std::optional(Encoding::utf_8) : encoding;
}

}  // namespace

std::string page_text(std::string_view content, std::string_view header) {
    web::PageDecoder decoder(header);
    std::string text(decoder.feed(content));
    text += decoder.finish();
    return text.starts_with(web::kByteOrderMark) ? text : std::string(web::kByteOrderMark) + text;
}

std::string sheet_text(std::string_view content, std::string_view header, std::string_view around) {
    std::optional<Encoding> encoding = named_encoding(content, header);
    if (!encoding) encoding = sheet_encoding(content);
    if (!encoding) encoding = web::encoding_for_label(around);
    return with_mark(encoding.value_or(Encoding::utf_8), content);
}

std::string xml_text(std::string content, std::string_view header) {
    const std::optional<Encoding> encoding = named_encoding(content, header);
    return encoding ? with_mark(*encoding, content) : content;
}

std::string other_text(std::string content, std::string_view header, std::string_view around) {
    std::optional<Encoding> encoding = named_encoding(content, header);
    if (!encoding && !around.empty()) encoding = web::encoding_for_label(around);
    if (!encoding || *encoding == Encoding::utf_8) return content;
    return with_mark(*encoding, content);
}

}  // namespace weft::crawl

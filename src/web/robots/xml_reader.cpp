#include "web/robots/xml_reader.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/bytes.h"
#include "base/limits.h"

namespace weft::web {
namespace {

// The longest useful reference is &#x0010FFFF; this leaves some room.
constexpr std::size_t kReferenceBytesMax = 32;
constexpr std::string_view kXmlSpace = " \t\r\n";

// NameChar of XML 1.0, where every byte outside ASCII is accepted.
bool is_name_char(char c) {
    return is_alnum(c) || c == '_' || c == ':' || c == '-' || c == '.' ||
           static_cast<unsigned char>(c) >= 0x80;
}

// The text that a reference ("amp", "#38") stands for; nothing if it is unknown. The five names are
// those of XML 1.0 section 4.6.
std::optional<std::string> resolve(std::string_view name) {
    if (name == "amp") return "&";
    if (name == "lt") return "<";
    if (name == "gt") return ">";
    if (name == "quot") return "\"";
    if (name == "apos") return "'";
    if (!name.starts_with('#')) return std::nullopt;
    const bool is_hex = name.substr(1).starts_with('x');
    const std::string_view digits = name.substr(is_hex ? 2 : 1);
    std::uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), code, is_hex ? 16 : 10);
    const bool is_character = code != 0 && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
    if (error != std::errc() || end != digits.data() + digits.size() || !is_character) {
        return std::nullopt;
    }
    std::string out;
    append_utf8(out, code);
    return out;
}

}  // namespace

std::string_view describe(XmlError error) {
    switch (error) {
        case XmlError::malformed_markup: return "markup that is not XML";
        case XmlError::mismatched_tag: return "an end tag that ends nothing";
        case XmlError::unclosed: return "it ends before its root element does";
        case XmlError::stray_ampersand: return "an & that starts no reference";
        case XmlError::unknown_entity: return "an entity that is not built in";
        case XmlError::text_outside_root: return "text outside of the root element";
        case XmlError::too_long: return "a tag longer than the limit";
    }
    std::unreachable();
}

std::string decode_xml_references(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const std::size_t ampersand = std::min(text.find('&'), text.size());
        out += text.substr(0, ampersand);
        text.remove_prefix(ampersand);
        if (text.empty()) break;
        const std::size_t end = text.substr(0, kReferenceBytesMax).find(';');
        const auto resolved =
            end == std::string_view::npos ? std::nullopt : resolve(text.substr(1, end - 1));
        out += resolved.value_or("&");
        text.remove_prefix(resolved ? end + 1 : 1);
    }
    return out;
}

std::optional<XmlTag::Attribute> XmlTag::next_attribute(std::string_view& rest) {
    // Lenient: a value may be missing or without quotes, as in HTML.
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t\r\n/"), rest.size()));
    if (rest.empty()) return std::nullopt;
    Attribute out;
    out.name = rest.substr(0, rest.find_first_of("= \t\r\n/", 1));
    rest.remove_prefix(out.name.size());
    std::string_view after = rest.substr(std::min(rest.find_first_not_of(kXmlSpace), rest.size()));
    if (!after.starts_with('=')) return out;
    after.remove_prefix(1);
    after.remove_prefix(std::min(after.find_first_not_of(kXmlSpace), after.size()));
    const bool is_quoted = after.starts_with('"') || after.starts_with('\'');
    if (is_quoted) {
        const char quote = after.front();
        after.remove_prefix(1);
        out.raw_value = after.substr(0, after.find(quote));
    } else {
        out.raw_value = after.substr(0, after.find_first_of(kXmlSpace));
    }
    after.remove_prefix(std::min(out.raw_value.size() + (is_quoted ? 1 : 0), after.size()));
    rest = after;
    return out;
}

std::optional<std::string> XmlTag::attribute(std::string_view attribute_name) const {
    std::string_view rest = attributes;
    while (const std::optional<Attribute> next = next_attribute(rest)) {
        if (next->name == attribute_name) return decode_xml_references(next->raw_value);
    }
    return std::nullopt;
}

void XmlReader::feed(std::string_view bytes) {
    while (!bytes.empty()) {
        std::size_t taken = 1;
        switch (state_) {
            case State::text: taken = read_text(bytes); break;
            case State::reference: read_reference(bytes.front()); break;
            case State::markup: read_markup(bytes.front()); break;
            case State::tag: taken = read_tag(bytes); break;
            case State::declaration: read_declaration(bytes.front()); break;
            case State::comment: taken = read_until(bytes, "-->"); break;
            case State::cdata: taken = read_until(bytes, "]]>"); break;
            case State::instruction: taken = read_until(bytes, "?>"); break;
            case State::doctype: read_doctype(bytes.front()); break;
        }
        bytes.remove_prefix(taken);
    }
}

void XmlReader::finish() {
    if (state_ == State::reference) emit_text('&' + token_);
    if (!open_.empty() || state_ != State::text) note(XmlError::unclosed);
    while (!open_.empty()) pop();
}

std::size_t XmlReader::read_text(std::string_view bytes) {
    const std::size_t end = std::min(bytes.find_first_of("<&"), bytes.size());
    emit_text(bytes.substr(0, end));
    if (end == bytes.size()) return end;
    state_ = bytes[end] == '<' ? State::markup : State::reference;
    token_.clear();
    return end + 1;
}

void XmlReader::read_reference(char c) {
    if (c == ';' && !token_.empty()) {
        const std::optional<std::string> resolved = resolve(token_);
        // With a DTD the entity may be defined there, and its text is not known: it is left out.
        // Without a DTD it is taken as plain text.
        if (!resolved && !has_doctype_) note(XmlError::unknown_entity);
        if (resolved || !has_doctype_) emit_text(resolved.value_or('&' + token_ + ';'));
        state_ = State::text;
        return;
    }
    const bool goes_on = is_name_char(c) || (c == '#' && token_.empty());
    if (goes_on && token_.size() < kReferenceBytesMax) {
        token_ += c;
        return;
    }
    // Not a reference: the text so far was plain text, and `c` is read again as text.
    note(XmlError::stray_ampersand);
    emit_text('&' + token_);
    state_ = State::text;
    token_.clear();
    feed({&c, 1});
}

void XmlReader::read_markup(char c) {
    token_.clear();
    quote_ = 0;
    end_matched_ = 0;
    is_token_cut_ = false;
    if (c == '!') {
        state_ = State::declaration;
    } else if (c == '?') {
        state_ = State::instruction;
    } else if (c == '/' || is_name_char(c)) {
        state_ = State::tag;
        token_ = c;
    } else {
        // A "<" that starts no markup is text. `c` is read again as text.
        note(XmlError::malformed_markup);
        emit_text("<");
        state_ = State::text;
        feed({&c, 1});
    }
}

std::size_t XmlReader::read_tag(std::string_view bytes) {
    const std::size_t end =
        std::min(quote_ == 0 ? bytes.find_first_of("<>\"'") : bytes.find(quote_), bytes.size());
    const auto keep = [&](std::string_view part) {
        const std::size_t room = limits::kTagBytesMax - token_.size();
        if (part.size() > room) is_token_cut_ = true;
        token_ += part.substr(0, room);
    };
    keep(bytes.substr(0, end));
    if (end == bytes.size()) return end;
    const char c = bytes[end];
    if (quote_ != 0 || c == '"' || c == '\'') {
        quote_ = quote_ == 0 ? c : '\0';
        keep({&c, 1});
    } else if (c == '>') {
        state_ = State::text;
        emit_tag();
    } else {
        // "<" inside a tag: the tag was never closed. It is dropped, and the new one is read.
        note(XmlError::malformed_markup);
        state_ = State::markup;
    }
    return end + 1;
}

void XmlReader::read_declaration(char c) {
    token_ += c;
    if (token_ == "--") {
        state_ = State::comment;
    } else if (token_ == "[CDATA[") {
        state_ = State::cdata;
    } else if (equals_ignore_case(token_, "doctype")) {
        state_ = State::doctype;
        bracket_depth_ = 0;
        end_matched_ = 0;
        has_doctype_ = true;
        handler_.on_doctype();
    } else if (c == '>' || token_.size() > 7) {  // 7 is the length of "[CDATA[" and "DOCTYPE".
        note(XmlError::malformed_markup);
        state_ = c == '>' ? State::text : State::doctype;
        bracket_depth_ = 0;
    }
}

void XmlReader::read_doctype(char c) {
    if (quote_ != 0) {
        if (c == quote_) quote_ = 0;
        return;
    }
    // A comment may contain quotes and brackets that mean nothing.
    constexpr std::string_view kCommentStart = "<!--";
    end_matched_ = c == kCommentStart[end_matched_] ? end_matched_ + 1 : (c == '<' ? 1 : 0);
    if (end_matched_ == kCommentStart.size()) {
        end_matched_ = 0;
        state_ = State::comment;
        after_comment_ = State::doctype;
        return;
    }
    switch (c) {
        case '"':
        case '\'': quote_ = c; break;
        case '[': ++bracket_depth_; break;
        case ']':
            if (bracket_depth_ > 0) --bracket_depth_;
            break;
        case '>':
            if (bracket_depth_ == 0) state_ = State::text;
            break;
        default: break;
    }
}

// Skips everything before `end`, or in a CDATA section emits it as text. Returns the number of
// bytes that it used. `end_matched_` keeps a partial match of `end` from one piece to the next.
std::size_t XmlReader::read_until(std::string_view bytes, std::string_view end) {
    const bool is_text = state_ == State::cdata;
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        const char c = bytes[i];
        if (c == end[end_matched_]) {
            if (++end_matched_ < end.size()) continue;
            end_matched_ = 0;
            state_ = std::exchange(after_comment_, State::text);
            return i + 1;
        }
        // "]]]>" and "--->": with one more "]" or "-" the match moves on by one character.
        if (end_matched_ == 2 && end.size() == 3 && c == end[1]) {
            if (is_text) emit_text({&c, 1});
            continue;
        }
        if (is_text && end_matched_ > 0) emit_text(end.substr(0, end_matched_));
        end_matched_ = c == end[0] ? 1 : 0;
        if (end_matched_ > 0) continue;
        const std::size_t next = std::min(bytes.find(end[0], i), bytes.size());
        if (is_text) emit_text(bytes.substr(i, next - i));
        i = next - 1;
    }
    return bytes.size();
}

void XmlReader::emit_text(std::string_view text) {
    if (text.empty()) return;
    if (!open_.empty()) {
        handler_.on_text(text);
    } else if (text.find_first_not_of(kXmlSpace) != std::string_view::npos) {
        note(XmlError::text_outside_root);
    }
}

void XmlReader::emit_tag() {
    if (is_token_cut_) note(XmlError::too_long);
    std::string_view text = token_;
    if (text.starts_with('/')) {
        emit_end(text.substr(1, text.find_first_of(" \t\r\n", 1) - 1));
        return;
    }
    XmlTag tag;
    tag.is_empty = text.ends_with('/');
    if (tag.is_empty) text.remove_suffix(1);
    tag.name = text.substr(0, text.find_first_of(" \t\r\n/"));
    tag.attributes = text.substr(tag.name.size());
    if (open_.empty() && had_root_) note(XmlError::text_outside_root);
    had_root_ = true;
    // Deeper elements are only counted, so that their end tags do not end an outer element.
    if (open_.size() == limits::kXmlDepthMax) {
        if (!tag.is_empty) ++deeper_;
        return;
    }
    open_.emplace_back(tag.name);
    handler_.on_start(tag, open_.size());
    if (tag.is_empty) pop();
}

void XmlReader::emit_end(std::string_view name) {
    if (deeper_ > 0) {
        --deeper_;
        return;
    }
    // An end tag also ends the elements inside it that were never closed.
    const auto found = std::ranges::find(open_.rbegin(), open_.rend(), name);
    if (found == open_.rend()) {
        note(XmlError::mismatched_tag);
        return;
    }
    if (found != open_.rbegin()) note(XmlError::mismatched_tag);
    const auto count = found - open_.rbegin() + 1;
    for (std::ptrdiff_t i = 0; i < count; ++i) pop();
}

// Deeper elements are inside the one that ends, so they end with it.
void XmlReader::pop() {
    deeper_ = 0;
    handler_.on_end(open_.back(), open_.size());
    open_.pop_back();
}

void XmlReader::note(XmlError error) {
    if (!fault_) fault_ = error;
}

}  // namespace weft::web

#include "crawl/mirror_rewrite.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/bytes.h"
#include "base/escape.h"
#include "web/css.h"
#include "web/html_links.h"
#include "web/html_reference.h"
#include "web/html_tokenizer.h"
#include "web/meta_refresh.h"
#include "web/srcset.h"

namespace weft::crawl {

namespace {

using web::Element;
using web::HtmlText;

struct Edit {
    std::size_t offset = 0;
    std::size_t size = 0;
    std::string text;
};

std::string apply(std::string_view document, std::vector<Edit> edits) {
    std::ranges::sort(edits, {}, &Edit::offset);
    std::string out;
    out.reserve(document.size() + 32 * edits.size());
    std::size_t at = 0;
    for (const Edit& edit : edits) {
        if (edit.offset < at) continue;  // Of two for one place the first counts.
        out += document.substr(at, edit.offset - at);
        out += edit.text;
        at = edit.offset + edit.size;
    }
    out += document.substr(at);
    return out;
}

// Fits into a url() or a string without and with quotes of any kind.
std::string css_escaped(std::string_view reference) {
    std::string out;
    for (const char c : reference) {
        if (std::string_view("\"'()\\ \t\n\r\f").contains(c)) {
            constexpr std::string_view kHex = "0123456789ABCDEF";
            const auto byte = static_cast<unsigned char>(c);
            out += {'%', kHex[byte >> 4], kHex[byte & 15]};
        } else {
            out += c;
        }
    }
    return out;
}

// Where the value of a reference stands in the sheet, seen from its `url(` or quote: without its
// quotes and the white space around it. Escapes keep it from ending.
struct Part {
    std::size_t begin = 0;
    std::size_t end = 0;
};
Part value_at(std::string_view sheet, std::size_t offset) {
    constexpr std::string_view kSpace = " \t\n\r\f";
    std::size_t at = offset;
    char closer = ')';
    if (sheet[at] != '"' && sheet[at] != '\'') {
        at = std::min(sheet.find('(', at), sheet.size() - 1) + 1;
        at = std::min(sheet.find_first_not_of(kSpace, at), sheet.size());
    }
    if (at < sheet.size() && (sheet[at] == '"' || sheet[at] == '\'')) closer = sheet[at++];
    Part part{at, at};
    while (part.end < sheet.size() && sheet[part.end] != closer) {
        part.end += sheet[part.end] == '\\' ? 2 : 1;
    }
    part.end = std::min(part.end, sheet.size());
    while (closer == ')' && part.end > part.begin && kSpace.contains(sheet[part.end - 1])) {
        --part.end;
    }
    return part;
}

HtmlText text_after(Element element) {
    switch (element) {
        case Element::title:
        case Element::textarea: return HtmlText::rcdata;
        case Element::style:
        case Element::xmp:
        case Element::iframe:
        case Element::noembed:
        case Element::noframes: return HtmlText::rawtext;
        case Element::script: return HtmlText::script_data;
        case Element::plaintext: return HtmlText::plaintext;
        default: return HtmlText::data;
    }
}

class HtmlRewriter final : public web::HtmlSink {
public:
    HtmlRewriter(std::string_view page, std::string_view own_name, const ReferenceRewriter& rewrite)
        : page_(page), own_name_(own_name), rewrite_(rewrite) {}

    HtmlText start_tag(const web::HtmlTag& tag) override {
        std::size_t end = tag.offset + 1 + tag.raw_name().size();
        for (std::size_t i = 0; i < tag.attribute_count(); ++i) {
            const web::HtmlAttribute attribute = tag.attribute(i);
            const std::size_t offset = offset_of(tag, attribute.value);
            end = std::max(end, offset + attribute.value.size());
            if (page_.substr(std::min(offset, page_.size()), attribute.value.size()) !=
                attribute.value) {
                continue;
            }
            if (const auto value = replacement(tag, attribute)) {
                edits_.push_back({offset, attribute.value.size(), escape_for_html(*value)});
            }
        }
        style_begin_.reset();
        if (tag.element == Element::style) {
            const std::size_t close = page_.find('>', std::min(end, page_.size()));
            if (close != std::string_view::npos) style_begin_ = close + 1;
        }
        return text_after(tag.element);
    }

    void end_tag(const web::HtmlTag& tag) override {
        if (tag.element != Element::style || !style_begin_) return;
        const std::size_t begin = *style_begin_;
        style_begin_.reset();
        if (tag.offset <= begin) return;
        const std::size_t size = tag.offset - begin;
        edits_.push_back({begin, size, rewrite_css(page_.substr(begin, size), rewrite_)});
    }

    std::vector<Edit> take() { return std::move(edits_); }

private:
    // Name and values of a tag lie in one buffer, as they stand in the page.
    static std::size_t offset_of(const web::HtmlTag& tag, std::string_view value) {
        return tag.offset + 1 + static_cast<std::size_t>(value.data() - tag.raw_name().data());
    }

    std::optional<std::string> replacement(const web::HtmlTag& tag,
                                           const web::HtmlAttribute& attribute) {
        if (attribute.value.empty()) return std::nullopt;
        const std::string name = to_lower(attribute.name);
        const std::string_view value = web::decode_attribute(attribute.value, scratch_);
        if (tag.element == Element::base && name == "href") return std::string(own_name_);
        // An algorithm that nobody knows checks nothing.
        if (name == "integrity") return "none";
        if (name == "style") return rewrite_css(value, rewrite_);
        if (tag.element == Element::meta && name == "content") return refresh(tag, value);
        for (const web::Namespace space : {web::Namespace::html, web::Namespace::svg}) {
            for (const web::LinkAttribute& known : web::link_attributes(tag.element, space)) {
                if (known.name != name) continue;
                if (known.form == web::LinkAttribute::Form::url) return rewrite_(value);
                if (known.form == web::LinkAttribute::Form::srcset) return srcset(value);
            }
        }
        return std::nullopt;
    }

    std::optional<std::string> refresh(const web::HtmlTag& tag, std::string_view value) const {
        const auto kind = tag.find("http-equiv");
        if (!kind || !equals_ignore_case(*kind, "refresh")) return std::nullopt;
        const auto refresh = web::parse_meta_refresh(value);
        if (!refresh || !refresh->url) return std::nullopt;
        const auto at = static_cast<std::size_t>(refresh->url->data() - value.data());
        return apply(value, {{at, refresh->url->size(), rewrite_(*refresh->url)}});
    }

    std::string srcset(std::string_view value) const {
        std::vector<Edit> edits;
        web::SrcsetReader reader(value);
        while (const auto candidate = reader.next()) {
            const auto at = static_cast<std::size_t>(candidate->url.data() - value.data());
            edits.push_back({at, candidate->url.size(), rewrite_(candidate->url)});
        }
        return apply(value, std::move(edits));
    }

    std::string_view page_;
    std::string_view own_name_;
    const ReferenceRewriter& rewrite_;
    std::vector<Edit> edits_;
    std::optional<std::size_t> style_begin_;
    std::string scratch_;
};

}  // namespace

std::string rewrite_html(std::string_view page, std::string_view own_name,
                         const ReferenceRewriter& rewrite) {
    HtmlRewriter rewriter(page, own_name, rewrite);
    web::HtmlTokenizer tokenizer(rewriter);
    tokenizer.want_text(false);
    tokenizer.want_comments(false);
    tokenizer.feed(page);
    tokenizer.finish();
    return apply(page, rewriter.take());
}

std::string rewrite_css(std::string_view sheet, const ReferenceRewriter& rewrite) {
    std::vector<Edit> edits;
    for (const web::CssUrl& url : web::read_css(sheet)) {
        const Part part = value_at(sheet, url.offset);
        edits.push_back({part.begin, part.end - part.begin, css_escaped(rewrite(url.value))});
    }
    return apply(sheet, std::move(edits));
}

}  // namespace weft::crawl

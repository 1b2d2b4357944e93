#include "crawl/mirror/mirror_rewrite.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "crawl/mirror/mirror_text.h"
#include "web/charset/utf8_text.h"
#include "web/html/css.h"
#include "web/html/html_links.h"
#include "web/html/meta_refresh.h"
#include "web/html/srcset.h"
#include "web/markup/html_reference.h"
#include "web/markup/html_tokenizer.h"
#include "web/markup/html_tree_state.h"

namespace weft::crawl {

namespace {

using web::Element;
using web::HtmlText;

// The replacement of a range of bytes in a document.
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
        if (edit.offset < at) continue;  // It overlaps the edit before, which counts.
        out += document.substr(at, edit.offset - at);
        out += edit.text;
        at = edit.offset + edit.size;
    }
    out += document.substr(at);
    return out;
}

// A quoted CSS string. All characters that mean something in CSS, HTML or XML are escaped.
std::string css_string(std::string_view text) {
    constexpr std::string_view kPlain = "-._~:/?#[]@!$*+,;=%";
    std::string out = "\"";
    for (const char c : text) {
        if (is_alnum(c) || kPlain.contains(c) || static_cast<unsigned char>(c) >= 0x80) {
            out += c;
        } else {
            fmt::format_to(std::back_inserter(out), "\\{:x} ", static_cast<unsigned char>(c));
        }
    }
    return out + '"';
}

// An attribute value, escaped for any kind of quotes. Carriage returns are escaped because a parser
// would read them as line feeds.
std::string attribute_text(std::string_view value) {
    std::string out = escape_for_html(value);
    for (std::size_t at = 0; (at = out.find_first_of("\r`", at)) != std::string::npos;) {
        out.replace(at, 1, out[at] == '\r' ? "&#13;" : "&#96;");
    }
    return out;
}

std::string percent_encoded(std::string_view reference, std::string_view set) {
    std::string out;
    for (const char c : reference) {
        if (set.contains(c)) {
            fmt::format_to(std::back_inserter(out), "%{:02X}", static_cast<unsigned char>(c));
        } else {
            out += c;
        }
    }
    return out;
}

// In a srcset a comma at either end of a URL is read as a separator, so it is escaped.
std::string srcset_url(std::string reference) {
    if (reference.starts_with(',')) reference.replace(0, 1, "%2C");
    if (reference.ends_with(',')) reference.replace(reference.size() - 1, 1, "%2C");
    return reference;
}

// Collects the edits of one page. Tokenizer and tree state together decide what is a tag and what
// is text, as in a browser.
class HtmlRewriter final : public web::HtmlSink {
public:
    HtmlRewriter(std::string_view page, std::string_view own_name, const ReferenceRewriter& rewrite,
                 Markup markup)
        : page_(page),
          own_name_(own_name),
          rewrite_(rewrite),
          markup_(markup),
          tokenizer_(*this),
          tree_(web::HtmlTreeState::Scripting::on) {}

    std::vector<Edit> edits() {
        tokenizer_.want_comments(false);
        choose_text();
        // A byte order mark is not part of the text. As text before a <frameset> it would make the
        // tree state ignore the frameset.
        const std::size_t mark =
            page_.starts_with(web::kByteOrderMark) ? web::kByteOrderMark.size() : 0;
        tokenizer_.skip(mark);
        tokenizer_.feed(page_.substr(mark));
        tokenizer_.finish();
        return std::move(edits_);
    }

    HtmlText start_tag(const web::HtmlTag& tag) override {
        text_begin_.reset();
        edit_attributes(tag);
        if (markup_ == Markup::xml) return start_xml(tag);
        const web::Placement placement = tree_.start_tag(tag);
        choose_text();
        const bool is_style = tag.element == Element::style && placement.is_inserted;
        const bool is_noscript =
            tag.element == Element::noscript && placement.text == HtmlText::rawtext;
        if (is_style || is_noscript) text_begin_ = tag.end;
        is_raw_ = placement.text == HtmlText::rawtext;
        return placement.text;
    }

    void end_tag(const web::HtmlTag& tag) override {
        if (text_begin_ && *text_begin_ < tag.offset) {
            edit_text(tag.element, *text_begin_, tag.offset - *text_begin_);
        }
        text_begin_.reset();
        if (markup_ == Markup::xml) return;
        tree_.end_tag(tag);
        choose_text();
    }

    void text(std::string_view piece) override {
        tree_.text(piece);
        choose_text();
    }

    void doctype(const web::HtmlDoctype&) override { tree_.doctype(); }

    bool is_in_foreign_content() override {
        return markup_ == Markup::xml || tree_.is_in_foreign_content();
    }

private:
    void choose_text() { tokenizer_.want_text(markup_ == Markup::html && tree_.wants_text()); }

    // In XML no element has raw text as content. Scripts are skipped all the same: what looks like
    // a tag there is part of a program.
    HtmlText start_xml(const web::HtmlTag& tag) {
        if (tag.is_self_closing) return HtmlText::data;
        is_raw_ = false;
        if (tag.element == Element::style) text_begin_ = tag.end;
        if (tag.element == Element::style) return HtmlText::rawtext;
        return tag.element == Element::script ? HtmlText::script_data : HtmlText::data;
    }

    // Edits the text of a style or noscript element. With scripts enabled, noscript is plain text
    // to the parser, so a second rewriter reads it.
    void edit_text(Element element, std::size_t begin, std::size_t size) {
        const std::string_view text = page_.substr(begin, size);
        if (element == Element::style) {
            // In XML and inside SVG, a style element may contain character references and tags.
            // Such text is not plain CSS and stays as it is.
            if (!is_raw_ && text.find_first_of("<&") != std::string_view::npos) return;
            add_edit({begin, size, rewrite_css(text, rewrite_)});
        } else if (element == Element::noscript) {
            HtmlRewriter inside(text, own_name_, rewrite_, markup_);
            for (Edit& edit : inside.edits()) {
                edit.offset += begin;
                add_edit(std::move(edit));
            }
        }
    }

    void edit_attributes(const web::HtmlTag& tag) {
        for (std::size_t i = 0; i < tag.attribute_count(); ++i) {
            const web::HtmlAttribute attribute = tag.attribute(i);
            const std::string_view raw = attribute.value;
            if (raw.empty() || raw.find_first_of("<>") != std::string_view::npos) continue;
            const std::size_t offset = offset_of(tag, raw);
            // The tokenizer may have changed the value (line ends, NUL): then it is not edited.
            if (offset == 0 || page_.substr(std::min(offset, page_.size()), raw.size()) != raw) {
                continue;
            }
            const char before = page_[offset - 1];
            const bool is_quoted = before == '"' || before == '\'';
            if (!is_quoted && markup_ == Markup::xml) continue;
            const std::string_view value = web::decode_attribute(raw, scratch_);
            const auto changed = replacement(tag, to_lower(attribute.name), value);
            if (!changed || *changed == value) continue;
            const std::string text = attribute_text(*changed);
            add_edit({offset, raw.size(), is_quoted ? text : '"' + text + '"'});
        }
    }

    void add_edit(Edit edit) { edits_.push_back(std::move(edit)); }

    // The offset of a value in the page. The tokenizer keeps the name and the values of a tag in
    // one buffer, laid out as in the page.
    static std::size_t offset_of(const web::HtmlTag& tag, std::string_view value) {
        return tag.offset + 1 + static_cast<std::size_t>(value.data() - tag.raw_name().data());
    }

    std::optional<std::string> replacement(const web::HtmlTag& tag, std::string_view name,
                                           std::string_view value) const {
        if (tag.element == Element::base && name == "href") return std::string(own_name_);
        // Browsers ignore an unknown algorithm (Subresource Integrity), so this checks nothing.
        if (name == "integrity") return "none";
        if (name == "style") return rewrite_css(value, rewrite_);
        if (tag.element == Element::meta && name == "content") return refresh(tag, value);
        for (const web::Namespace space :
             {web::Namespace::html, web::Namespace::svg, web::Namespace::mathml}) {
            for (const web::LinkAttribute& known : web::link_attributes(tag.element, space)) {
                if (known.name != name) continue;
                if (known.form == web::LinkAttribute::Form::url) return rewrite_(value);
                if (known.form == web::LinkAttribute::Form::srcset) return srcset(value);
            }
        }
        return std::nullopt;
    }

    // The whole value is written again, so that neither a quote nor a "url=" in the reference is
    // read as syntax.
    std::optional<std::string> refresh(const web::HtmlTag& tag, std::string_view value) const {
        const auto kind = tag.find("http-equiv");
        if (!kind) return std::nullopt;
        std::string scratch;
        if (!equals_ignore_case(web::decode_attribute(*kind, scratch), "refresh")) {
            return std::nullopt;
        }
        const auto refresh = web::parse_meta_refresh(value);
        if (!refresh || !refresh->url) return std::nullopt;
        const std::string reference = rewrite_(*refresh->url);
        if (reference == *refresh->url) return std::nullopt;
        return fmt::format("{}; url={}", refresh->seconds, percent_encoded(reference, "\"'"));
    }

    std::string srcset(std::string_view value) const {
        std::vector<Edit> edits;
        web::SrcsetReader reader(value);
        while (const auto candidate = reader.next()) {
            const auto at = static_cast<std::size_t>(candidate->url.data() - value.data());
            std::string reference = rewrite_(candidate->url);
            if (reference == candidate->url) continue;
            edits.push_back({at, candidate->url.size(), srcset_url(std::move(reference))});
        }
        return apply(value, std::move(edits));
    }

    std::string_view page_;
    std::string_view own_name_;
    const ReferenceRewriter& rewrite_;
    Markup markup_;
    web::HtmlTokenizer tokenizer_;
    web::HtmlTreeState tree_;
    std::vector<Edit> edits_;
    std::optional<std::size_t> text_begin_;  // Where the text of the open style or noscript begins.
    bool is_raw_ = false;                    // That text is raw: no tags or references count in it.
    std::string scratch_;
};

}  // namespace

std::string rewrite_html(std::string_view page, std::string_view own_name,
                         const ReferenceRewriter& rewrite, Markup markup) {
    HtmlRewriter rewriter(page, own_name, rewrite, markup);
    return apply(page, rewriter.edits());
}

std::string rewrite_css(std::string_view sheet, const ReferenceRewriter& rewrite) {
    web::CssReader reader(sheet.size());
    reader.feed(sheet);
    std::vector<Edit> edits;
    for (const web::CssUrl& url : reader.finish()) {
        const std::string reference = rewrite(url.value);
        if (reference == url.value) continue;
        const std::string text = css_string(reference);
        edits.push_back(
            {url.begin, url.end - url.begin, url.is_quoted ? text : "url(" + text + ")"});
    }
    return apply(sheet, std::move(edits));
}

}  // namespace weft::crawl

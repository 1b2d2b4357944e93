#include "web/html/html_page_builder.h"

#include <array>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "web/html/srcset.h"
#include "web/markup/html_reference.h"
#include "web/markup/html_scan.h"

namespace weft::web {
namespace {

bool is_blank(std::string_view text) {
    return trim(text).empty();
}

// Text before and after one of these tags may be one word. All other tags separate words.
constexpr std::array<bool, 256> kIsInline = [] {
    using enum Element;
    std::array<bool, 256> is_inline{};
    for (const Element element :
         {a,     abbr, acronym, b,      bdi, bdo,   big,  cite, code,    del, dfn,
          em,    font, i,       ins,    kbd, label, mark, nobr, q,       s,   samp,
          small, span, strike,  strong, sub, sup,   tt,   u,    unknown, var, wbr}) {
        is_inline[static_cast<std::size_t>(element)] = true;
    }
    return is_inline;
}();

bool is_block(Element element) {
    return !kIsInline[static_cast<std::size_t>(element)];
}

}  // namespace

HtmlPageBuilder::HtmlPageBuilder(HtmlOptions options)
    : options_(options),
      option_letters_(
          (options.wants_style_links ? SimpleTag::letter_bit('s') : 0) |
          (options.wants_anchors ? SimpleTag::letter_bit('i') | SimpleTag::letter_bit('n') : 0)),
      title_(limits::kTitleBytesMax),
      link_text_(limits::kLinkTextBytesMax),
      visible_(limits::kPageStoreBytesMax) {}

void HtmlPageBuilder::start_tag(const HtmlTag& tag, const Placement& placement) {
    // Tags that the tree construction ignores have no links, but they may still separate words.
    if (is_block(placement.element)) visible_.separate();
    if (!placement.is_inserted) return;
    if (tag.attribute_count() > 0) {
        add_links(tag, placement);
        if (options_.wants_style_links) add_style_attribute(tag, placement);
        if (options_.wants_anchors) add_anchors(tag, placement);
    }
    if (placement.text != HtmlText::data) collect(tag, placement);
    // A template is not part of the page until a script uses it: its base and link do not count.
    if (placement.space != Namespace::html || placement.is_in_template) return;
    switch (placement.element) {
        case Element::base: read_base(tag); break;
        case Element::link: read_link_element(tag); break;
        case Element::html:
            if (!page_.language) {
                if (const auto language = value_of(tag, "lang")) page_.language = keep(*language);
            }
            break;
        default: break;
    }
}

void HtmlPageBuilder::end_tag(Element element) {
    // Inside raw text the tokenizer reports only the element's own end tag, so any end tag ends it.
    if (collecting_ != Collecting::nothing) finish_collecting();
    if (element == Element::a) finish_link_text();
    if (is_block(element)) visible_.separate();
}

void HtmlPageBuilder::text(std::string_view piece) {
    switch (collecting_) {
        case Collecting::title: title_.append(piece); return;
        case Collecting::json_ld:
            // At most one byte more than fits is collected: keep() then refuses the whole block.
            json_ld_ += piece.substr(0, page_.store.room_bytes() + 1 - json_ld_.size());
            return;
        case Collecting::style: style_.feed(piece); return;
        case Collecting::hidden: return;
        case Collecting::nothing: break;
    }
    if (link_text_for_) link_text_.append(piece);
    if (options_.wants_text) visible_.append(piece);
}

bool HtmlPageBuilder::wants_text() const {
    switch (collecting_) {
        case Collecting::title: return !title_.is_full();
        case Collecting::json_ld:
        case Collecting::style: return true;
        case Collecting::hidden: return false;
        case Collecting::nothing: break;
    }
    return options_.wants_text || (link_text_for_ && !link_text_.is_full());
}

std::size_t HtmlPageBuilder::memory_bytes() const {
    return page_.memory_bytes() + known_links_.memory_bytes() + visible_.memory_bytes() +
           json_ld_.capacity() + scratch_.capacity() + style_.memory_bytes();
}

HtmlPage HtmlPageBuilder::finish() {
    finish_collecting();
    finish_link_text();
    known_links_.clear();
    page_.text = visible_.take();
    return std::exchange(page_, HtmlPage());
}

// Called at the start of an element whose content is not markup. Decides what its text is for.
void HtmlPageBuilder::collect(const HtmlTag& tag, const Placement& placement) {
    collecting_ = Collecting::hidden;
    if (placement.element == Element::plaintext || placement.element == Element::xmp) {
        collecting_ = Collecting::nothing;  // Browsers show it like any other text.
    } else if (placement.element == Element::title && !page_.title && !placement.is_in_template) {
        collecting_ = Collecting::title;
    } else if (placement.element == Element::style && options_.wants_style_links) {
        collecting_ = Collecting::style;
        style_link_ = {.element = "style",
                       .offset = tag.offset,
                       .is_in_template = placement.is_in_template,
                       .is_in_noscript = placement.is_in_noscript};
    } else if (placement.element == Element::script && options_.wants_json_ld) {
        const auto type = value_of(tag, "type");
        if (type && equals_ignore_case(trim(*type), "application/ld+json")) {
            collecting_ = Collecting::json_ld;
        }
    }
}

void HtmlPageBuilder::finish_collecting() {
    switch (std::exchange(collecting_, Collecting::nothing)) {
        case Collecting::title: page_.title = keep(title_.take()); break;
        case Collecting::json_ld:
            if (const auto block = keep(json_ld_)) page_.json_ld.push_back(*block);
            json_ld_.clear();
            break;
        case Collecting::style: add_style_element(); break;
        default: break;
    }
}

void HtmlPageBuilder::add_style_element() {
    for (const CssUrl& url : style_.finish()) {
        style_link_.attribute = url.is_import ? "@import" : "url()";
        add_link(style_link_, url.value);
    }
}

void HtmlPageBuilder::add_style_attribute(const HtmlTag& tag, const Placement& placement) {
    const auto style = value_of(tag, "style");
    // Without a parenthesis there is no url() or image-set(): most attributes are not parsed.
    if (!style || style->find('(') == std::string_view::npos) return;
    std::string_view element = name_of(placement.element);
    for (const CssUrl& url : read_css(*style)) {
        // The name of an unknown element has no static storage.
        if (element.empty()) element = keep(tag.name()).value_or("");
        add_link({.element = element,
                  .attribute = "style",
                  .offset = tag.offset,
                  .is_in_template = placement.is_in_template,
                  .is_in_noscript = placement.is_in_noscript},
                 url.value);
    }
}

void HtmlPageBuilder::add_anchors(const HtmlTag& tag, const Placement& placement) {
    // HTML standard, "find a potential indicated element": an id, or the name of an <a>. The
    // content of a template is not part of the document.
    if (placement.is_in_template) return;
    const auto add = [this](std::optional<std::string_view> value) {
        if (!value || value->empty()) return;
        if (page_.anchors.size() >= options_.anchor_count_max) {
            page_.is_cut = true;
        } else if (const auto kept = keep(*value)) {
            page_.anchors.push_back(*kept);
        }
    };
    add(value_of(tag, "id"));
    if (placement.element == Element::a) add(value_of(tag, "name"));
}

void HtmlPageBuilder::add_links(const HtmlTag& tag, const Placement& placement) {
    const auto rows = link_attributes(placement.element, placement.space);
    const bool is_meta = placement.element == Element::meta && placement.space == Namespace::html;
    if (is_meta) return read_meta(tag, placement);
    if (rows.empty()) return;
    const std::size_t first_link = page_.links.size();
    unsigned seen = 0;  // Only the first attribute of a name counts; the tokenizer keeps all.
    for (std::size_t i = 0; i < tag.attribute_count(); ++i) {
        const HtmlAttribute attribute = tag.attribute(i);
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (!is_same_name(attribute.name, rows[row].name) || (seen & 1u << row) != 0) continue;
            seen |= 1u << row;
            add_attribute(rows[row], attribute.value,
                          {.element = rows[row].tag,
                           .attribute = rows[row].name,
                           .offset = tag.offset,
                           .is_in_template = placement.is_in_template,
                           .is_in_noscript = placement.is_in_noscript});
        }
    }
    if (page_.links.size() == first_link || placement.space != Namespace::html) return;
    switch (placement.element) {
        case Element::a: begin_link_text(first_link); [[fallthrough]];
        case Element::area:
        case Element::link:
        case Element::form: {
            const auto rel = value_of(tag, "rel");
            if (!rel) return;
            const std::string_view kept = keep(*rel).value_or("");
            for (std::size_t i = first_link; i < page_.links.size(); ++i) page_.links[i].rel = kept;
            return;
        }
        default: return;
    }
}

void HtmlPageBuilder::add_attribute(const LinkAttribute& attribute, std::string_view raw,
                                    HtmlLink link) {
    const std::string_view value = decode_attribute(raw, scratch_);
    switch (attribute.form) {
        case LinkAttribute::Form::url: {
            const bool may_be_blank = attribute.tag == "a" || attribute.tag == "area";
            if (may_be_blank || !is_blank(value)) add_link(link, value);
            return;
        }
        case LinkAttribute::Form::srcset: {
            SrcsetReader reader(value);
            while (const auto candidate = reader.next()) add_link(link, candidate->url);
            return;
        }
        case LinkAttribute::Form::url_list: {
            const char* p = value.data();
            const char* const end = p + value.size();
            while ((p = skip_html_space(p, end)) != end) {
                const char* begin = p;
                p = find_class(p, end, kSpace);
                add_link(link, {begin, static_cast<std::size_t>(p - begin)});
            }
            return;
        }
    }
}

// A page with many links repeats most of them, and repeated links would only use memory. The hashes
// are seeded, so that a page cannot choose links that collide (H74).
bool HtmlPageBuilder::is_new_link(const HtmlLink& link, std::string_view value) {
    const auto print = [](std::string_view element, std::string_view attribute,
                          std::string_view text) {
        return hash64(text, secret_seed() ^ hash64(element) ^ (hash64(attribute) << 1));
    };
    if (known_links_.empty()) {
        for (const HtmlLink& known : page_.links) {
            known_links_.insert(print(known.element, known.attribute, known.value));
        }
    }
    return known_links_.insert(print(link.element, link.attribute, value));
}

void HtmlPageBuilder::add_link(HtmlLink link, std::string_view value) {
    if (page_.links.size() >= options_.repeated_link_count_max && !is_new_link(link, value)) return;
    if (page_.links.size() >= options_.link_count_max) {
        page_.is_cut = true;
        return;
    }
    const auto kept = keep(value);
    if (!kept) return;
    link.value = *kept;
    // Grows by hand, so that the capacity never exceeds the limit.
    if (page_.links.size() == page_.links.capacity()) {
        page_.links.reserve(std::min(options_.link_count_max, page_.links.size() * 2 + 16));
    }
    page_.links.push_back(link);
}

void HtmlPageBuilder::begin_link_text(std::size_t first_link) {
    finish_link_text();
    if (options_.wants_link_text) link_text_for_ = first_link;
}

void HtmlPageBuilder::finish_link_text() {
    if (!link_text_for_) return;
    const std::string_view text = keep(link_text_.take()).value_or("");
    // All links of the same tag (href and ping) get the text.
    const std::uint64_t offset = page_.links[*link_text_for_].offset;
    for (std::size_t i = *link_text_for_; i < page_.links.size(); ++i) {
        if (page_.links[i].offset != offset) break;
        page_.links[i].text = text;
    }
    link_text_for_.reset();
}

std::optional<std::string_view> HtmlPageBuilder::value_of(const HtmlTag& tag,
                                                          std::string_view name) {
    const auto raw = tag.find(name);
    if (!raw) return std::nullopt;
    return decode_attribute(*raw, scratch_);
}

std::optional<std::string_view> HtmlPageBuilder::keep(std::string_view text) {
    if (text.size() <= page_.store.room_bytes()) return page_.store.keep(text);
    page_.is_cut = true;
    return std::nullopt;
}

}  // namespace weft::web

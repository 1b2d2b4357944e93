#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/limits.h"
#include "web/html/html.h"
#include "web/markup/html_tokenizer.h"
#include "web/markup/html_tree_state.h"

// However a document is cut, its tokens and its page are the same, and every bound holds.
namespace {

using namespace weft;
using namespace weft::web;

void add(std::string& text, std::string_view field) {
    text += field;
    text += '\n';
}

// Everything the tokenizer says, driven as HtmlReader drives it but with all text wanted.
class Transcript final : public HtmlSink {
public:
    HtmlText start_tag(const HtmlTag& tag) override {
        const Placement placement = tree_.start_tag(tag);
        text_ += '<';
        add_tag(tag);
        WEFT_ASSERT(tag.attribute_count() <= limits::kAttributeCountMax);
        for (std::size_t i = 0; i < tag.attribute_count(); ++i) {
            const HtmlAttribute attribute = tag.attribute(i);
            WEFT_ASSERT(attribute.name.size() <= limits::kAttributeBytesMax);
            WEFT_ASSERT(attribute.value.size() <= limits::kAttributeBytesMax);
            add(text_, attribute.name);
            add(text_, attribute.value);
        }
        return placement.text;
    }
    void end_tag(const HtmlTag& tag) override {
        tree_.end_tag(tag);
        text_ += '/';
        add_tag(tag);
    }
    void text(std::string_view piece) override {
        tree_.text(piece);
        text_ += piece;
    }
    void comment(std::string_view comment) override { add(text_, comment); }
    void doctype(const HtmlDoctype& doctype) override {
        tree_.doctype();
        add(text_, doctype.name.value_or("-"));
        add(text_, doctype.public_id.value_or("-"));
        add(text_, doctype.system_id.value_or("-"));
    }
    bool is_in_foreign_content() override { return tree_.is_in_foreign_content(); }

    const std::string& finish(HtmlTokenizer& tokenizer) {
        tokenizer.finish();
        return text_;
    }

private:
    void add_tag(const HtmlTag& tag) {
        add(text_, tag.name());
        add(text_, std::to_string(tag.offset) + (tag.is_self_closing ? "/" : ""));
    }

    HtmlTreeState tree_;
    std::string text_;
};

// Cuts of 1 to 16 bytes, drawn from a seed.
template <typename Feed>
void feed_in_pieces(std::string_view document, std::uint32_t seed, Feed feed) {
    while (!document.empty()) {
        seed = seed * 1664525 + 1013904223;
        const std::string piece(document.substr(0, 1 + (seed >> 28)));  // Its end is watched.
        feed(piece);
        document.remove_prefix(piece.size());
    }
}

std::string describe(const HtmlPage& page) {
    WEFT_ASSERT(page.links.size() <= limits::kLinksPerPageMax);
    std::string text;
    for (const HtmlLink& link : page.links) {
        for (const auto field : {link.element, link.attribute, link.value, link.rel, link.text}) {
            add(text, field);
        }
        text += std::to_string(link.offset) + (link.is_in_template ? "t" : "") +
                (link.is_in_noscript ? "n" : "");
    }
    for (const auto& field :
         {page.base_href, page.title, page.description, page.language, page.canonical}) {
        add(text, field.value_or("-"));
    }
    for (const HtmlRobots& robots : page.robots) add(text, robots.content);
    for (const std::string_view block : page.json_ld) add(text, block);
    return text + page.text;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size < 1) return 0;
    const std::uint32_t seed = data[0];
    const std::string_view document(reinterpret_cast<const char*>(data) + 1, size - 1);

    Transcript whole;
    HtmlTokenizer whole_tokenizer(whole);
    whole_tokenizer.feed(document);
    Transcript cut;
    HtmlTokenizer cut_tokenizer(cut);
    feed_in_pieces(document, seed, [&](std::string_view p) { cut_tokenizer.feed(p); });
    WEFT_ASSERT(whole.finish(whole_tokenizer) == cut.finish(cut_tokenizer));

    const bool wants = (seed & 1) != 0;
    const HtmlOptions options{.wants_style_links = true,
                              .wants_link_text = wants,
                              .wants_json_ld = true,
                              .wants_text = wants};
    HtmlReader reader(options);
    feed_in_pieces(document, seed, [&](std::string_view p) { reader.feed(p); });
    WEFT_ASSERT(describe(read_html(document, options)) == describe(reader.finish()));
    return 0;
}

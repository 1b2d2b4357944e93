#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "web/html/collapsed_text.h"
#include "web/html/css.h"
#include "web/html/html.h"
#include "web/html/html_links.h"
#include "web/html/print_set.h"
#include "web/markup/html_tag.h"
#include "web/markup/html_tree_state.h"
#include "web/markup/simple_tag.h"

namespace weft::web {

// Fills an HtmlPage from tags and text. The tree construction has decided already what each tag is;
// this class does no parsing. HtmlReader owns it and calls it.
class HtmlPageBuilder {
public:
    explicit HtmlPageBuilder(HtmlOptions options);

    void start_tag(const HtmlTag& tag, const Placement& placement);
    void end_tag(Element element);

    // Whether a start tag may have an attribute that the page needs. If not, start_tag() need not
    // be called.
    bool reads(const SimpleTag& tag) const {
        return (tag.first_letters & (link_letters(tag.element) | option_letters_)) != 0;
    }
    void text(std::string_view piece);

    // Whether text at the current place is needed. If not, the tokenizer may skip it.
    bool wants_text() const;

    const HtmlPage& page() const { return page_; }
    HtmlPage finish();

    // The memory of the page so far and of the text that is being collected.
    std::size_t memory_bytes() const;

private:
    // What the text of the current element is for, if its content is not markup. `hidden` is text
    // that is not shown, such as that of a script.
    enum class Collecting : std::uint8_t { nothing, title, json_ld, style, hidden };

    void collect(const HtmlTag& tag, const Placement& placement);
    void finish_collecting();
    void add_anchors(const HtmlTag& tag, const Placement& placement);
    void add_links(const HtmlTag& tag, const Placement& placement);
    void add_attribute(const LinkAttribute& attribute, std::string_view raw, HtmlLink link);
    void add_link(HtmlLink link, std::string_view value);
    bool is_new_link(const HtmlLink& link, std::string_view value);
    void add_style_attribute(const HtmlTag& tag, const Placement& placement);
    void add_style_element();
    void begin_link_text(std::size_t first_link);
    void finish_link_text();

    // The elements of the head (html_page_meta.cpp).
    void read_base(const HtmlTag& tag);
    void read_link_element(const HtmlTag& tag);
    void read_meta(const HtmlTag& tag, const Placement& placement);
    void read_robots(std::string_view name, std::string_view content);
    void read_refresh(std::string_view content, HtmlLink link);
    // The decoded value of an attribute. Valid until the next call.
    std::optional<std::string_view> value_of(const HtmlTag& tag, std::string_view name);
    // Copies the text to the page's store. Nothing, and the page is cut, if there is no room.
    std::optional<std::string_view> keep(std::string_view text);

    HtmlOptions options_;
    std::uint32_t option_letters_;  // The first letters of attributes that the options ask for.
    HtmlPage page_;
    PrintSet known_links_;  // Filled only after repeated_link_count_max links.
    Collecting collecting_ = Collecting::nothing;
    CollapsedText title_;
    CollapsedText link_text_;
    CollapsedText visible_;
    std::string json_ld_;
    CssReader style_;
    HtmlLink style_link_;                       // What all links of a style element share.
    std::optional<std::size_t> link_text_for_;  // The first link that gets the collected text.
    std::string scratch_;  // A decoded attribute. Views into it end with the next value_of().
};

}  // namespace weft::web

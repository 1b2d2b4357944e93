#include "extract/content/page_marks.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/bytes.h"

namespace weft::extract {
namespace {

using web::Element;

constexpr std::size_t kElementMax = 256;

consteval void set_marks(std::array<std::uint32_t, kElementMax>& table, std::uint32_t mark,
                         std::initializer_list<Element> elements) {
    for (const Element element : elements) table[static_cast<std::size_t>(element)] |= mark;
}

consteval std::array<std::uint32_t, kElementMax> make_element_marks() {
    using enum Element;
    std::array<std::uint32_t, kElementMax> out{};
    set_marks(out, kSkipped, {audio,  button, canvas, embed, frame,     frameset, head,
                              iframe, input,  link,   math,  meta,      object,   option,
                              script, select, style,  svg,   template_, textarea, video});
    set_marks(out, kBlock,
              {address, article, aside, blockquote, body,     caption,    center, dd,      details,
               dialog,  div,     dl,    dt,         fieldset, figcaption, figure, footer,  form,
               h1,      h2,      h3,    h4,         h5,       h6,         header, hgroup,  hr,
               html,    li,      main,  nav,        ol,       p,          pre,    section, summary,
               table,   tbody,   td,    tfoot,      th,       thead,      tr,     ul});
    set_marks(out, kLink, {a});
    set_marks(out, kStructure, {nav, dialog, menu, noscript, aside, footer});
    set_marks(out, kForm, {form});
    set_marks(out, kHeader, {header});
    set_marks(out, kCaption, {figcaption});
    set_marks(out, kArticle | kItem, {article});
    set_marks(out, kItem, {li});
    set_marks(out, kMain | kMainElement, {main});
    set_marks(out, kHeading1, {h1});
    set_marks(out, kNoRoot,
              {p, li, blockquote, pre, table, tr, tbody, ul, ol, dl, td, span, a, h1, h2, h3});
    set_marks(out, kBox, {ul, ol, div, section, table, dl});
    set_marks(out, kLine, {p, div, h2, h3, h4, h5, h6, li, span, section});
    set_marks(out, kParagraph, {p});
    set_marks(out, kMayHoldPair, {div, section, article, main, td});
    set_marks(out, kBreak, {br});
    return out;
}

constexpr auto kElementMarks = make_element_marks();

bool is_skipped_name(std::string_view name) {
    return name == "datalist" || name == "map" || name == "meter" || name == "progress";
}

bool is_structure_role(std::string_view role) {
    constexpr std::string_view kRoles[] = {
        "alert",  "alertdialog", "banner",  "button",  "checkbox", "complementary", "contentinfo",
        "dialog", "listbox",     "menu",    "menubar", "menuitem", "navigation",    "search",
        "status", "tab",         "tablist", "toolbar", "tooltip"};
    return std::ranges::any_of(
        kRoles, [&](std::string_view known) { return equals_ignore_case(role, known); });
}

// Whether an inline style has display:none or visibility:hidden, with white space anywhere.
bool hides(std::string_view style) {
    constexpr std::size_t kStyleBytesMax = 1024;
    std::array<char, kStyleBytesMax> compact;
    std::size_t size = 0;
    for (const char c : style.substr(0, kStyleBytesMax)) {
        if (static_cast<unsigned char>(c) > ' ') compact[size++] = to_lower(c);
    }
    const std::string_view text(compact.data(), size);
    return text.contains("display:none") || text.contains("visibility:hidden");
}

// React sends late parts of a page hidden, with ids such as "S:0", and a script moves them.
bool is_streamed_part(std::string_view id) {
    return id.starts_with("S:");
}

struct NamedAttributes {
    std::string_view classes, id;
    bool is_hidden = false;
};

}  // namespace

std::uint32_t count_visible(std::string_view text) {
    std::uint32_t count = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]);
        // Bytes inside a UTF-8 sequence begin with the bits 10.
        count += byte > ' ' && (byte & 0xC0) != 0x80 && byte != 0x7F;
        if (byte == 0xC2 && i + 1 < text.size() && text[i + 1] == '\xA0') --count;  // U+00A0.
    }
    return count;
}

bool is_forum_type(std::string_view type) {
    return type == "DiscussionForumPosting" || type == "QAPage" || type == "Question" ||
           type == "SocialMediaPosting";
}

void PageMarks::read(const web::HtmlTree& tree) {
    const std::size_t size = tree.size();
    marks_.assign(size, 0);
    visible_.assign(size, 0);
    words_.clear();
    headings_.clear();
    landmarks_.clear();
    body_ = tree.find(Element::body);
    is_forum_ = false;
    for (std::uint32_t i = 1; i < size; ++i) {
        const web::HtmlNode& node = tree[i];
        if (node.is_element()) look_for_forum(tree, i);
        if (i <= body_ || i >= tree[body_].end) continue;
        if ((marks_[node.parent] & kSkipped) != 0) {
            marks_[i] = kSkipped;
        } else if (node.is_element()) {
            mark_element(tree, i);
        } else if (node.is_text()) {
            visible_[i] = count_visible(tree.text(i));
        } else {
            marks_[i] = kSkipped;
        }
    }
    if (body_ != 0) marks_[body_] = kBlock;
}

void PageMarks::mark_element(const web::HtmlTree& tree, std::uint32_t i) {
    const web::HtmlNode& node = tree[i];
    std::uint32_t marks = kElementMarks[static_cast<std::size_t>(node.element)];
    if (node.element == Element::unknown && is_skipped_name(tree.name(i))) marks = kSkipped;
    marks_[i] = marks;
    if ((marks & kSkipped) != 0) return;
    if ((marks & kHeading1) != 0) headings_.push_back(i);
    NamedAttributes named;
    for (std::size_t k = 0; k < tree.attribute_count(i); ++k) {
        const web::TreeAttribute attribute = tree.attribute_at(i, k);
        const std::string_view name = attribute.name;
        if (name == "class") {
            named.classes = attribute.value;
        } else if (name == "id") {
            named.id = attribute.value;
        } else if (name == "hidden" || (name == "aria-hidden" && attribute.value == "true") ||
                   (name == "style" && hides(attribute.value))) {
            named.is_hidden = true;
        } else if (name == "role") {
            if (is_structure_role(attribute.value)) marks |= kStructure;
            if (attribute.value == "main") marks |= kMain;
        } else if (name == "itemprop" && equals_ignore_case(attribute.value, "articlebody")) {
            marks |= kArticleBody;
        }
    }
    if (named.is_hidden && !is_streamed_part(named.id)) marks |= kHidden;
    if (!named.classes.empty() || !named.id.empty()) {
        found_.clear();
        const NamesOfElement names = read_names(named.classes, named.id, found_);
        if (names.has_pair && (marks & kMayHoldPair) != 0) marks |= kPair;
        if ((names.kinds & kCommentWord) != 0) marks |= kHasComment;
        if ((names.kinds & kGoodWord) != 0) marks |= kHasGoodWord;
        for (const NameWord word : found_) words_.push_back({i, word});
    }
    marks_[i] = marks;
    if ((marks & (kHeading1 | kMain | kArticle)) != 0) landmarks_.push_back(i);
}

void PageMarks::look_for_forum(const web::HtmlTree& tree, std::uint32_t i) {
    if (is_forum_) return;
    if (tree[i].is_html(Element::meta)) {
        const auto name = tree.attribute(i, "name");
        if (!name || !equals_ignore_case(*name, "generator")) return;
        const std::string generator =
            to_lower(tree.attribute(i, "content").value_or("").substr(0, 100));

        for (const std::string_view forum : {"phpbb", "discourse", "vbulletin", "xenforo", "smf",
                                             "mybb", "flarum", "nodebb", "vanilla", "invision"}) {
            is_forum_ |= generator.contains(forum);
        }
    } else if (tree.attribute_count(i) > 1) {
        const std::string_view type = tree.attribute(i, "itemtype").value_or("");
        const std::size_t at = type.find("schema.org/");
        if (at != type.npos) is_forum_ = is_forum_type(type.substr(at + 11));
    }
}

bool PageMarks::has_heading(std::uint32_t begin, std::uint32_t end) const {
    const auto first = std::ranges::lower_bound(headings_, begin);
    return first != headings_.end() && *first < end;
}

bool PageMarks::has_landmark(std::uint32_t begin, std::uint32_t end) const {
    const auto first = std::ranges::lower_bound(landmarks_, begin);
    return first != landmarks_.end() && *first < end;
}

std::size_t PageMarks::memory_bytes() const {
    return marks_.capacity() * sizeof(marks_[0]) + visible_.capacity() * sizeof(visible_[0]) +
           words_.capacity() * sizeof(words_[0]) + headings_.capacity() * sizeof(headings_[0]) +
           landmarks_.capacity() * sizeof(landmarks_[0]);
}

}  // namespace weft::extract

#include "web/tree/html_tree_builder.h"

#include <algorithm>
#include <string>

#include "base/bytes.h"
#include "base/scan.h"
#include "web/charset/utf8_text.h"
#include "web/markup/html_reference.h"
#include "web/markup/html_scan.h"
#include "web/markup/html_tokenizer.h"
#include "web/markup/html_tree_state.h"
#include "web/markup/simple_tag.h"

namespace weft::web {
namespace {

constexpr bool is_target_letter(char c) {
    return is_alnum(c) || c == '_' || c == '-';
}

// The length of the target of a processing instruction, 0 if this is none. Some targets belong to
// XML, and the standard makes comments of them.
std::size_t target_length(std::string_view content) {
    if (content.empty() || (!is_alpha(content[0]) && content[0] != '_')) return 0;
    std::size_t length = 1;
    while (length < content.size() && is_target_letter(content[length])) ++length;
    if (length < content.size() && content[length] != '?' && !is_html_space(content[length])) {
        return 0;
    }
    const std::string_view target = content.substr(0, length);
    const bool is_of_xml =
        equals_ignore_case(target, "xml") || equals_ignore_case(target, "xml-stylesheet");
    return is_of_xml ? 0 : length;
}

// A character reference has at most this many letters or digits, if it is not padded with zeros.
constexpr std::ptrdiff_t kReferenceRoom = 48;

}  // namespace

// Text comes from the tokenizer in pieces. They are collected to runs, because the tree
// construction needs whole runs in tables. Most of a page is read without the tokenizer, in
// read_tags().
class HtmlTreeBuilder::Impl final : public HtmlSink {
public:
    Impl(HtmlTreeLimits limits, Scripting scripting)
        : limits_(limits),
          tokenizer_(*this),
          state_(scripting == Scripting::on ? HtmlTreeState::Scripting::on
                                            : HtmlTreeState::Scripting::off) {}

    const HtmlTree& parse(std::string_view document) {
        if (document.starts_with(kByteOrderMark)) document.remove_prefix(kByteOrderMark.size());
        begin();
        return read(document);
    }

    const HtmlTree& parse_fragment(std::string_view document, FragmentContext context) {
        begin();
        const Element element = element_of(context.name);
        // There was no start tag, so no end tag can end the content of a script or a title.
        tokenizer_.start_in(state_.begin_fragment(element, context.space), {});
        return read(document);
    }

    std::size_t memory_bytes() const {
        return tokenizer_.memory_bytes() + nodes_.memory_bytes() + tree_.memory_bytes() +
               run_.capacity();
    }

    HtmlText start_tag(const HtmlTag& tag) override {
        flush();
        const Placement placement = state_.start_tag(tag);
        skips_line_feed_ =
            placement.is_inserted && placement.space == Namespace::html &&
            (placement.element == Element::pre || placement.element == Element::listing ||
             placement.element == Element::textarea);
        choose_text();
        if (placement.text != HtmlText::data) tokenizer_.want_text(true);
        return placement.text;
    }

    void end_tag(const HtmlTag& tag) override {
        flush();
        state_.end_tag(tag);
        choose_text();
    }

    void text(std::string_view piece) override { run_ += piece; }

    void comment(std::string_view text) override {
        flush();
        state_.comment(text);
        choose_text();
    }

    void instruction(std::string_view content, bool is_complete) override {
        const std::string_view after = content.substr(1);
        const std::size_t length = target_length(after);
        if (length == 0 && (is_complete || !after.empty())) return comment(content);
        if (!is_complete) return;
        flush();
        std::string_view data = after.substr(length);
        while (!data.empty() && is_html_space(data.front())) data.remove_prefix(1);
        if (data.ends_with('?')) data.remove_suffix(1);
        state_.instruction(after.substr(0, length), data);
        choose_text();
    }

    void doctype(const HtmlDoctype& doctype) override {
        flush();
        state_.doctype(doctype);
        choose_text();
    }

    bool is_in_foreign_content() override { return state_.is_foreign(); }

    // Reads text and simple tags for as long as the tree takes them in the simple way.
    const char* read_tags(const char* p, const char* end, std::uint64_t) override {
        SimpleTag simple;
        for (;;) {
            const char* const tag_begin = read_text(p, end);
            if (!tag_begin) return p;
            p = tag_begin;
            if (end - p < kSimpleTagRoom) return leave(p);
            const char* after = nullptr;
            if (p[1] == '/') {
                after = state_.end_simple(p + 2);
                if (after && state_.needs_reconstruction()) return leave(after);
            } else if (p[1] == '!') {
                after = read_comment(p, end);
            } else {
                after = read_simple_tag(p, end, simple);
                if (after && !start_simple(p, simple)) return leave(p);
            }
            if (!after) return leave(p);
            p = after;
        }
    }

private:
    void begin() {
        nodes_.begin(tree_, limits_);
        tokenizer_.reset();
        state_.reset();
        state_.build(nodes_);
        run_.clear();
        skips_line_feed_ = false;
        tokenizer_.want_text(true);
    }

    const HtmlTree& read(std::string_view document) {
        if (document.size() > limits_.bytes_max) {
            document = document.substr(0, limits_.bytes_max);
            is_long_ = true;
        }
        tokenizer_.feed(document);
        tokenizer_.finish();
        flush();
        state_.finish();
        if (is_long_) nodes_.set_cut();
        is_long_ = false;
        nodes_.finish();
        return tree_;
    }

    // A line feed directly after <pre>, <listing> or <textarea> is not content.
    void flush() {
        std::string_view run = run_;
        if (skips_line_feed_ && run.starts_with('\n')) run.remove_prefix(1);
        if (!run.empty()) state_.text(run);
        run_.clear();
        skips_line_feed_ = false;
    }

    void choose_text() { tokenizer_.want_text(!state_.is_simple()); }

    // Leaves the next token to the tokenizer.
    const char* leave(const char* p) {
        choose_text();
        return p;
    }

    // Adds the text before the next '<' and returns that, or null if the tokenizer must read the
    // text, all of which is still there.
    const char* read_text(const char* p, const char* end) {
        const char* stop = find_any<'<', '&', '\r', '\0'>(p, end);
        if (stop != end && *stop == '<') {
            if (p == stop) return stop;
            if (!state_.takes_any_text() && skip_html_space(p, stop) != stop) return unread();
            if (skips_line_feed_ && *p == '\n') ++p;
            skips_line_feed_ = false;
            if (p != stop) add_text({p, stop});
            return stop;
        }
        return read_mixed_text(p, stop, end);
    }

    // Text with references or CR in it.
    const char* read_mixed_text(const char* const begin, const char* stop, const char* end) {
        run_.clear();
        const char* p = begin;
        for (; stop != end && *stop != '<'; stop = find_any<'<', '&', '\r', '\0'>(p, end)) {
            run_.append(p, stop);
            if (*stop == '\0') return unread();
            if (*stop == '\r') {
                run_ += '\n';
                p = stop + 1;
                if (p != end && *p == '\n') ++p;
                continue;
            }
            p = read_reference(stop, end);
            if (!p) return unread();
        }
        if (stop == end || !state_.takes_any_text()) return unread();
        run_.append(p, stop);
        std::string_view run = run_;
        if (skips_line_feed_ && run.starts_with('\n')) run.remove_prefix(1);
        skips_line_feed_ = false;
        if (!run.empty()) add_text(run);
        run_.clear();
        return stop;
    }

    // Appends the character to the run and returns the end of the reference. Null if it may be too
    // long for this place.
    const char* read_reference(const char* const begin, const char* end) {
        if (end - begin < kReferenceRoom) return nullptr;
        const char* p = begin + 1;
        if (*p == '#') ++p;
        while (p - begin < kReferenceRoom - 1 && is_alnum(*p)) ++p;
        if (is_alnum(*p)) return nullptr;
        if (*p == ';') ++p;
        const CharacterReference found = match_reference({begin, p}, ReferencePlace::text);
        if (found.length == 0) {
            run_ += '&';
            return begin + 1;
        }
        run_ += found.characters();
        return begin + found.length;
    }

    // Leaves text to the tokenizer.
    const char* unread() {
        run_.clear();
        tokenizer_.want_text(true);
        return nullptr;
    }

    void add_text(std::string_view text) { nodes_.add_text(text, {state_.open().current().node}); }

    const char* read_comment(const char* p, const char* end) {
        const char* const after = skip_simple_comment(p, end);
        if (!after) return nullptr;
        const std::string_view content(p + 4, after - 3);
        if (find_any<'\r', '\0'>(content.data(), after) != after) return nullptr;
        skips_line_feed_ = false;
        state_.comment(content);
        return after;
    }

    // Elements that the state has opened have no node yet. There are at most two: a <tr> may open a
    // tbody. A void element is not opened.
    bool start_simple(const char* begin, const SimpleTag& simple) {
        const HtmlTag tag(simple.element, begin, {}, simple.spans());
        if (!state_.start_simple(tag)) return false;
        OpenElements& open = state_.open();
        skips_line_feed_ = tag.element == Element::pre || tag.element == Element::listing;
        if (open.current().node != 0) {
            nodes_.add_element(tag.element, Namespace::html, &tag, {open.current().node});
            return true;
        }
        const std::size_t parent = open.size() - 2;
        if (open[parent].node == 0) {
            open.set_node(parent, nodes_.add_element(open[parent].element, Namespace::html, nullptr,
                                                     {open[parent - 1].node}));
        }
        state_.set_current_node(
            nodes_.add_element(tag.element, Namespace::html, &tag, {open[parent].node}));
        return true;
    }

    HtmlTreeLimits limits_;
    HtmlTokenizer tokenizer_;
    HtmlTreeState state_;
    HtmlTreeNodes nodes_;
    HtmlTree tree_;
    std::string run_;  // Text that the tree has not got yet.
    bool skips_line_feed_ = false;
    bool is_long_ = false;
};

HtmlTreeBuilder::HtmlTreeBuilder(HtmlTreeLimits limits, Scripting scripting)
    : impl_(std::make_unique<Impl>(limits, scripting)) {}
HtmlTreeBuilder::~HtmlTreeBuilder() = default;
HtmlTreeBuilder::HtmlTreeBuilder(HtmlTreeBuilder&&) noexcept = default;
HtmlTreeBuilder& HtmlTreeBuilder::operator=(HtmlTreeBuilder&&) noexcept = default;

const HtmlTree& HtmlTreeBuilder::parse(std::string_view document) {
    return impl_->parse(document);
}

const HtmlTree& HtmlTreeBuilder::parse_fragment(std::string_view document,
                                                FragmentContext context) {
    return impl_->parse_fragment(document, context);
}

std::size_t HtmlTreeBuilder::memory_bytes() const {
    return impl_->memory_bytes();
}

}  // namespace weft::web

#include "extract/text/markdown.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "extract/text/flow.h"
#include "extract/text/inline_markdown.h"
#include "extract/text/link_target.h"
#include "extract/text/markdown_lines.h"
#include "extract/text/table_shape.h"

namespace weft::extract {
namespace {

using web::Element;
using web::HtmlNode;
using web::HtmlTree;

// The language in a class such as "language-cpp" or "highlight lang-c".
std::string_view code_language(std::string_view classes) {
    for (std::size_t begin = 0; begin < classes.size();) {
        const std::size_t end = std::min(classes.find_first_of(" \t\n\f\r", begin), classes.size());
        const std::string_view word = classes.substr(begin, end - begin);
        begin = end + 1;
        for (const std::string_view prefix : {"language-", "lang-", "highlight-source-"}) {
            if (word.starts_with(prefix)) return word.substr(prefix.size());
        }
    }
    return {};
}

// A loop over the nodes in document order, without recursion: a page may be a thousand levels deep.
class MarkdownWriter {
public:
    MarkdownWriter(const HtmlTree& tree, const KeptNodes& kept, const web::Url* base,
                   std::string& out)
        : tree_(tree), kept_(kept), base_(base), lines_(out) {}

    void write() {
        for (std::uint32_t i = kept_.root; i < tree_[kept_.root].end;) {
            leave_until(i);
            i = enter(i);
        }
        leave_until(tree_[kept_.root].end);
        flush();
    }

private:
    struct OpenNode {
        std::uint32_t node;
        std::uint32_t end;
        Flow flow;
        bool is_emphasis = false;
        bool is_link = false;
    };

    // Returns the next node: the first child, or what follows a subtree that is done.
    std::uint32_t enter(std::uint32_t i) {
        const HtmlNode& node = tree_[i];
        if (kept_.drops(i)) return node.end;
        if (node.is_text()) {
            inline_.add_text(tree_.text(i));
            return node.end;
        }
        if (node.kind == web::NodeKind::document) return i + 1;
        if (!node.is_element()) return node.end;
        const Flow flow = flow_of(node);
        switch (flow) {
            case Flow::hidden: return node.end;
            case Flow::line_break: inline_.add_break(); return node.end;
            case Flow::preformatted: write_code_block(i); return node.end;
            case Flow::image: add_image(i); return node.end;
            case Flow::rule:
                flush();
                lines_.write_rule();
                return node.end;
            case Flow::inline_text: return enter_inline(i);
            case Flow::table:
                flush();
                if (const auto shape = table_shape(tree_, kept_, i)) {
                    write_table(i, *shape);
                    return node.end;
                }
                break;
            case Flow::cell:
                // In a table that is written as lines, the cells of a row are parts of one line.
                if (!inline_.is_empty() && node.end > i + 1) inline_.add_text(" | ");
                break;
            default: flush(); break;
        }
        begin_block(i, flow);
        open_.push_back({i, node.end, flow});
        return i + 1;
    }

    void begin_block(std::uint32_t i, Flow flow) {
        switch (flow) {
            case Flow::list: begin_list(i); break;
            case Flow::item: begin_item(); break;
            case Flow::quote: lines_.begin_quote(); break;
            case Flow::heading: heading_ = heading_level(tree_[i]); break;
            default: break;
        }
    }

    void leave_until(std::uint32_t i) {
        while (!open_.empty() && open_.back().end <= i) {
            const OpenNode node = open_.back();
            open_.pop_back();
            if (node.is_emphasis) inline_.end_emphasis();
            if (node.is_link) inline_.end_link();
            if (node.flow == Flow::inline_text || node.flow == Flow::cell) continue;
            flush();
            switch (node.flow) {
                case Flow::list: lines_.end_list(); break;
                case Flow::item: lines_.end_item(); break;
                case Flow::quote: lines_.end_quote(); break;
                case Flow::heading: heading_ = 0; break;
                default: break;
            }
        }
    }

    std::uint32_t enter_inline(std::uint32_t i) {
        const HtmlNode& node = tree_[i];
        OpenNode open{i, node.end, Flow::inline_text};
        switch (node.element) {
            case Element::em:
            case Element::i:
                open.is_emphasis = true;
                inline_.begin_emphasis("*");
                break;
            case Element::strong:
            case Element::b:
                open.is_emphasis = true;
                inline_.begin_emphasis("**");
                break;
            case Element::del:
            case Element::s:
            case Element::strike:
                open.is_emphasis = true;
                inline_.begin_emphasis("~~");
                break;
            case Element::code:
            case Element::kbd:
            case Element::samp:
            case Element::tt: add_code(i); return node.end;
            case Element::a: open.is_link = begin_link(i); break;
            default: break;
        }
        open_.push_back(open);
        return i + 1;
    }

    bool begin_link(std::uint32_t i) {
        const auto href = tree_.attribute(i, "href");
        if (!href) return false;
        const auto url = link_target(*href, base_);
        if (!url) return false;
        inline_.begin_link(*url, tree_.attribute(i, "title").value_or(""));
        return true;
    }

    void add_code(std::uint32_t i) {
        code_.clear();
        append_kept_text(i, code_);
        inline_.add_code(code_);
    }

    // Pages that load images late have the URL in data-src, and a placeholder in src.
    void add_image(std::uint32_t i) {
        const std::string_view alt = tree_.attribute(i, "alt").value_or("");
        const std::string_view title = tree_.attribute(i, "title").value_or("");
        for (const std::string_view name : {"src", "data-src"}) {
            const auto source = tree_.attribute(i, name);
            if (!source || trim(*source).empty()) continue;
            if (const auto url = link_target(*source, base_)) {
                return inline_.add_image(alt, *url, title);
            }
        }
    }

    void append_kept_text(std::uint32_t i, std::string& out) const {
        for (std::uint32_t k = i; k < tree_[i].end;) {
            const HtmlNode& node = tree_[k];
            const bool is_left_out =
                kept_.drops(k) || (node.is_element() && flow_of(node) == Flow::hidden && k != i);
            if (is_left_out) {
                k = node.end;
                continue;
            }
            if (node.is_text()) out += tree_.text(k);
            if (node.is_html(Element::br)) out += '\n';
            ++k;
        }
    }

    void write_code_block(std::uint32_t i) {
        flush();
        code_.clear();
        append_kept_text(i, code_);
        std::string_view language = code_language(tree_.attribute(i, "class").value_or(""));
        for (std::uint32_t k = i + 1; k < tree_[i].end && language.empty(); ++k) {
            if (!tree_[k].is_html(Element::code)) continue;
            language = code_language(tree_.attribute(k, "class").value_or(""));
            break;
        }
        lines_.write_code(code_, language);
    }

    void begin_list(std::uint32_t i) {
        const bool is_ordered = tree_[i].element == Element::ol;
        bool is_loose = false;
        for (const std::uint32_t item : tree_.children(i)) {
            if (is_loose || !tree_[item].is_html(Element::li)) continue;
            for (const std::uint32_t child : tree_.children(item)) {
                is_loose |= tree_[child].is_html(Element::p);
            }
        }
        lines_.begin_list(is_ordered, first_number(i), is_loose);
    }

    std::uint32_t first_number(std::uint32_t i) const {
        const std::string_view text = trim(tree_.attribute(i, "start").value_or("1"));
        std::uint32_t number = 0;
        for (const char c : text) {
            if (!is_digit(c) || number > 9'999'999) return 1;
            number = number * 10 + static_cast<std::uint32_t>(c - '0');
        }
        return text.empty() ? 1 : number;
    }

    // An item outside of a list is in one of its own.
    void begin_item() { lines_.begin_item(); }

    void flush() {
        if (inline_.is_empty()) return;
        text_.clear();
        if (heading_ > 0) {
            text_.assign(static_cast<std::size_t>(heading_), '#');
            text_ += ' ';
            inline_.write(text_, LinePlace::heading);
        } else {
            inline_.write(text_, LinePlace::paragraph);
        }
        if (heading_ > 0) {
            lines_.write_heading(text_);
        } else {
            lines_.write_paragraph(text_);
        }
    }

    void write_table(std::uint32_t table, const TableShape& shape) {
        const int heading = std::exchange(heading_, 0);
        if (shape.caption != 0) {
            write_cell(shape.caption, text_);
            if (!text_.empty()) lines_.write_paragraph(text_);
        }
        std::string rows;
        std::size_t row_count = 0;
        const auto add_rule = [&] {
            for (std::size_t k = 0; k < shape.column_count; ++k) rows += "| --- ";
            rows += "|\n";
        };
        if (!shape.has_header) {
            for (std::size_t k = 0; k < shape.column_count; ++k) rows += "|  ";
            rows += "|\n";
            add_rule();
        }
        for_each_row(tree_, kept_, table, [&](std::uint32_t row) {
            for (const std::uint32_t cell : tree_.children(row)) {
                if (flow_of(tree_[cell]) != Flow::cell || kept_.drops(cell)) continue;
                write_cell(cell, text_);
                ((rows += "| ") += text_) += ' ';
            }
            rows += "|\n";
            if (row_count++ == 0 && shape.has_header) add_rule();
        });
        if (!rows.empty()) rows.pop_back();
        lines_.write_table(rows);
        heading_ = heading;
    }

    // The content of a cell has only inline elements; table_shape() has seen to that.
    void write_cell(std::uint32_t cell, std::string& text) {
        const std::size_t depth = open_.size();
        for (std::uint32_t i = cell + 1; i < tree_[cell].end;) {
            leave_inline(depth, i);
            const bool is_block = tree_[i].is_element() && flow_of(tree_[i]) == Flow::block;
            if (is_block) inline_.add_space();
            i = is_block && !kept_.drops(i) ? i + 1 : enter(i);
        }
        leave_inline(depth, tree_[cell].end);
        text.clear();
        inline_.write(text, LinePlace::cell);
    }

    void leave_inline(std::size_t depth, std::uint32_t i) {
        while (open_.size() > depth && open_.back().end <= i) {
            if (open_.back().is_emphasis) inline_.end_emphasis();
            if (open_.back().is_link) inline_.end_link();
            open_.pop_back();
        }
    }

    const HtmlTree& tree_;
    const KeptNodes& kept_;
    const web::Url* base_;
    MarkdownLines lines_;
    InlineMarkdown inline_;
    std::vector<OpenNode> open_;
    std::string text_;
    std::string code_;
    int heading_ = 0;
};

}  // namespace

void write_markdown(const HtmlTree& tree, const KeptNodes& kept, const web::Url* base,
                    std::string& out) {
    MarkdownWriter(tree, kept, base, out).write();
}

}  // namespace weft::extract

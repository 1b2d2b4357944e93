#include "extract/text/table_shape.h"

#include "base/bytes.h"

namespace weft::extract {
namespace {

using web::Element;
using web::HtmlTree;

bool spans(const HtmlTree& tree, std::uint32_t cell, std::string_view name) {
    const auto value = tree.attribute(cell, name);
    return value && !trim(*value).empty() && trim(*value) != "1";
}

// Whether a line of Markdown can hold the content: text and at most one paragraph or div.
bool is_line(const HtmlTree& tree, const KeptNodes& kept, std::uint32_t cell) {
    int block_count = 0;
    for (std::uint32_t i = cell + 1; i < tree[cell].end; ++i) {
        if (!tree[i].is_element() || kept.drops(i)) continue;
        switch (flow_of(tree[i])) {
            case Flow::inline_text:
            case Flow::line_break:
            case Flow::image:
            case Flow::hidden: break;
            case Flow::block:
                if (++block_count > 2) return false;
                break;
            default: return false;
        }
    }
    return true;
}

}  // namespace

// A table in a cell ends the search, so that each node is looked at for one table only.
std::optional<TableShape> table_shape(const HtmlTree& tree, const KeptNodes& kept,
                                      std::uint32_t table) {
    for (std::uint32_t i = table + 1; i < tree[table].end; ++i) {
        if (tree[i].is_html(Element::table)) return std::nullopt;
    }
    TableShape shape;
    std::size_t row_count = 0;
    bool is_fit = true;
    for (const std::uint32_t child : tree.children(table)) {
        if (tree[child].is_html(Element::caption) && !kept.drops(child)) shape.caption = child;
    }
    for_each_row(tree, kept, table, [&](std::uint32_t row) {
        std::size_t cell_count = 0;
        bool is_header = true;
        for (const std::uint32_t cell : tree.children(row)) {
            if (flow_of(tree[cell]) != Flow::cell || kept.drops(cell)) continue;
            ++cell_count;
            is_header &= tree[cell].element == Element::th;
            is_fit = is_fit && cell_count <= TableShape::kColumnCountMax &&
                     !spans(tree, cell, "colspan") && !spans(tree, cell, "rowspan") &&
                     is_line(tree, kept, cell);
        }
        if (row_count++ == 0) {
            shape.column_count = cell_count;
            shape.has_header = is_header || tree[tree[row].parent].is_html(Element::thead);
        }
        is_fit &= cell_count == shape.column_count;
    });
    if (!is_fit || row_count < 2 || shape.column_count < 2) return std::nullopt;
    return shape;
}

}  // namespace weft::extract

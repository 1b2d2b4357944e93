#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "extract/kept_nodes.h"
#include "extract/text/flow.h"
#include "web/tree/html_tree.h"

namespace weft::extract {

// A table that Markdown can express.
struct TableShape {
    static constexpr std::size_t kColumnCountMax = 64;

    std::size_t column_count = 0;
    bool has_header = false;    // The first row is one: in thead, or of th only.
    std::uint32_t caption = 0;  // Its node, or 0.
};

// Nothing if rows differ in length, a cell spans others or has blocks in it, or there are less than
// two columns or rows: then the table is mostly there for layout.
std::optional<TableShape> table_shape(const web::HtmlTree& tree, const KeptNodes& kept,
                                      std::uint32_t table);

// Calls `use` with each row of the table, of a table without tables in its cells.
template <class Use>
void for_each_row(const web::HtmlTree& tree, const KeptNodes& kept, std::uint32_t table, Use use) {
    for (std::uint32_t i = table + 1; i < tree[table].end;) {
        if (kept.drops(i)) {
            i = tree[i].end;
            continue;
        }
        const bool is_row = tree[i].is_element() && flow_of(tree[i]) == Flow::row;
        if (is_row) use(i);
        i = is_row ? tree[i].end : i + 1;
    }
}

}  // namespace weft::extract

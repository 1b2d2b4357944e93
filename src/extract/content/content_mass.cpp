#include "extract/content/content_mass.h"

#include <algorithm>

namespace weft::extract {
namespace {

std::uint32_t gain_of(std::uint32_t chars, std::uint32_t links) {
    return chars < kRunCharsMin || links * 2 > chars ? 0 : chars - links;
}

}  // namespace

void ContentMass::measure(const web::HtmlTree& tree, const PageMarks& marks,
                          std::span<const std::uint8_t> dropped) {
    sums_.assign(tree.size(), {});
    const std::uint32_t body = marks.body();
    const std::uint32_t end = tree[body].end;
    std::uint32_t run = 0, run_links = 0, links_end = 0;
    std::uint32_t open = body;   // The deepest open element.
    std::uint32_t block = body;  // The deepest open block: it gets the gain of the run.
    const auto end_run = [&] {
        sums_[block].mass += gain_of(run, run_links);
        run = run_links = 0;
    };
    const auto enclosing_block = [&](std::uint32_t i) {
        while (!marks.has(i, kBlock)) i = tree[i].parent;
        return i;
    };
    for (std::uint32_t i = body + 1;;) {
        while (open != body && tree[open].end <= i) {
            const std::uint32_t closed = open;
            open = tree[open].parent;
            if (closed != block) continue;
            end_run();
            block = enclosing_block(open);
        }
        if (i >= end) break;
        if (dropped[i] != 0 || marks.has(i, kSkipped)) {
            if (marks.has(i, kBlock)) end_run();
            i = tree[i].end;
            continue;
        }
        if (tree[i].is_text()) {
            const std::uint32_t chars = marks.visible(i);
            const std::uint32_t links = i < links_end ? chars : 0;
            sums_[i] = {chars, links, 0};
            run += chars;
            run_links += links;
        } else {
            if (marks.has(i, kBlock)) {
                end_run();
                block = i;
            }
            if (marks.has(i, kLink)) links_end = std::max(links_end, tree[i].end);
            open = i;
        }
        ++i;
    }
    end_run();
    for (std::uint32_t i = end; i-- > body + 1;) {
        Sums& parent = sums_[tree[i].parent];
        parent.chars += sums_[i].chars;
        parent.links += sums_[i].links;
        parent.mass += sums_[i].mass;
    }
}

}  // namespace weft::extract

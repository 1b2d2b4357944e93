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
    const std::uint32_t cards = add_runs(tree, marks, dropped, false);
    // In an article cards are teasers of others. Where they are most of the prose, they are the
    // content.
    if (cards > kCardShare * sums_[marks.body()].mass) add_runs(tree, marks, dropped, true);
}

std::uint32_t ContentMass::add_runs(const web::HtmlTree& tree, const PageMarks& marks,
                                    std::span<const std::uint8_t> dropped, bool counts_cards) {
    sums_.assign(tree.size(), {});
    std::uint32_t cards = 0;
    const std::uint32_t body = marks.body();
    const std::uint32_t end = tree[body].end;
    std::uint32_t run = 0, run_links = 0, link = body, links_end = 0;
    std::uint32_t open = body;   // The deepest open element.
    std::uint32_t block = body;  // The deepest open block: it gets the gain of the run.
    const auto end_run = [&] {
        // A block inside a link is a card, all of which can be clicked. A long text in it is prose.
        if (block > link && run_links == run && run >= kCardRunMin) {
            cards += run;
            if (counts_cards) {
                sums_[block].links -= run_links;
                run_links = 0;
            }
        }
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
            if (marks.has(i, kLink) && i >= links_end) {
                link = i;
                links_end = tree[i].end;
            }
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
    return cards;
}

}  // namespace weft::extract

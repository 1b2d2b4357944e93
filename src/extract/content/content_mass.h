#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "extract/content/page_marks.h"
#include "web/tree/html_tree.h"

namespace weft::extract {

// How much text is in each subtree of a page's body, without dropped and skipped nodes.
//
// A run is the text between two block edges. Its gain is 0 if it is short (a menu, a button) or if
// half of it is in links; else it is its characters outside links. The mass of a subtree is the sum
// of the gains inside: text that somebody wrote to be read.
class ContentMass {
public:
    // REQUIRES: `dropped` has a byte for each node, and the page has a body.
    void measure(const web::HtmlTree& tree, const PageMarks& marks,
                 std::span<const std::uint8_t> dropped);

    std::uint32_t chars(std::size_t i) const { return sums_[i].chars; }
    std::uint32_t links(std::size_t i) const { return sums_[i].links; }
    std::uint32_t mass(std::size_t i) const { return sums_[i].mass; }

    std::size_t memory_bytes() const { return sums_.capacity() * sizeof(Sums); }

private:
    // Returns the characters of long texts in cards.
    std::uint32_t add_runs(const web::HtmlTree& tree, const PageMarks& marks,
                           std::span<const std::uint8_t> dropped, bool counts_cards);

    struct Sums {
        std::uint32_t chars = 0, links = 0, mass = 0;
    };
    std::vector<Sums> sums_;
};

// A run shorter than this is no prose.
inline constexpr std::uint32_t kRunCharsMin = 30;
// A shorter run in a card that is one link is its title.
inline constexpr std::uint32_t kCardRunMin = 80;
inline constexpr double kCardShare = 0.6;

}  // namespace weft::extract

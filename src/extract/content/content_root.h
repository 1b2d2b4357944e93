#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "extract/content/content_mass.h"
#include "extract/content/page_marks.h"
#include "web/tree/html_tree.h"

namespace weft::extract {

// Finds the element that holds the content, among the nodes that are not dropped.
class ContentRoot {
public:
    // REQUIRES: the arguments outlive it, and `mass` is measured with `dropped`.
    ContentRoot(const web::HtmlTree& tree, const PageMarks& marks, const ContentMass& mass,
                std::span<const std::uint8_t> dropped)
        : tree_(tree), marks_(marks), mass_(mass), dropped_(dropped) {}

    // The element that calls itself the article, or the body.
    std::uint32_t start(bool is_forum) const;

    // Follows the child with at least `share` of the mass, or of the characters, down.
    std::uint32_t descend_by_mass(std::uint32_t from, double share) const;
    std::uint32_t descend_by_chars(std::uint32_t from, double share) const;

    // The blocks of prose between the last h1 before `root` and `root`.
    void find_lead(std::uint32_t root, std::vector<std::uint32_t>& blocks) const;

private:
    enum class Kind : std::uint8_t { article_body, pair, article, main, none };

    template <typename Visit>
    void for_each_element(Visit visit) const;
    template <typename Size>
    std::uint32_t descend(std::uint32_t from, double share, Size size) const;
    Kind kind_of(std::uint32_t i) const;
    std::uint32_t first_of_several(bool is_forum) const;
    bool is_gone(std::uint32_t i) const { return dropped_[i] != 0 || marks_.has(i, kSkipped); }

    const web::HtmlTree& tree_;
    const PageMarks& marks_;
    const ContentMass& mass_;
    std::span<const std::uint8_t> dropped_;
};

}  // namespace weft::extract

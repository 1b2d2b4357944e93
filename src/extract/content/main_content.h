#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "extract/content/boilerplate_cut.h"
#include "extract/content/content_mass.h"
#include "extract/content/page_marks.h"
#include "extract/kept_nodes.h"
#include "web/tree/html_tree.h"

namespace weft::extract {

// What the rules know about a page besides its tree.
struct ContentHints {
    std::string_view url = {};
    bool is_forum = false;        // JSON-LD says so.
    bool leaves_captions = true;  // Captions of pictures are left out of plain text.
};

// Finds the main content of a page: the article without menus, sidebars, advertisements and
// comments; of a page that is a list, the list.
//
// The rules, in the order of use:
// 1. Elements that are no content are dropped, each with all that is in it: hidden ones, nav, aside
//    and footer, ARIA roles, small forms and headers, and those with a word such as "sidebar" in
//    class or id. An element with a large part of the page's text stays, because the name is then
//    wrong; so does a word that would drop half of the page in sum, or much of a list. The footer
//    of the page never stays.
// 2. If little prose remains, the page is a list: it is kept whole below the innermost element with
//    most of its text.
// 3. Else the content is the element that calls itself article, or the innermost one with most of
//    the prose. What leads elsewhere is dropped from it: lists of links, "Read more" lines. The
//    paragraphs between the page's heading and it are added: the lead of an article often stands
//    outside its body.
//
// Used by one thread; the buffers are reused.
class MainContent {
public:
    void read(const web::HtmlTree& tree, const ContentHints& hints);

    // Valid until the next read(). Of a page without a body the root is 0.
    KeptNodes kept() const { return {root_, dropped_}; }
    PageKind kind() const { return kind_; }
    // The visible characters of the kept nodes.
    std::uint32_t chars() const { return chars_; }

    std::size_t memory_bytes() const;

private:
    friend class ContentRules;

    PageMarks marks_;
    ContentMass mass_;
    std::vector<std::uint8_t> dropped_;
    std::vector<std::uint8_t> scratch_;
    std::vector<std::uint32_t> added_;
    std::uint32_t root_ = 0;
    std::uint32_t chars_ = 0;
    PageKind kind_ = PageKind::article;
};

}  // namespace weft::extract

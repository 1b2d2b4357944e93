#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "extract/content/content_mass.h"
#include "extract/content/page_marks.h"
#include "extract/extract.h"
#include "web/tree/html_tree.h"

namespace weft::extract {

struct CutOptions {
    bool is_forum = false;        // JSON-LD says so; other signs are looked for here.
    bool leaves_captions = true;  // Captions are dropped, too.
    bool believes_words = true;   // False: the words of class and id are no reason.
    std::string_view url = {};
};

// Drops what is no content, by the names, attributes and sizes of elements: rule 1 of MainContent.
class BoilerplateCut {
public:
    BoilerplateCut(const web::HtmlTree& tree, const PageMarks& marks, const CutOptions& options);

    // REQUIRES: nothing is dropped yet, and `mass` is measured so.
    void drop(const ContentMass& mass, PageKind kind, std::span<std::uint8_t> dropped);

    // Comments are the content of the page: its generator or its data say so.
    bool is_forum() const { return is_forum_; }

private:
    struct WordTotal {
        double mass = 0;
        double chars = 0;                 // Outside menus and the like.
        std::uint32_t counted_until = 0;  // Where the last counted element ends.
        bool is_innocent = false;
    };

    void find_stories(const ContentMass& mass);
    void find_innocent_words(const ContentMass& mass);
    double chars_outside_structure(const ContentMass& mass);
    double comment_share_max() const;
    bool is_structure(const ContentMass& mass, std::uint32_t i) const;
    bool has_bad_word(const ContentMass& mass, PageKind kind, std::uint32_t i);
    bool has_story_elsewhere(const ContentMass& mass, std::uint32_t i) const;
    bool is_in_item(std::uint32_t i) const;
    bool is_page_footer(std::uint32_t i) const;
    // The body and main are never dropped.
    bool is_exempt(std::uint32_t i) const {
        return i == marks_.body() || marks_.has(i, kMainElement);
    }

    const web::HtmlTree& tree_;
    const PageMarks& marks_;
    CutOptions options_;
    bool is_forum_ = false;
    bool has_forum_url_ = false;
    double total_ = 1;
    std::vector<std::uint32_t> stories_;  // Elements that call themselves articles, with prose.
    bool has_story_outside_comments_ = false;
    std::vector<std::uint32_t> structures_;  // The outermost menus, asides and hidden elements.
    std::vector<WordTotal> words_;
    std::size_t next_word_ = 0;  // In marks_.words(); drop() visits the nodes in the same order.
};

// Whether a part of the host or path is a word such as "forum" or "viewtopic".
bool is_forum_url(std::string_view url);

}  // namespace weft::extract

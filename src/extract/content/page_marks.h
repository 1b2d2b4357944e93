#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "extract/content/name_words.h"
#include "web/tree/html_tree.h"

namespace weft::extract {

// What an element is to the rules of main content. Set once a page, from its name and attributes.
enum Mark : std::uint32_t {
    kSkipped = 1U << 0,  // Never read: script, select, svg; so is everything inside.
    kBlock = 1U << 1,    // Text before and after it is in different paragraphs.
    kLink = 1U << 2,
    kHidden = 1U << 3,     // By attribute or inline style.
    kStructure = 1U << 4,  // nav, aside, footer and the like, by name or ARIA role.
    kForm = 1U << 5,
    kHeader = 1U << 6,
    kCaption = 1U << 7,
    kArticle = 1U << 8,
    kMain = 1U << 9,          // By name or role.
    kMainElement = 1U << 10,  // By name.
    kPair = 1U << 11,  // "entry-content" and the like, on an element that may hold an article.
    kArticleBody = 1U << 12,  // itemprop=articleBody.
    kHeading1 = 1U << 13,
    kNoRoot = 1U << 14,  // Too small a thing to be the whole content: p, li, table.
    kBox = 1U << 15,     // May be a list of links.
    kLine = 1U << 16,    // May be a line such as "Read more: ...".
    kParagraph = 1U << 17,
    kMayHoldPair = 1U << 18,
    kItem = 1U << 19,         // article or li.
    kBreak = 1U << 20,        // br.
    kHasComment = 1U << 21,   // A kCommentWord in its names.
    kHasGoodWord = 1U << 22,  // A kGoodWord.
};

struct WordOfNode {
    std::uint32_t node;
    NameWord word;
};

// The marks and the numbers of visible characters of a page's nodes.
class PageMarks {
public:
    // Buffers are reused. The tree must outlive the marks.
    void read(const web::HtmlTree& tree);

    std::uint32_t body() const { return body_; }
    bool has(std::size_t i, std::uint32_t marks) const { return (marks_[i] & marks) != 0; }
    // Of a text node: its characters without white space. Of other nodes 0.
    std::uint32_t visible(std::size_t i) const { return visible_[i]; }
    // In document order.
    const std::vector<WordOfNode>& words() const { return words_; }
    const std::vector<std::uint32_t>& headings() const { return headings_; }
    bool has_heading(std::uint32_t begin, std::uint32_t end) const;
    // An h1, a main or an article element.
    bool has_landmark(std::uint32_t begin, std::uint32_t end) const;

    // The page says that it is a forum or a question with answers: by its generator or by the
    // itemtype of an element.
    bool is_forum() const { return is_forum_; }

    std::size_t memory_bytes() const;

private:
    void mark_element(const web::HtmlTree& tree, std::uint32_t i);
    void look_for_forum(const web::HtmlTree& tree, std::uint32_t i);

    std::uint32_t body_ = 0;
    bool is_forum_ = false;
    std::vector<std::uint32_t> marks_;
    std::vector<std::uint32_t> visible_;
    std::vector<WordOfNode> words_;
    std::vector<std::uint32_t> headings_;
    std::vector<std::uint32_t> landmarks_;
    std::vector<NameWord> found_;
};

// The number of characters that are not white space.
std::uint32_t count_visible(std::string_view text);

// Whether a schema.org type, such as "QAPage", is that of a forum.
bool is_forum_type(std::string_view type);

}  // namespace weft::extract

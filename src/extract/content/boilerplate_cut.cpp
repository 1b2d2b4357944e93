#include "extract/content/boilerplate_cut.h"

#include <algorithm>

#include "base/bytes.h"

namespace weft::extract {
namespace {

// An element with this share of the page's prose is content, whatever it is called.
constexpr double kLargeShare = 0.4;
// A word that would drop this share of the prose in sum means something else on this page.
constexpr double kInnocentShare = 0.5;
// A word of lists ("carousel", "caption") that would drop this share of all visible characters is
// the name of the list that the page is about. Its items may be too short to be prose.
constexpr double kListShareOfChars = 0.3;
constexpr std::uint32_t kStoryMassMin = 300;
constexpr std::size_t kStoriesMax = 64;
constexpr std::uint32_t kFormMassMin = 200;
constexpr std::uint32_t kHeaderMassMin = 60;
constexpr std::uint32_t kWeakWordMassMax = 200;

}  // namespace

bool is_forum_url(std::string_view url) {
    constexpr std::string_view kWords[] = {
        "forum",       "forums",     "thread",    "threads",    "topic",       "topics",
        "viewtopic",   "showthread", "discuss",   "discussion", "discussions", "community",
        "communities", "question",   "questions", "answers",    "board",       "boards",
        "ask",         "t",          "r",         "comments",   "item"};
    const std::size_t scheme = url.find("://");
    if (scheme != url.npos) url.remove_prefix(scheme + 3);
    while (!url.empty()) {
        const std::string_view part = url.substr(0, url.find_first_of("/.-_?"));
        if (std::ranges::any_of(kWords, [&](auto word) { return equals_ignore_case(part, word); }))
            return true;
        url.remove_prefix(std::min(url.size(), part.size() + 1));
    }
    return false;
}

BoilerplateCut::BoilerplateCut(const web::HtmlTree& tree, const PageMarks& marks,
                               const CutOptions& options)
    : tree_(tree),
      marks_(marks),
      options_(options),
      is_forum_(options.is_forum || marks.is_forum()),
      has_forum_url_(is_forum_url(options.url)),
      words_(name_word_count()) {}

void BoilerplateCut::drop(const ContentMass& mass, PageKind kind, std::span<std::uint8_t> dropped) {
    const std::uint32_t body = marks_.body();
    total_ = std::max(1U, mass.mass(body));
    find_stories(mass);
    find_innocent_words(mass);
    next_word_ = 0;
    for (std::uint32_t i = body + 1; i < tree_[body].end;) {
        if (marks_.has(i, kSkipped)) {
            i = tree_[i].end;
            continue;
        }
        if (tree_[i].is_element() && !is_exempt(i)) {
            const bool is_large = mass.mass(i) >= kLargeShare * total_;
            dropped[i] = (is_structure(mass, i) &&
                          (!is_large || is_page_footer(i) || has_story_elsewhere(mass, i))) ||
                         (options_.leaves_captions && marks_.has(i, kCaption)) ||
                         (options_.believes_words && has_bad_word(mass, kind, i));
        }
        i = dropped[i] != 0 ? tree_[i].end : i + 1;
    }
}

void BoilerplateCut::find_stories(const ContentMass& mass) {
    const std::uint32_t body = marks_.body();
    stories_.clear();
    has_story_outside_comments_ = false;
    std::uint32_t comments_end = 0;
    for (std::uint32_t i = body + 1; i < tree_[body].end && stories_.size() < kStoriesMax;) {
        if (marks_.has(i, kSkipped | kHidden | kStructure)) {
            i = tree_[i].end;
            continue;
        }
        if (marks_.has(i, kHasComment) && !is_exempt(i))
            comments_end = std::max(comments_end, tree_[i].end);
        if (marks_.has(i, kArticleBody | kPair | kArticle) && mass.mass(i) >= kStoryMassMin) {
            stories_.push_back(i);
            has_story_outside_comments_ |= i >= comments_end;
        }
        ++i;
    }
}

// A blog's comments may be longer than the article above them, so they count as content only if
// they are nearly everything, or if the page looks like a forum.
double BoilerplateCut::comment_share_max() const {
    if (is_forum_) return 0.3;
    return has_forum_url_ && !has_story_outside_comments_ ? 0.5 : 0.93;
}

void BoilerplateCut::find_innocent_words(const ContentMass& mass) {
    std::ranges::fill(words_, WordTotal{});
    const double chars_max = kListShareOfChars * chars_outside_structure(mass);
    std::uint32_t structure_end = 0;
    std::size_t next_structure = 0;
    for (const auto& [node, word] : marks_.words()) {
        for (; next_structure < structures_.size() && structures_[next_structure] <= node;
             ++next_structure)
            structure_end = tree_[structures_[next_structure]].end;
        WordTotal& total = words_[word];
        if (is_exempt(node) || node < total.counted_until) continue;
        total.counted_until = tree_[node].end;
        total.mass += mass.mass(node);
        if (node >= structure_end) total.chars += mass.chars(node);
    }
    bool has_innocent_comments = false;
    for (NameWord word = 0; word < words_.size(); ++word) {
        const bool is_comment = (name_word_kinds(word) & kCommentWord) != 0;
        const double share = is_comment ? comment_share_max() : kInnocentShare;
        words_[word].is_innocent = words_[word].mass >= share * total_;
        if ((name_word_kinds(word) & kListWord) != 0)
            words_[word].is_innocent |= words_[word].chars >= chars_max;
        has_innocent_comments |= is_comment && words_[word].is_innocent;
    }
    if (!has_innocent_comments) return;
    for (NameWord word = 0; word < words_.size(); ++word) {
        if ((name_word_kinds(word) & kCommentWord) != 0) words_[word].is_innocent = true;
    }
}

// Also notes where in the page the menus and the like are, for find_innocent_words().
double BoilerplateCut::chars_outside_structure(const ContentMass& mass) {
    const std::uint32_t body = marks_.body();
    double chars = mass.chars(body);
    structures_.clear();
    for (std::uint32_t i = body + 1; i < tree_[body].end;) {
        const bool is_left_out = marks_.has(i, kSkipped | kHidden | kStructure);
        if (is_left_out) {
            chars -= mass.chars(i);
            structures_.push_back(i);
        }
        i = is_left_out ? tree_[i].end : i + 1;
    }
    return chars;
}

bool BoilerplateCut::is_structure(const ContentMass& mass, std::uint32_t i) const {
    if (marks_.has(i, kHidden | kStructure)) return true;
    if (marks_.has(i, kForm)) return mass.mass(i) < kFormMassMin;
    return marks_.has(i, kHeader) && mass.mass(i) < kHeaderMassMin &&
           !marks_.has_heading(i, tree_[i].end) && !is_in_item(i);
}

// The header of an item in a list is a part of the item.
bool BoilerplateCut::is_in_item(std::uint32_t i) const {
    for (std::uint32_t up = tree_[i].parent; up > marks_.body(); up = tree_[up].parent) {
        if (marks_.has(up, kItem)) return true;
    }
    return false;
}

// The footer of the page, and not of an article in it. However much text it has, it is not content.
bool BoilerplateCut::is_page_footer(std::uint32_t i) const {
    if (!tree_[i].is_html(web::Element::footer)) return false;
    for (std::uint32_t up = tree_[i].parent; up > marks_.body(); up = tree_[up].parent) {
        if (marks_.has(up, kItem | kMain)) return false;
    }
    // What is never closed may hold the rest of the page.
    return !marks_.has_landmark(i, tree_[i].end);
}

// An aside may be longer than a short article, and is still no part of it.
bool BoilerplateCut::has_story_elsewhere(const ContentMass& mass, std::uint32_t i) const {
    bool has_other = false;
    for (const std::uint32_t story : stories_) {
        if (story >= i && story < tree_[i].end) return false;
        const bool is_inside = i > story && i < tree_[story].end;
        has_other |= !is_inside || mass.mass(story) - mass.mass(i) >= kStoryMassMin;
    }
    return has_other;
}

bool BoilerplateCut::has_bad_word(const ContentMass& mass, PageKind kind, std::uint32_t i) {
    const auto& words = marks_.words();
    while (next_word_ < words.size() && words[next_word_].node < i) ++next_word_;
    for (; next_word_ < words.size() && words[next_word_].node == i; ++next_word_) {
        const NameWord word = words[next_word_].word;
        const std::uint8_t kinds = name_word_kinds(word);
        if (words_[word].is_innocent) continue;
        if (kind == PageKind::list && (kinds & kListWord) != 0) continue;
        const bool may_be_content = mass.mass(i) > kWeakWordMassMax && marks_.has(i, kHasGoodWord);
        if ((kinds & kWeakWord) != 0 && may_be_content) continue;
        if ((kinds & kCaptionWord) != 0 && (may_be_content || !options_.leaves_captions)) continue;
        return (kinds & kCommentWord) != 0 || mass.mass(i) < kLargeShare * total_;
    }
    return false;
}

}  // namespace weft::extract

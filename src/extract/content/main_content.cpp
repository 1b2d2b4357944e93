#include "extract/content/main_content.h"

#include <algorithm>

#include "extract/content/boilerplate_cut.h"
#include "extract/content/content_root.h"
#include "extract/content/lead_line.h"

namespace weft::extract {
namespace {

// Below this the page is no article, and below it again the words of names are not believed.
constexpr std::uint32_t kArticleMassMin = 250;
constexpr std::uint32_t kResultCharsMin = 130;
// An article has this share of its characters in prose; a page with less is a list,
constexpr double kProseShare = 0.3;
// unless a part of it is clearly an article: this much prose, in an element that says so or that is
// large.
constexpr double kStoryShare = 0.5;
constexpr std::uint32_t kLargeStory = 1000;
constexpr double kRootShare = 0.75;
constexpr double kListShare = 0.85;

// Lists, boxes and tables that are mostly links, and lines that lead elsewhere.
class Sweep {
public:
    Sweep(const web::HtmlTree& tree, const PageMarks& marks, const ContentMass& mass)
        : tree_(tree), marks_(marks), mass_(mass) {}

    void run(std::uint32_t root, std::vector<std::uint8_t>& dropped) const {
        for (std::uint32_t i = root + 1; i < tree_[root].end;) {
            const bool is_gone = dropped[i] != 0 || marks_.has(i, kSkipped);
            if (!is_gone && tree_[i].is_element() && is_debris(i)) dropped[i] = 1;
            i = is_gone || dropped[i] != 0 ? tree_[i].end : i + 1;
        }
    }

private:
    bool is_debris(std::uint32_t i) const {
        const double chars = mass_.chars(i);
        if (chars == 0 || !marks_.has(i, kBlock)) return false;
        const double share = mass_.links(i) / chars;
        if (marks_.has(i, kBox) && share > 0.66 && mass_.mass(i) < 80) return true;
        if (marks_.has(i, kParagraph) && share > 0.8 && chars < 120) return true;
        return marks_.has(i, kLine) && chars < 160 && (share > 0.3 || chars < 40) &&
               is_lead_line(tree_, i);
    }

    const web::HtmlTree& tree_;
    const PageMarks& marks_;
    const ContentMass& mass_;
};

}  // namespace

// One page's way through the rules.
class ContentRules {
public:
    ContentRules(const web::HtmlTree& tree, const ContentHints& hints, MainContent& out)
        : tree_(tree), hints_(hints), out_(out) {}

    void run() {
        for (const bool believes_words : {true, false}) {
            choose(believes_words);
            if (out_.chars_ >= kResultCharsMin) return;
        }
    }

private:
    ContentRoot root_finder() const { return {tree_, out_.marks_, out_.mass_, out_.dropped_}; }

    void choose(bool believes_words) {
        BoilerplateCut cut(tree_, out_.marks_,
                           {.is_forum = hints_.is_forum,
                            .leaves_captions = hints_.leaves_captions,
                            .believes_words = believes_words,
                            .url = hints_.url});
        drop(cut, PageKind::article);
        out_.kind_ = is_list(cut.is_forum()) ? PageKind::list : PageKind::article;
        if (out_.kind_ == PageKind::list) {
            drop(cut, PageKind::list);
            out_.root_ = root_finder().descend_by_chars(out_.marks_.body(), kListShare);
            out_.chars_ = out_.mass_.chars(out_.root_);
            return;
        }
        ContentRoot finder = root_finder();
        out_.root_ = finder.descend_by_mass(finder.start(cut.is_forum()), kRootShare);
        const std::uint32_t article = out_.root_;
        Sweep(tree_, out_.marks_, out_.mass_).run(article, out_.dropped_);
        finder.find_lead(article, out_.added_);
        add_beside();
        out_.chars_ = out_.mass_.chars(article);
    }

    void drop(BoilerplateCut& cut, PageKind kind) {
        out_.dropped_.assign(tree_.size(), 0);
        out_.mass_.measure(tree_, out_.marks_, out_.dropped_);
        cut.drop(out_.mass_, kind, out_.dropped_);
        out_.mass_.measure(tree_, out_.marks_, out_.dropped_);
    }

    bool is_list(bool is_forum) const {
        const std::uint32_t body = out_.marks_.body();
        const ContentMass& mass = out_.mass_;
        if (mass.mass(body) < kArticleMassMin) return true;
        if (mass.mass(body) >= kProseShare * mass.chars(body)) return false;
        ContentRoot finder = root_finder();
        const std::uint32_t start = finder.start(is_forum);
        const std::uint32_t root = finder.descend_by_mass(start, kRootShare);
        const bool is_story = (start != body || mass.mass(root) >= kLargeStory) &&
                              mass.mass(root) >= kArticleMassMin &&
                              mass.mass(root) >= kStoryShare * mass.chars(root);
        return !is_story;
    }

    // Adds blocks outside the root: the root becomes the element around all of them, and the rest
    // of it is dropped.
    void add_beside() {
        if (out_.added_.empty()) return;
        std::uint32_t around = out_.root_;
        for (const std::uint32_t block : out_.added_) {
            while (block < around || block >= tree_[around].end) around = tree_[around].parent;
        }
        enum : std::uint8_t { nothing, way, whole };
        out_.scratch_.assign(tree_.size(), nothing);
        const auto keep = [&](std::uint32_t node) {
            for (std::uint32_t up = tree_[node].parent;
                 up != around && out_.scratch_[up] == nothing; up = tree_[up].parent) {
                out_.scratch_[up] = way;
            }
            out_.scratch_[node] = whole;
        };
        for (const std::uint32_t block : out_.added_) keep(block);
        if (around != out_.root_) keep(out_.root_);
        for (std::uint32_t i = around + 1; i < tree_[around].end;) {
            if (out_.scratch_[i] == nothing) out_.dropped_[i] = 1;
            i = out_.scratch_[i] == way ? i + 1 : tree_[i].end;
        }
        out_.root_ = around;
    }

    const web::HtmlTree& tree_;
    const ContentHints& hints_;
    MainContent& out_;
};

void MainContent::read(const web::HtmlTree& tree, const ContentHints& hints) {
    marks_.read(tree);
    root_ = chars_ = 0;
    kind_ = PageKind::list;
    dropped_.assign(tree.size(), 0);
    if (marks_.body() != 0) ContentRules(tree, hints, *this).run();
}

std::size_t MainContent::memory_bytes() const {
    return marks_.memory_bytes() + mass_.memory_bytes() + dropped_.capacity() +
           scratch_.capacity() + added_.capacity() * sizeof(added_[0]);
}

}  // namespace weft::extract

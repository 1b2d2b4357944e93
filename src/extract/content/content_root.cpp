#include "extract/content/content_root.h"

#include <algorithm>
#include <array>

namespace weft::extract {
namespace {

constexpr std::uint32_t kArticleElementMassMin = 300;
constexpr double kCandidateShare = 0.25;
constexpr double kStartShare = 0.4;
constexpr std::uint32_t kLeadRunMin = 60;

}  // namespace

template <typename Visit>
void ContentRoot::for_each_element(Visit visit) const {
    const std::uint32_t body = marks_.body();
    for (std::uint32_t i = body; i < tree_[body].end;) {
        if (i != body && is_gone(i)) {
            i = tree_[i].end;
            continue;
        }
        if (tree_[i].is_element()) visit(i);
        ++i;
    }
}

ContentRoot::Kind ContentRoot::kind_of(std::uint32_t i) const {
    if (marks_.has(i, kArticleBody)) return Kind::article_body;
    if (marks_.has(i, kPair)) return Kind::pair;
    if (marks_.has(i, kArticle)) return Kind::article;
    return marks_.has(i, kMain) ? Kind::main : Kind::none;
}

// Of several article elements the first is the page's article if only it has the h1; the others are
// teasers then. In a forum they are the posts. 0 if there is no such element.
std::uint32_t ContentRoot::first_of_several(bool is_forum) const {
    if (is_forum) return 0;
    std::array<std::uint32_t, 2> found{};
    std::size_t count = 0;
    std::uint32_t end = 0;
    for_each_element([&](std::uint32_t i) {
        if (i < end || !marks_.has(i, kArticle) || mass_.mass(i) < kArticleElementMassMin) return;
        if (count < found.size()) found[count] = i;
        ++count;
        end = tree_[i].end;
    });
    if (count < 2 || !marks_.has_heading(found[0], tree_[found[0]].end)) return 0;
    return marks_.has_heading(found[1], tree_[found[1]].end) ? 0 : found[0];
}

std::uint32_t ContentRoot::start(bool is_forum) const {
    if (const std::uint32_t first = first_of_several(is_forum)) return first;
    struct Found {
        std::uint32_t first = 0, count = 0, end = 0;
    };
    const std::uint32_t body = marks_.body();
    std::array<Found, 4> kinds{};
    for_each_element([&](std::uint32_t i) {
        if (mass_.mass(i) < kCandidateShare * mass_.mass(body)) return;
        const Kind kind = kind_of(i);
        if (kind == Kind::none) return;
        Found& found = kinds[static_cast<std::size_t>(kind)];
        if (i < found.end) return;
        if (found.count++ == 0) found.first = i;
        found.end = tree_[i].end;
    });
    for (const Found& found : kinds) {
        if (found.count != 1) continue;
        return mass_.mass(found.first) >= kStartShare * mass_.mass(body) ? found.first : body;
    }
    return body;
}

template <typename Size>
std::uint32_t ContentRoot::descend(std::uint32_t from, double share, Size size) const {
    while (true) {
        std::uint32_t best = 0;
        for (const std::uint32_t child : tree_.children(from)) {
            if (!tree_[child].is_element() || is_gone(child)) continue;
            if (best == 0 || size(child) > size(best)) best = child;
        }
        if (best == 0 || size(best) == 0 || marks_.has(best, kNoRoot)) return from;
        if (size(best) < share * size(from)) return from;
        from = best;
    }
}

std::uint32_t ContentRoot::descend_by_mass(std::uint32_t from, double share) const {
    return descend(from, share, [&](std::uint32_t i) { return mass_.mass(i); });
}

std::uint32_t ContentRoot::descend_by_chars(std::uint32_t from, double share) const {
    return descend(from, share, [&](std::uint32_t i) { return mass_.chars(i); });
}

void ContentRoot::find_lead(std::uint32_t root, std::vector<std::uint32_t>& blocks) const {
    blocks.clear();
    const auto& headings = marks_.headings();
    const auto after = std::ranges::lower_bound(headings, root);
    if (after == headings.begin() || tree_[*(after - 1)].end > root) return;
    const std::uint32_t heading = *(after - 1);
    std::uint32_t block = 0, run = 0, run_links = 0, total = 0;
    const auto end_run = [&] {
        const bool holds_root = block <= root && root < tree_[block].end;
        if (run >= kLeadRunMin && run_links * 2 <= run && !holds_root && block > heading) {
            blocks.push_back(block);
            total += run;
        }
        run = run_links = 0;
    };
    for (std::uint32_t i = tree_[heading].end; i < root;) {
        if (is_gone(i)) {
            if (marks_.has(i, kBlock)) end_run();
            i = tree_[i].end;
            continue;
        }
        if (tree_[i].is_text()) {
            std::uint32_t around = tree_[i].parent;
            while (!marks_.has(around, kBlock)) around = tree_[around].parent;
            if (around != block) end_run();
            block = around;
            run += mass_.chars(i);
            run_links += mass_.links(i);
        } else if (marks_.has(i, kBlock)) {
            end_run();
        }
        ++i;
    }
    end_run();
    // More text than the article itself is no lead.
    if (total > mass_.mass(root)) blocks.clear();
}

}  // namespace weft::extract

#include "cli/options/nearest.h"

#include <algorithm>

namespace weft::cli {
namespace {

// The Levenshtein distance: letters to insert, delete or replace.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = above;
        }
    }
    return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& words) {
    std::string best;
    // A third of the letters may differ, and two in a short word.
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (const std::string& each : words) {
        const std::size_t d = distance(word, each);
        if (d >= best_distance) continue;
        best_distance = d;
        best = each;
    }
    return best;
}

std::string hint_at(std::string_view word, const std::vector<std::string>& words) {
    const std::string meant = nearest(word, words);
    return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

}  // namespace weft::cli

#include "demo/server/prose.h"

#include <array>

#include <fmt/format.h>

#include "base/bytes.h"

namespace weft::demo {

namespace {

using Words = std::array<std::string_view, 24>;

constexpr Words kNouns = {"shuttle",  "warp",    "selvedge", "heddle",   "bobbin", "loom",
                          "treadle",  "spindle", "fleece",   "dye bath", "twill",  "reed",
                          "tapestry", "skein",   "madder",   "indigo",   "flax",   "damask",
                          "pattern",  "weaver",  "yarn",     "border",   "thread", "workshop"};
constexpr Words kAdjectives = {"patient", "narrow",  "blue",    "quiet",  "uneven", "northern",
                               "early",   "woollen", "slow",    "double", "plain",  "borrowed",
                               "hidden",  "broken",  "earthen", "bright", "long",   "second",
                               "coarse",  "fine",    "winter",  "old",    "silver", "open"};
constexpr Words kVerbs = {"follows",  "carries", "holds",    "crosses",  "meets",    "hides",
                          "answers",  "colours", "lifts",    "repeats",  "outlasts", "remembers",
                          "covers",   "divides", "tightens", "guides",   "borrows",  "softens",
                          "measures", "joins",   "turns",    "replaces", "leads",    "binds"};
constexpr Words kEndings = {
    "before noon",           "in every village", "without a knot",    "as the river does",
    "twice a year",          "under lamplight",  "from edge to edge", "at the fair",
    "after the first frost", "by hand",          "row upon row",      "in the old manner",
    "on the third floor",    "with some care",   "for a season",      "at no cost",
    "in plain sight",        "since the flood",  "against the grain", "out of habit",
    "to this day",           "by the yard",      "one end at a time", "without hurry"};

}  // namespace

Prose::Prose(std::uint64_t seed) : random_(seed) {}

std::string Prose::title() {
    return fmt::format("The {} {}", pick(kAdjectives), pick(kNouns));
}

std::string Prose::sentence() {
    const std::string_view noun = pick(kNouns);
    const std::string_view verb = pick(kVerbs);
    const std::string_view other = pick(kNouns);
    const std::string_view ending = pick(kEndings);
    switch (random_.below(4)) {
        case 0: return fmt::format("The {} {} the {} {}.", noun, verb, other, ending);
        case 1:
            return fmt::format("A {} {} {} the {} {}.", pick(kAdjectives), noun, verb, other,
                               ending);
        case 2:
            return fmt::format("Where the {} {} the {}, no {} is missed.", noun, verb, other,
                               pick(kNouns));
        default:
            return fmt::format("It is said that the {} {} the {} {} {}.", noun, verb,
                               pick(kAdjectives), other, ending);
    }
}

std::string Prose::paragraph() {
    std::string text;
    const std::uint64_t count = 3 + random_.below(5);
    for (std::uint64_t i = 0; i < count; ++i) {
        if (i > 0) text += ' ';
        text += sentence();
    }
    return text;
}

std::string_view Prose::pick(std::span<const std::string_view> words) {
    return words[random_.below(words.size())];
}

std::string slug_of(std::string_view title) {
    std::string slug = to_lower(title);
    for (char& c : slug) {
        if (!is_alnum(c)) c = '-';
    }
    return slug;
}

}  // namespace weft::demo

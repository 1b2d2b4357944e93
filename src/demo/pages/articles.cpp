#include <array>

#include <fmt/format.h>

#include "base/hash.h"
#include "base/random.h"
#include "demo/server/number.h"
#include "demo/server/page.h"
#include "demo/server/prose.h"
#include "demo/server/site_parts.h"

// Article `i` belongs to section `i % 6` and is number `i / 6` in it. The front page of a section
// links to its first ten articles. Article k of a section links to the eight from 10 + 8k on. This
// tree is shallow and reaches every article, however many there are.
namespace weft::demo {

namespace {

constexpr std::array<std::string_view, 6> kSections = {"looms",    "fibres",  "dyes",
                                                       "patterns", "history", "workshops"};
constexpr unsigned kSectionCount = kSections.size();
constexpr unsigned kFrontCount = 10;
constexpr unsigned kChildCount = 8;
constexpr unsigned kImageCount = 24;

// One article in this many has a broken link, or a link that redirects.
constexpr unsigned kBrokenEvery = 41;
constexpr unsigned kMovedEvery = 37;

std::string article_title(const Options& options, unsigned index) {
    return Prose(hash64(fmt::format("article {}", index), options.seed)).title();
}

// A link to another article, as different authors would spell it.
std::string natural_spelling(const DemoPlace& place, std::string_view target,
                             std::uint64_t choice) {
    switch (choice % 5) {
        case 0: return fmt::format("..{}", target);
        case 1: return fmt::format("{}#notes", target);
        case 2: return fmt::format("{}{}", place.origin(), target);
        case 3: return fmt::format("./..{}", target);
        default: return std::string(target);
    }
}

void link_children(const DemoPlace& place, PageWriter& page, unsigned section, unsigned first,
                   unsigned count) {
    for (unsigned k = first; k < first + count; ++k) {
        const std::uint64_t index = std::uint64_t{k} * kSectionCount + section;
        if (index >= place.options->page_count) return;
        const auto i = static_cast<unsigned>(index);
        page.link(article_path(*place.options, i), article_title(*place.options, i));
    }
}

Document article(const DemoPlace& place, unsigned index) {
    const Options& options = *place.options;
    Random random(hash64(fmt::format("links {}", index), options.seed));
    PageWriter page(place, article_title(options, index));
    page.image(fmt::format("/images/weave-{}.png", random.below(kImageCount)), "A sample");
    page.prose(static_cast<unsigned>(3 + random.below(4)));

    page.markup("<h2 id=\"notes\">Notes</h2>\n");
    for (int i = 0; i < 3; ++i) {
        const auto other = static_cast<unsigned>(random.below(options.page_count));
        const std::string target = article_path(options, other);
        page.link_as(natural_spelling(place, target, random()), target,
                     article_title(options, other));
    }
    if (index % kBrokenEvery == 7) page.link(fmt::format("/lost/{}.html", index), "A lost source");
    if (index % kMovedEvery == 5) page.link(fmt::format("/old/{}", index), "At its old address");

    page.heading("Read on");
    const unsigned k = index / kSectionCount;
    link_children(place, page, index % kSectionCount, kFrontCount + kChildCount * k, kChildCount);
    return page.finish();
}

Document section_front(const DemoPlace& place, unsigned section) {
    std::string title(kSections[section]);
    title[0] = static_cast<char>(title[0] - 32);
    PageWriter page(place, title);
    page.prose(1);
    link_children(place, page, section, 0, kFrontCount);
    return page.finish();
}

Document home(const DemoPlace& place) {
    PageWriter page(place, "Front page");
    page.image("/images/logo.svg", "The gazette's mark");
    page.text(
        "A generated web for crawlers to practise on. Every page here is true to its description.");
    page.prose(2);
    page.heading("Today");
    for (unsigned i = 0; i < 6 && i < place.options->page_count; ++i) {
        page.link(article_path(*place.options, i), article_title(*place.options, i));
    }
    if (place.options->hostile) page.link("/hostile/", "The rough house");
    return page.finish();
}

}  // namespace

std::string article_path(const Options& options, unsigned index) {
    return fmt::format("/{}/{}-{}.html", kSections[index % kSectionCount],
                       slug_of(article_title(options, index)), index);
}

std::optional<Document> articles(const DemoPlace& place) {
    if (!place.query.empty()) return std::nullopt;
    if (place.path == "/") return home(place);
    for (unsigned section = 0; section < kSectionCount; ++section) {
        if (place.path == fmt::format("/{}/", kSections[section])) {
            return section_front(place, section);
        }
    }
    const Options& options = *place.options;
    if (const auto index = number_between(place.path, "/old/", "")) {
        if (*index >= options.page_count || *index % kMovedEvery != 5) return std::nullopt;
        const std::string target = article_path(options, *index);
        return redirect(301, target, target);
    }
    // "/looms/the-patient-shuttle-42.html": the number is behind the last hyphen.
    const std::string_view prefix(place.path.data(), place.path.rfind('-') + 1);
    const auto index = number_between(place.path, prefix, ".html");
    if (!index || *index >= options.page_count) return std::nullopt;
    // The number alone is not enough: each article has exactly one URL.
    if (place.path != article_path(options, *index)) return std::nullopt;
    return article(place, *index);
}

}  // namespace weft::demo

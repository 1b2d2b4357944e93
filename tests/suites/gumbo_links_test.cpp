#include <map>
#include <string>
#include <vector>

#include <gumbo.h>

#include "suites/conformance.h"
#include "web/html/html.h"

// A second opinion on the links of all real pages: gumbo, an HTML parser that is not ours. It is
// older than today's standard, so it counts as no suite, but on real pages the two see the same.
namespace weft::web {
namespace {

using Bag = std::map<std::string, int>;

struct Place {
    GumboTag tag;
    const char* element;
    const char* attribute;
};

constexpr Place kPlaces[] = {
    {GUMBO_TAG_A, "a", "href"},          {GUMBO_TAG_AREA, "area", "href"},
    {GUMBO_TAG_LINK, "link", "href"},    {GUMBO_TAG_IMG, "img", "src"},
    {GUMBO_TAG_SCRIPT, "script", "src"}, {GUMBO_TAG_IFRAME, "iframe", "src"},
    {GUMBO_TAG_FRAME, "frame", "src"},   {GUMBO_TAG_FORM, "form", "action"},
    {GUMBO_TAG_INPUT, "input", "src"},   {GUMBO_TAG_OBJECT, "object", "data"},
    {GUMBO_TAG_EMBED, "embed", "src"},   {GUMBO_TAG_SOURCE, "source", "src"},
    {GUMBO_TAG_VIDEO, "video", "src"},   {GUMBO_TAG_BLOCKQUOTE, "blockquote", "cite"},
};

bool is_kept(const Place& place, std::string_view value) {
    const bool may_be_empty = place.tag == GUMBO_TAG_A || place.tag == GUMBO_TAG_AREA;
    return may_be_empty || value.find_first_not_of(" \t\n\f\r") != std::string_view::npos;
}

void add_links(const GumboElement& element, Bag& bag) {
    if (element.tag_namespace != GUMBO_NAMESPACE_HTML) return;
    for (const Place& place : kPlaces) {
        if (place.tag != element.tag) continue;
        const GumboAttribute* found = gumbo_get_attribute(&element.attributes, place.attribute);
        if (found && is_kept(place, found->value)) {
            ++bag[std::string(place.element) + " " + place.attribute + " " + found->value];
        }
    }
}

Bag links_by_gumbo(const std::string& html) {
    Bag bag;
    GumboOutput* output = gumbo_parse_with_options(&kGumboDefaultOptions, html.data(), html.size());
    std::vector<const GumboNode*> nodes{output->document};
    while (!nodes.empty()) {
        const GumboNode* node = nodes.back();
        nodes.pop_back();
        const GumboVector* children = nullptr;
        if (node->type == GUMBO_NODE_DOCUMENT) {
            children = &node->v.document.children;
        } else if (node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE) {
            add_links(node->v.element, bag);
            children = &node->v.element.children;
        }
        for (unsigned i = 0; children && i < children->length; ++i) {
            nodes.push_back(static_cast<const GumboNode*>(children->data[i]));
        }
    }
    gumbo_destroy_output(&kGumboDefaultOptions, output);
    return bag;
}

bool is_compared(const HtmlLink& link) {
    return std::ranges::any_of(kPlaces, [&](const Place& place) {
        return link.element == place.element && link.attribute == place.attribute;
    });
}

TEST(GumboLinks, OfRealPagesAreOurs) {
    WEFT_NEEDS_SUITE("pages");
    int link_count = 0;
    const auto folder = suites::conformance_dir() / "pages" / "html";
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        const std::string html = suites::read_gzip(entry.path());
        Bag links = links_by_gumbo(html);
        for (const HtmlLink& link : read_html(html).links) {
            if (!is_compared(link)) continue;
            ++link_count;
            --links[std::string(link.element) + " " + std::string(link.attribute) + " " +
                    std::string(link.value)];
        }
        int different = 0;
        std::string which;
        for (const auto& [text, count] : links) {
            if (count == 0) continue;
            ++different;
            which += (count > 0 ? "\n  gumbo only: " : "\n  ours only: ") + text.substr(0, 200);
        }
        EXPECT_EQ(different, 0) << entry.path().filename() << which;
    }
    EXPECT_GT(link_count, 10'000);
}

}  // namespace
}  // namespace weft::web

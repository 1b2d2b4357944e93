#include "web/html/html_links.h"

#include <array>
#include <cstddef>

#include "web/markup/simple_tag.h"

namespace weft::web {
namespace {

using enum LinkAttribute::Form;

// The rows of an element are together: index_by_element() depends on it. Within an element the
// order does not matter, because links come in the order of the attributes.
constexpr LinkAttribute kHtmlLinks[] = {
    {Element::a, "a", "href"},
    {Element::a, "a", "ping", url_list},
    {Element::area, "area", "href"},
    {Element::area, "area", "ping", url_list},
    {Element::audio, "audio", "src"},
    {Element::bgsound, "bgsound", "src"},
    {Element::blockquote, "blockquote", "cite"},
    {Element::body, "body", "background"},
    {Element::button, "button", "formaction"},
    {Element::del, "del", "cite"},
    {Element::embed, "embed", "src"},
    {Element::form, "form", "action"},
    {Element::frame, "frame", "src"},
    {Element::frame, "frame", "longdesc"},
    {Element::html, "html", "manifest"},
    {Element::iframe, "iframe", "src"},
    {Element::iframe, "iframe", "longdesc"},
    {Element::img, "img", "src"},
    {Element::img, "img", "srcset", srcset},
    {Element::img, "img", "longdesc"},
    {Element::img, "img", "lowsrc"},
    {Element::input, "input", "src"},
    {Element::input, "input", "formaction"},
    {Element::ins, "ins", "cite"},
    {Element::link, "link", "href"},
    {Element::link, "link", "imagesrcset", srcset},
    {Element::object, "object", "data"},
    {Element::q, "q", "cite"},
    {Element::script, "script", "src"},
    {Element::source, "source", "src"},
    {Element::source, "source", "srcset", srcset},
    {Element::table, "table", "background"},
    {Element::tbody, "tbody", "background"},
    {Element::td, "td", "background"},
    {Element::tfoot, "tfoot", "background"},
    {Element::th, "th", "background"},
    {Element::thead, "thead", "background"},
    {Element::tr, "tr", "background"},
    {Element::track, "track", "src"},
    {Element::video, "video", "src"},
    {Element::video, "video", "poster"},
};

// SVG 1.1 and 2: every element that refers by href, or in older documents by xlink:href.
constexpr LinkAttribute kSvgLinks[] = {
    {Element::a, "svg:a", "href"},
    {Element::a, "svg:a", "xlink:href"},
    {Element::altglyph, "svg:altglyph", "href"},
    {Element::altglyph, "svg:altglyph", "xlink:href"},
    {Element::animate, "svg:animate", "href"},
    {Element::animate, "svg:animate", "xlink:href"},
    {Element::animatecolor, "svg:animatecolor", "href"},
    {Element::animatecolor, "svg:animatecolor", "xlink:href"},
    {Element::animatemotion, "svg:animatemotion", "href"},
    {Element::animatemotion, "svg:animatemotion", "xlink:href"},
    {Element::animatetransform, "svg:animatetransform", "href"},
    {Element::animatetransform, "svg:animatetransform", "xlink:href"},
    {Element::color_profile, "svg:color-profile", "href"},
    {Element::color_profile, "svg:color-profile", "xlink:href"},
    {Element::cursor, "svg:cursor", "href"},
    {Element::cursor, "svg:cursor", "xlink:href"},
    {Element::discard, "svg:discard", "href"},
    {Element::discard, "svg:discard", "xlink:href"},
    {Element::feimage, "svg:feimage", "href"},
    {Element::feimage, "svg:feimage", "xlink:href"},
    {Element::filter, "svg:filter", "href"},
    {Element::filter, "svg:filter", "xlink:href"},
    {Element::font_face_uri, "svg:font-face-uri", "href"},
    {Element::font_face_uri, "svg:font-face-uri", "xlink:href"},
    {Element::glyphref, "svg:glyphref", "href"},
    {Element::glyphref, "svg:glyphref", "xlink:href"},
    {Element::image, "svg:image", "href"},
    {Element::image, "svg:image", "xlink:href"},
    {Element::lineargradient, "svg:lineargradient", "href"},
    {Element::lineargradient, "svg:lineargradient", "xlink:href"},
    {Element::mpath, "svg:mpath", "href"},
    {Element::mpath, "svg:mpath", "xlink:href"},
    {Element::pattern, "svg:pattern", "href"},
    {Element::pattern, "svg:pattern", "xlink:href"},
    {Element::radialgradient, "svg:radialgradient", "href"},
    {Element::radialgradient, "svg:radialgradient", "xlink:href"},
    {Element::script, "svg:script", "href"},
    {Element::script, "svg:script", "xlink:href"},
    {Element::set, "svg:set", "href"},
    {Element::set, "svg:set", "xlink:href"},
    {Element::textpath, "svg:textpath", "href"},
    {Element::textpath, "svg:textpath", "xlink:href"},
    {Element::tref, "svg:tref", "href"},
    {Element::tref, "svg:tref", "xlink:href"},
    {Element::use, "svg:use", "href"},
    {Element::use, "svg:use", "xlink:href"},
};

// Browsers do not treat <a> in MathML as a link, but authors write it and mean a link.
constexpr LinkAttribute kMathLinks[] = {
    {Element::a, "math:a", "href"},
};

struct Rows {
    std::uint8_t begin = 0;
    std::uint8_t count = 0;
};

constexpr std::size_t kElementCount = 256;

template <std::size_t N>
constexpr std::array<Rows, kElementCount> index_by_element(const LinkAttribute (&table)[N]) {
    static_assert(N < 256);
    std::array<Rows, kElementCount> index{};
    for (std::size_t i = 0; i < N; ++i) {
        Rows& rows = index[static_cast<std::size_t>(table[i].element)];
        if (rows.count == 0) rows.begin = static_cast<std::uint8_t>(i);
        ++rows.count;
    }
    return index;
}

constexpr auto kHtmlIndex = index_by_element(kHtmlLinks);
constexpr auto kSvgIndex = index_by_element(kSvgLinks);
constexpr auto kMathIndex = index_by_element(kMathLinks);

}  // namespace

constinit const std::array<std::uint32_t, kElementCount> kLinkLetters = [] {
    std::array<std::uint32_t, kElementCount> letters{};
    for (const LinkAttribute& row : kHtmlLinks) {
        letters[static_cast<std::size_t>(row.element)] |= SimpleTag::letter_bit(row.name[0]);
    }
    return letters;
}();

std::span<const LinkAttribute> link_attributes(Element element, Namespace space) {
    const auto i = static_cast<std::size_t>(element);
    switch (space) {
        case Namespace::html: return {kHtmlLinks + kHtmlIndex[i].begin, kHtmlIndex[i].count};
        case Namespace::svg: return {kSvgLinks + kSvgIndex[i].begin, kSvgIndex[i].count};
        case Namespace::mathml: return {kMathLinks + kMathIndex[i].begin, kMathIndex[i].count};
    }
    __builtin_unreachable();
}

}  // namespace weft::web

#include "web/tree/foreign_names.h"

#include <algorithm>
#include <iterator>

#include "base/bytes.h"

namespace weft::web {
namespace {

// Sorted without regard to case, for a binary search.
constexpr std::string_view kSvgElements[] = {
    "altGlyph",
    "altGlyphDef",
    "altGlyphItem",
    "animateColor",
    "animateMotion",
    "animateTransform",
    "clipPath",
    "feBlend",
    "feColorMatrix",
    "feComponentTransfer",
    "feComposite",
    "feConvolveMatrix",
    "feDiffuseLighting",
    "feDisplacementMap",
    "feDistantLight",
    "feDropShadow",
    "feFlood",
    "feFuncA",
    "feFuncB",
    "feFuncG",
    "feFuncR",
    "feGaussianBlur",
    "feImage",
    "feMerge",
    "feMergeNode",
    "feMorphology",
    "feOffset",
    "fePointLight",
    "feSpecularLighting",
    "feSpotLight",
    "feTile",
    "feTurbulence",
    "foreignObject",
    "glyphRef",
    "linearGradient",
    "radialGradient",
    "textPath",
};

constexpr std::string_view kSvgAttributes[] = {
    "attributeName",
    "attributeType",
    "baseFrequency",
    "baseProfile",
    "calcMode",
    "clipPathUnits",
    "diffuseConstant",
    "edgeMode",
    "filterUnits",
    "glyphRef",
    "gradientTransform",
    "gradientUnits",
    "kernelMatrix",
    "kernelUnitLength",
    "keyPoints",
    "keySplines",
    "keyTimes",
    "lengthAdjust",
    "limitingConeAngle",
    "markerHeight",
    "markerUnits",
    "markerWidth",
    "maskContentUnits",
    "maskUnits",
    "numOctaves",
    "pathLength",
    "patternContentUnits",
    "patternTransform",
    "patternUnits",
    "pointsAtX",
    "pointsAtY",
    "pointsAtZ",
    "preserveAlpha",
    "preserveAspectRatio",
    "primitiveUnits",
    "refX",
    "refY",
    "repeatCount",
    "repeatDur",
    "requiredExtensions",
    "requiredFeatures",
    "specularConstant",
    "specularExponent",
    "spreadMethod",
    "startOffset",
    "stdDeviation",
    "stitchTiles",
    "surfaceScale",
    "systemLanguage",
    "tableValues",
    "targetX",
    "targetY",
    "textLength",
    "viewBox",
    "viewTarget",
    "xChannelSelector",
    "yChannelSelector",
    "zoomAndPan",
};

constexpr bool comes_before(std::string_view a, std::string_view b) {
    return std::ranges::lexicographical_compare(
        a, b, {}, [](char c) { return to_lower(c); }, [](char c) { return to_lower(c); });
}
static_assert(std::ranges::is_sorted(kSvgElements, comes_before));
static_assert(std::ranges::is_sorted(kSvgAttributes, comes_before));

template <std::size_t Count>
std::string_view with_capitals(const std::string_view (&names)[Count], std::string_view lower) {
    const auto* const found = std::ranges::lower_bound(names, lower, comes_before);
    return found != std::end(names) && equals_ignore_case(*found, lower) ? *found : lower;
}

}  // namespace

std::string_view svg_element_name(std::string_view lower) {
    return with_capitals(kSvgElements, lower);
}

std::string_view foreign_attribute_name(std::string_view lower, Namespace space) {
    if (space == Namespace::svg) return with_capitals(kSvgAttributes, lower);
    if (space == Namespace::mathml && lower == "definitionurl") return "definitionURL";
    return lower;
}

}  // namespace weft::web

#pragma once

#include <cstdint>
#include <string>

namespace weft::demo {

// A small weave in two colours, as a valid PNG of 32 by 32 pixels; the seed chooses the colours
// and the binding (plain, twill or satin).
std::string weave_png(std::uint64_t seed);

// The site's mark.
std::string logo_svg();

}  // namespace weft::demo

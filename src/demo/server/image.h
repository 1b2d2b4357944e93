#pragma once

#include <cstdint>
#include <string>

namespace weft::demo {

// A picture of a weave in two colours: a valid PNG of 32 by 32 pixels. The seed chooses the colours
// and the weave (plain, twill or satin).
std::string weave_png(std::uint64_t seed);

// The logo of the site.
std::string logo_svg();

}  // namespace weft::demo

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/random.h"

namespace weft::demo {

// Generated English about weaving. The same seed gives the same text. ASCII, without markup
// characters.
class Prose {
public:
    explicit Prose(std::uint64_t seed);

    // "The patient shuttle"
    std::string title();

    std::string sentence();
    std::string paragraph();

private:
    std::string_view pick(std::span<const std::string_view> words);

    Random random_;
};

// "the-patient-shuttle": lower case, with hyphens.
std::string slug_of(std::string_view title);

}  // namespace weft::demo

#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace weft::web {

// One image that a browser may choose.
struct SrcsetCandidate {
    std::string_view url;  // A view into the attribute, neither trimmed further nor resolved.
    std::optional<std::uint64_t> width;
    std::optional<std::uint64_t> height;
    std::optional<double> density;
};

// Reads a `srcset` or `imagesrcset` value by "parse a srcset attribute" of the HTML standard.
// Candidates with a bad descriptor are left out. It needs linear time and allocates nothing. The
// value must outlive the reader.
//
//     SrcsetReader reader(value);
//     while (auto candidate = reader.next()) follow(candidate->url);
class SrcsetReader {
public:
    explicit SrcsetReader(std::string_view value)
        : p_(value.data()), end_(value.data() + value.size()) {}

    std::optional<SrcsetCandidate> next();

private:
    bool read_descriptors(SrcsetCandidate& candidate);
    std::string_view read_descriptor();

    const char* p_;
    const char* end_;
};

}  // namespace weft::web

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "web/fields/link_header.h"
#include "web/fields/mime_sniff.h"
#include "web/robots/x_robots_tag.h"
#include "web/url/data_url.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft::web;
    const std::string_view input(reinterpret_cast<const char*>(data), size);

    // What is written is read as the same.
    if (const auto mime = MimeType::parse(input)) {
        const auto again = MimeType::parse(mime->serialize());
        WEFT_ASSERT(again && *again == *mime);
    }
    const std::array fields = {input, input.substr(size / 2)};
    static_cast<void>(sniff_mime_type({fields, false, input}));
    static_cast<void>(sniff_mime_type({{}, true, input}));
    static_cast<void>(is_nosniff(fields));
    static_cast<void>(DataUrl::parse(input));
    static_cast<void>(parse_link_header(input));
    static_cast<void>(parse_x_robots_tag(fields, "weft"));
    return 0;
}

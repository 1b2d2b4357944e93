#include "base/escape.h"

#include <cstdint>

#include "base/assert.h"

// Whatever comes in, what goes to a terminal is printable and what a cut leaves is whole.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);

    for (const char c : weft::escape_for_terminal(text)) {
        const auto byte = static_cast<unsigned char>(c);
        WEFT_ASSERT(byte >= 0x20 && byte != 0x7f);
    }
    WEFT_ASSERT(weft::escape_for_json(text).find('<') == std::string::npos);
    WEFT_ASSERT(weft::escape_for_html(text).find('<') == std::string::npos);
    WEFT_ASSERT(text.starts_with(weft::utf8_prefix(text, size / 2)));
    return 0;
}

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "base/limits.h"
#include "web/html/css.h"

// However a style sheet is cut, its URLs are the same, and every bound holds.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    const std::string_view sheet(reinterpret_cast<const char*>(data), size);

    const auto whole = web::read_css(sheet);
    web::CssReader reader;
    for (const char c : sheet) reader.feed({&c, 1});
    const auto cut = reader.finish();

    WEFT_ASSERT(whole.size() == cut.size() && whole.size() <= limits::kLinksPerPageMax);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        WEFT_ASSERT(whole[i].value == cut[i].value && whole[i].offset == cut[i].offset);
        WEFT_ASSERT(whole[i].is_import == cut[i].is_import && whole[i].offset < size);
        WEFT_ASSERT(!whole[i].value.empty());
        WEFT_ASSERT(whole[i].value.size() <= limits::kAttributeBytesMax);
    }
    return 0;
}

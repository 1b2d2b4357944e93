#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "base/limits.h"
#include "web/robots/sitemap.h"

namespace {

std::vector<std::string> locations(std::string_view text, std::size_t step) {
    std::vector<std::string> out;
    weft::web::SitemapParser parser({.url = "http://a.test/"}, [&](weft::web::SitemapEntry entry) {
        WEFT_ASSERT(entry.location.size() <= weft::limits::kTagBytesMax);
        out.push_back(std::move(entry.location));
    });
    for (; !text.empty(); text.remove_prefix(std::min(step, text.size()))) {
        parser.feed(text.substr(0, step));
    }
    out.push_back(parser.finish() ? "whole" : "refused");
    return out;
}

}  // namespace

// The same entries however the text is cut.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::vector<std::string> whole = locations(text, size + 1);
    WEFT_ASSERT(whole == locations(text, 1));
    WEFT_ASSERT(whole == locations(text, 7));
    return 0;
}

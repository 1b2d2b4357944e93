// Cookie files: any bytes can be loaded, and what is saved then loads to the same.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "http/access/cookie_jar.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    const WallTime now{std::chrono::seconds(1'767'225'600)};
    static const http::ClientCookies empty;  // The list of suffixes is read once.
    http::ClientCookies jar = empty;
    jar.load({reinterpret_cast<const char*>(data), size}, now);
    const std::string saved = jar.save(now);
    http::ClientCookies again = empty;
    again.load(saved, now);
    WEFT_ASSERT(again.size() == jar.size());
    WEFT_ASSERT(again.save(now) == saved);
    return 0;
}

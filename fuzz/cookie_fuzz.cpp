#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "web/fields/cookie.h"

// Set-Cookie fields, one a line; the first is the host.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    std::string_view rest(reinterpret_cast<const char*>(data), size);
    const auto take_line = [&] {
        const std::string_view line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(line.size() + 1, rest.size()));
        return line;
    };
    const WallTime now{1'800'000'000s};
    const web::CookieUrl url{take_line(), "/a/b", true};
    web::CookieJar jar;
    while (!rest.empty()) {
        const std::size_t before = jar.size();
        const bool was_kept = jar.set(url, take_line(), now).has_value();
        WEFT_ASSERT(was_kept || jar.size() == before);
    }
    const std::string header = jar.header(url, now);
    // Nothing that could end the request's line gets into it (H35, H38).
    WEFT_ASSERT(header.find_first_of(std::string_view("\0\r\n", 3)) == std::string::npos);
    WEFT_ASSERT(jar.matching({"never.invalid", "/", true}, now).empty() ||
                url.host.ends_with("invalid"));
    return 0;
}

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "base/limits.h"
#include "web/robots/robots.h"
#include "web/robots/robots_pattern.h"

// A path, a line's end, a robots.txt.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::string_view path = input.substr(0, input.find('\n'));
    const std::string_view text = input.substr(std::min(path.size() + 1, input.size()));

    const web::Robots robots = web::Robots::parse(text);
    const web::RobotsDecision decision = robots.decide("weft", path);
    WEFT_ASSERT(decision.line != 0 || decision.allowed);
    WEFT_ASSERT(robots.allows("weft", "/robots.txt"));

    const auto delay = robots.crawl_delay("weft");
    WEFT_ASSERT(!delay || (*delay >= 0s && *delay <= limits::kCrawlDelayMax));
    static_cast<void>(robots.request_rate("weft"));
    static_cast<void>(robots.usage_preferences("weft"));

    // Both spellings of a path are one path.
    std::string buffer, again;
    const std::string_view normal = web::normalize_path(path, buffer);
    const web::RobotsDecision same = robots.decide("weft", normal);
    WEFT_ASSERT(web::normalize_path(normal, again) == normal);
    if (!path.empty()) WEFT_ASSERT(normal.empty() || same.allowed == decision.allowed);
    return 0;
}

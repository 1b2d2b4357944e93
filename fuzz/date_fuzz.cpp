#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "base/limits.h"
#include "web/fields/date.h"
#include "web/html/fingerprint.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const WallTime now{1'800'000'000s};

    // What is written is read as the same, while the year has four digits.
    if (const auto date = web::parse_http_date(input, now); date && *date > web::DateSeconds(0s)) {
        const auto again = web::parse_http_date(web::format_http_date(*date), now);
        WEFT_ASSERT(again && *again == *date);
    }
    static_cast<void>(web::parse_cookie_date(input));
    static_cast<void>(web::parse_w3c_date(input));
    static_cast<void>(web::parse_mail_date(input));
    const auto wait = web::parse_retry_after(input, now);
    WEFT_ASSERT(!wait || (*wait >= limits::kRetryAfterMin && *wait <= limits::kRetryAfterMax));

    static_cast<void>(web::text_fingerprint(input));
    static_cast<void>(web::path_pattern(input));
    return 0;
}

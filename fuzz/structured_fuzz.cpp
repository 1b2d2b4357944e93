#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "base/assert.h"
#include "extract/extractor.h"
#include "extract/fields/reservation.h"
#include "extract/fields/tdm_rules.h"

// The input is a page, a tdmrep.json, and the value of every header field about reservations. What
// is structured in it is always valid JSON.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const extract::TdmRules tdm = extract::TdmRules::parse(text);
    const extract::NamedValue headers[] = {{"Content-Usage", text},   {"Content-Signal", text},
                                           {"TDM-Reservation", text}, {"TDM-Policy", text},
                                           {"X-Robots-Tag", text},    {text, "1"}};
    const auto robots = web::Robots::parse(text).usage_preferences("weft");
    extract::Extractor extractor(
        {.structured = true, .purpose = extract::Purpose::ai_train, .keeps_reserved = true});
    const extract::Extract& page = extractor.read({.html = text,
                                                   .url = "https://a.test/b?c",
                                                   .headers = headers,
                                                   .robots = robots,
                                                   .tdm = &tdm});
    WEFT_ASSERT(page.structured.empty() || nlohmann::json::accept(page.structured));
    WEFT_ASSERT(page.reservation.reserved.size() <= extract::kReservedMax);
    return 0;
}

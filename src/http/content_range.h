#pragma once

#include <string_view>

namespace weft::http {

// Whether a part whose head says `content_range` ("bytes 0-99/1234") is what `range` asked for
// ("bytes=0-99", "bytes=100-", "bytes=-5"): it starts where the range does and goes no further.
// Several ranges in one request are answered in parts, which nobody here reads: false (H31).
bool answers_range(std::string_view range, std::string_view content_range);

}  // namespace weft::http

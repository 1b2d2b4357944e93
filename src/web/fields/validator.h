#pragma once

#include <optional>
#include <string>
#include <string_view>

// What a server gave us to ask "has it changed?" with. It goes back into our request, so nothing of
// it is trusted (H39).
namespace weft::web {

// The ETag to send in If-None-Match; nothing when it is longer than kValidatorBytesMax or could not
// be part of a header. Missing quotes are forgiven: servers compare what they sent.
std::optional<std::string> usable_etag(std::string_view value);

// The Last-Modified to send in If-Modified-Since, as the server wrote it; nothing when it is no
// HTTP date.
std::optional<std::string> usable_last_modified(std::string_view value);

}  // namespace weft::web

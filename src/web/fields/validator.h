#pragma once

#include <optional>
#include <string>
#include <string_view>

// Validators: the values that a server sends so that a client can ask later whether a page has
// changed. They go back into a request, so they are checked first (H39).
namespace weft::web {

// The ETag to send in If-None-Match. Nothing if it is longer than kValidatorBytesMax or has bytes
// that a header field cannot carry. Missing quotes are accepted: servers compare with what they
// sent.
std::optional<std::string> usable_etag(std::string_view value);

// The Last-Modified to send in If-Modified-Since, as the server wrote it. Nothing if it is not an
// HTTP date.
std::optional<std::string> usable_last_modified(std::string_view value);

}  // namespace weft::web

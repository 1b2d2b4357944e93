#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "web/fields/mime.h"

namespace weft::web {

enum class [[nodiscard]] DataUrlError { not_data, no_comma, bad_base64 };
std::string_view describe(DataUrlError error);

// The contents of a data: URL (the Fetch standard's "data: URL processor").
struct DataUrl {
    MimeType mime;
    std::string body;

    // REQUIRES: `url` is as the URL parser serializes it. A fragment is ignored.
    static std::expected<DataUrl, DataUrlError> parse(std::string_view url);
};

}  // namespace weft::web

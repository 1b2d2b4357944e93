#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "web/fields/mime.h"

namespace weft::web {

enum class [[nodiscard]] DataUrlError { not_data, no_comma, bad_base64 };
std::string_view describe(DataUrlError error);

// What a data: URL holds.
struct DataUrl {
    MimeType mime;
    std::string body;

    // `url` as the URL parser serializes it; a fragment is passed over.
    static std::expected<DataUrl, DataUrlError> parse(std::string_view url);
};

}  // namespace weft::web

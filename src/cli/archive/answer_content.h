#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace weft::cli {

// The content of an HTTP response as received, with transfer and content codings undone. The error
// describes what is wrong with the message.
std::expected<std::string, std::string> payload_of(std::string_view message);

}  // namespace weft::cli

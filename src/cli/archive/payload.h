#pragma once

#include <expected>
#include <string>
#include <string_view>

namespace weft::cli {

// The content of an HTTP answer as it went over the wire: transfer and content codings undone. The
// error says in words what is wrong with the message.
std::expected<std::string, std::string> payload_of(std::string_view message);

}  // namespace weft::cli

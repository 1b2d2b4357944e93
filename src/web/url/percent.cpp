#include "web/url/percent.h"

namespace weft::web {
namespace {

constexpr char kDigits[] = "0123456789ABCDEF";

}  // namespace

void append_percent(std::string& out, char c) {
    const auto byte = static_cast<unsigned char>(c);
    const char escape[] = {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    out.append(escape, sizeof escape);
}

void append_percent_encoded(std::string& out, std::string_view bytes, PercentSet set) {
    std::size_t plain = 0;  // Start of the bytes not yet copied.
    for (std::size_t i = 0; i < bytes.size(); ++i) {
        if (!needs_percent(bytes[i], set)) continue;
        out.append(bytes, plain, i - plain);
        append_percent(out, bytes[i]);
        plain = i + 1;
    }
    out.append(bytes, plain);
}

std::string percent_decode(std::string_view text) {
    std::string bytes;
    bytes.reserve(text.size());
    while (!text.empty()) {
        if (starts_with_escape(text)) {
            bytes += escaped_byte(text);
            text.remove_prefix(3);
        } else {
            bytes += text.front();
            text.remove_prefix(1);
        }
    }
    return bytes;
}

}  // namespace weft::web

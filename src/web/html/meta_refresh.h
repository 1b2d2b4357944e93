#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

namespace weft::web {

// `<meta http-equiv=refresh content="5; url=/next">`, or a Refresh header.
struct MetaRefresh {
    std::uint64_t seconds = 0;  // Fractions are dropped; a number that is too large saturates.

    // A view into the value, neither trimmed nor resolved. If absent, the page reloads itself.
    std::optional<std::string_view> url;
};

enum class MetaRefreshError { no_time, no_separator };
std::string_view describe(MetaRefreshError error);

// The HTML standard's "shared declarative refresh steps". Linear, allocates nothing.
std::expected<MetaRefresh, MetaRefreshError> parse_meta_refresh(std::string_view content);

}  // namespace weft::web

#include "base/units.h"

#include <fmt/format.h>

namespace weft {

std::string human_bytes(std::uint64_t bytes) {
    if (bytes < 1000) return fmt::format("{} B", bytes);
    constexpr const char* kUnits[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    double value = static_cast<double>(bytes) / 1024;
    std::size_t unit = 0;
    while (value >= 999.5 && unit + 1 < std::size(kUnits)) {
        value /= 1024;
        ++unit;
    }
    // The bounds are where rounding would give a fourth digit: 9.996 is "10.0", not "10.00".
    const int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    return fmt::format("{:.{}f} {}", value, decimals, kUnits[unit]);
}

std::string human_duration(Duration duration) {
    const double seconds = in_seconds(duration);
    // 0.9996 s would round to "1000 ms".
    if (seconds < 0.9995) return fmt::format("{:.0f} ms", seconds * 1000);
    if (seconds < 99.95) return fmt::format("{:.1f} s", seconds);
    const auto minutes = std::chrono::duration_cast<std::chrono::minutes>(duration).count();
    if (minutes < 60) {
        return fmt::format("{} min {:02} s", minutes, static_cast<long>(seconds) % 60);
    }
    return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

std::string human_count(std::uint64_t count) {
    std::string out = fmt::format("{}", count);
    for (std::size_t i = out.size(); i > 3; i -= 3) out.insert(i - 3, ",");
    return out;
}

}  // namespace weft

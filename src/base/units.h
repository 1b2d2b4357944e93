#pragma once

#include <cstdint>
#include <string>

#include "base/clock.h"

namespace weft {

consteval std::uint64_t operator""_KiB(unsigned long long n) {
    return n << 10;
}
consteval std::uint64_t operator""_MiB(unsigned long long n) {
    return n << 20;
}
consteval std::uint64_t operator""_GiB(unsigned long long n) {
    return n << 30;
}

// "512 B", "38.1 MiB": three significant digits.
std::string human_bytes(std::uint64_t bytes);

// "87 ms", "61.2 s", "1 h 02 min".
std::string human_duration(Duration duration);

// "1,234,567".
std::string human_count(std::uint64_t count);

}  // namespace weft

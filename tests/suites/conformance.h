#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

// Where the data of the standards' suites lies and how its files are read.
namespace weft::suites {

inline std::filesystem::path conformance_dir() {
    if (const char* dir = std::getenv("WEFT_CONFORMANCE")) return dir;
    return std::filesystem::path(WEFT_SOURCE_DIR) / "../shared/conformance";
}

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline nlohmann::json read_json(std::string_view name) {
    return nlohmann::json::parse(read_file(conformance_dir() / name));
}

inline std::string from_base64(std::string_view text) {
    std::string bytes;
    unsigned bits = 0;
    int bit_count = 0;
    for (char c : text) {
        constexpr std::string_view kAlphabet =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        const std::size_t value = kAlphabet.find(c);
        if (value == std::string_view::npos) break;
        bits = bits << 6 | static_cast<unsigned>(value);
        bit_count += 6;
        if (bit_count < 8) continue;
        bit_count -= 8;
        bytes += static_cast<char>(bits >> bit_count & 0xFF);
    }
    return bytes;
}

inline std::string text(const nlohmann::json& value) {
    return value.get<std::string>();
}

// The bytes of the field `key`, given as text or as base64 under `key`_b64.
inline std::string bytes_of(const nlohmann::json& row, const std::string& key) {
    if (row.contains(key + "_b64")) return from_base64(row[key + "_b64"].get<std::string>());
    return row.value(key, std::string());
}

// Cases known to fail, a line each up to its tab, behind which stands the reason. A listed case
// that passes is a failure too: the list may only shrink.
inline std::set<std::string> read_misses(std::string_view name) {
    std::set<std::string> misses;
    std::ifstream file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/suites" / name);
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line[0] != '#') misses.insert(line.substr(0, line.find('\t')));
    }
    return misses;
}

}  // namespace weft::suites

#define WEFT_SKIP_WITHOUT_CONFORMANCE()                                                 \
    if (!std::filesystem::exists(::weft::suites::conformance_dir())) {                  \
        GTEST_SKIP() << "no conformance data at " << ::weft::suites::conformance_dir(); \
    }

#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "base/bytes.h"

// Where the standards' suites are, and how their JSON spells bytes.
namespace weft::suites {

inline std::filesystem::path conformance_folder() {
    if (const char* folder = std::getenv("WEFT_CONFORMANCE")) return folder;
    return std::filesystem::path(WEFT_SOURCE_DIR) / "../shared/conformance";
}

// A discarded value if the file is not there.
inline nlohmann::json read_json(std::string_view path) {
    std::ifstream file(conformance_folder() / path);
    if (!file) return nlohmann::json(nlohmann::json::value_t::discarded);
    return nlohmann::json::parse(file);
}

inline std::string from_hex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(hex_value(hex[i]) << 4 | hex_value(hex[i + 1]));
    }
    return bytes;
}

inline std::string from_base64(std::string_view text) {
    constexpr std::string_view kAlphabet =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string bytes;
    unsigned bits = 0;
    int bit_count = 0;
    for (const char c : text) {
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

// The field `key`, or the bytes of its twin `key`_b64.
inline std::string bytes_of(const nlohmann::json& row, const std::string& key) {
    if (row.contains(key)) return row[key].get<std::string>();
    return from_base64(row[key + "_b64"].get<std::string>());
}

// The lines of tests/suites/`suite`.misses.
inline std::set<std::string> known_misses(std::string_view suite) {
    std::ifstream file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/suites" /
                       (std::string(suite) + ".misses"));
    std::set<std::string> misses;
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && !line.starts_with('#')) misses.insert(line);
    }
    return misses;
}

}  // namespace weft::suites

// Reads `path` into a variable `name`, or skips the test, visibly.
#define WEFT_SUITE(name, path)                                                        \
    const nlohmann::json name = ::weft::suites::read_json(path);                      \
    if (name.is_discarded()) {                                                        \
        GTEST_SKIP() << path << " is not in " << ::weft::suites::conformance_folder() \
                     << "; set WEFT_CONFORMANCE";                                     \
    }

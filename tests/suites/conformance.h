#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

#include "base/bytes.h"
#include "suites/tally.h"

// The standards' own cases, which live outside the repository: in $WEFT_CONFORMANCE, or in
// shared/conformance beside the source tree. A test whose data is not there skips, visibly.
namespace weft::suites {

using Json = nlohmann::json;

inline std::filesystem::path conformance_path(const std::filesystem::path& name = {}) {
    const char* folder = std::getenv("WEFT_CONFORMANCE");
    const std::filesystem::path root = folder ? folder : WEFT_SOURCE_DIR "/../shared/conformance";
    return root / name;
}
inline std::filesystem::path conformance_dir() {
    return conformance_path();
}
inline std::filesystem::path conformance_folder() {
    return conformance_path();
}

// The whole file, unpacked where it is gzip; empty where it is not there.
inline std::string read_gzip(const std::filesystem::path& path) {
    std::string text;
    gzFile file = gzopen(path.c_str(), "rb");
    if (!file) return text;
    char buffer[1 << 16];
    for (int count = 0; (count = gzread(file, buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(count));
    }
    gzclose(file);
    return text;
}

// The whole file as it is; empty where it is not there.
inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::string> read_lines(const std::filesystem::path& path) {
    std::vector<std::string> lines;
    const std::string text = read_gzip(path);
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

// Half a surrogate pair is no Unicode text and the JSON reader refuses it; as bytes it becomes
// U+FFFD, as in every decoder.
inline void replace_lone_surrogates(std::string& text) {
    const auto is_half = [&text](std::size_t at, std::string_view kinds) {
        return at + 3 < text.size() && text[at] == '\\' && text[at + 1] == 'u' &&
               (text[at + 2] | 32) == 'd' && kinds.contains(static_cast<char>(text[at + 3] | 32));
    };
    for (std::size_t at = text.find('\\'); at != std::string::npos; at = text.find('\\', at)) {
        if (is_half(at, "89ab") && is_half(at + 6, "cdef")) {
            at += 12;
        } else {
            if (is_half(at, "89abcdef")) text.replace(at + 2, 4, "fffd");
            at += 2;
        }
    }
}

// A path, or a name inside the folder of the suites. A discarded value if it is not there.
inline Json read_json(const std::filesystem::path& path) {
    const std::filesystem::path file = path.is_absolute() ? path : conformance_path(path);
    if (!std::filesystem::exists(file)) return Json(Json::value_t::discarded);
    std::string text = read_file(file);
    replace_lone_surrogates(text);
    return Json::parse(text);
}

// The cases of a file, counted for the suite: the folder they are in.
inline TalliedRows rows(const std::filesystem::path& path) {
    const std::filesystem::path file = path.is_absolute() ? path : conformance_path(path);
    const auto inside = file.lexically_relative(conformance_path());
    return {inside.begin()->string(), read_json(file)};
}

inline std::string text(const Json& value) {
    return value.get<std::string>();
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

// The bytes of the field `key`, given as text or as base64 under `key`_b64.
inline std::string bytes_of(const Json& row, const std::string& key) {
    if (row.contains(key + "_b64")) return from_base64(row[key + "_b64"].get<std::string>());
    return row.value(key, std::string());
}

// Cases known to fail, a line each up to its tab, behind which stands the reason; `#` starts a
// comment. A listed case that passes is a failure too: the list may only shrink.
inline std::set<std::string> known_misses(std::string_view suite) {
    std::string name(suite);
    if (!name.ends_with(".misses")) name += ".misses";
    std::set<std::string> misses;
    std::ifstream file(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/suites" / name);
    for (std::string line; std::getline(file, line);) {
        if (!line.empty() && line[0] != '#') misses.insert(line.substr(0, line.find('\t')));
    }
    return misses;
}
inline std::set<std::string> read_misses(std::string_view suite) {
    return known_misses(suite);
}

}  // namespace weft::suites

// Skips the test, visibly, where `path` (absolute, or inside the suites' folder) is not there.
#define WEFT_NEEDS_CONFORMANCE(path)                                                       \
    if (!std::filesystem::exists(::weft::suites::conformance_path(path))) {                \
        GTEST_SKIP() << ::weft::suites::conformance_path(path)                             \
                     << " is not there; set WEFT_CONFORMANCE to the folder of the suites"; \
    }                                                                                      \
    static_assert(true)
#define WEFT_NEEDS_SUITE(folder) WEFT_NEEDS_CONFORMANCE(folder)
#define WEFT_NEED_SUITE(folder) WEFT_NEEDS_CONFORMANCE(folder)
#define WEFT_SKIP_WITHOUT_CONFORMANCE() WEFT_NEEDS_CONFORMANCE("")

// Reads `path` into a variable `name`, or skips.
#define WEFT_SUITE(name, path)    \
    WEFT_NEEDS_CONFORMANCE(path); \
    const ::weft::suites::TalliedRows name = ::weft::suites::rows(path)

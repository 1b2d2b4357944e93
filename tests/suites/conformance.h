#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <zlib.h>

// The standards' own cases, which live outside the repository: in $WEFT_CONFORMANCE, or in
// shared/conformance beside the source tree. A test whose data is not there skips, visibly.
namespace weft::suites {

inline std::filesystem::path conformance_path(std::string_view name) {
    const char* folder = std::getenv("WEFT_CONFORMANCE");
    const std::filesystem::path root =
        folder != nullptr ? folder : WEFT_SOURCE_DIR "/../shared/conformance";
    return root / name;
}

// The whole file, unpacked where it is gzip; empty where it is not there.
inline std::string read_file(const std::filesystem::path& path) {
    std::string text;
    gzFile file = gzopen(path.c_str(), "rb");
    if (file == nullptr) return text;
    char buffer[1 << 16];
    for (int count = 0; (count = gzread(file, buffer, sizeof buffer)) > 0;) {
        text.append(buffer, static_cast<std::size_t>(count));
    }
    gzclose(file);
    return text;
}

inline std::vector<std::string> read_lines(const std::filesystem::path& path) {
    std::vector<std::string> lines;
    const std::string text = read_file(path);
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

inline nlohmann::json read_json(const std::filesystem::path& path) {
    std::string text = read_file(path);
    replace_lone_surrogates(text);
    return nlohmann::json::parse(text);
}

}  // namespace weft::suites

#define WEFT_NEEDS_CONFORMANCE(path)                                                         \
    if (!std::filesystem::exists(path)) {                                                    \
        GTEST_SKIP() << path << " is not there; set WEFT_CONFORMANCE to the suites' folder"; \
    }                                                                                        \
    static_assert(true)

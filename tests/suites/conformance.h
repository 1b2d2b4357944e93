#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

// Where the standards' suites are, and how to read them. They are no part of this repository.
namespace weft::suites {

inline std::filesystem::path conformance_dir() {
    if (const char* dir = std::getenv("WEFT_CONFORMANCE")) return dir;
    return std::filesystem::path(WEFT_SOURCE_DIR) / "../shared/conformance";
}

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline nlohmann::json read_json(const std::filesystem::path& path) {
    return nlohmann::json::parse(read_file(path));
}

}  // namespace weft::suites

// Ends the test, visibly skipped, where a suite's folder is not there.
#define WEFT_NEED_SUITE(name)                                             \
    if (!std::filesystem::exists(weft::suites::conformance_dir() / name)) \
    GTEST_SKIP() << "no suite '" << name << "' in " << weft::suites::conformance_dir()

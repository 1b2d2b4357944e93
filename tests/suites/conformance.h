#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

// Where the standards' suites lie, and how they are read.
namespace weft::suites {

// WEFT_CONFORMANCE, else the folder beside the sources.
std::filesystem::path conformance_dir();

std::string read_file(const std::filesystem::path& file);
std::string read_gzip(const std::filesystem::path& file);
nlohmann::json read_json(const std::filesystem::path& file);

// The lines of tests/suites/<name>.misses without comments: cases known to fail.
std::set<std::string> known_misses(std::string_view name);

}  // namespace weft::suites

// First line of every suite: without the data there is nothing to test.
#define WEFT_NEEDS_SUITE(folder)                                                  \
    if (!std::filesystem::exists(::weft::suites::conformance_dir() / (folder))) { \
        GTEST_SKIP() << "no " << ::weft::suites::conformance_dir() / (folder)     \
                     << "; set WEFT_CONFORMANCE to the folder of the suites";     \
    }

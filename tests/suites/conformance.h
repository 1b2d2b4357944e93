#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include <gtest/gtest.h>

#include "web/base64.h"

// The standards' own cases, kept outside the project: see WEFT_CONFORMANCE below.
namespace weft::suites {

using Json = nlohmann::json;

// $WEFT_CONFORMANCE, or ../shared/conformance seen from the project.
inline std::filesystem::path conformance_folder() {
    const char* given = std::getenv("WEFT_CONFORMANCE");
    return given != nullptr ? given : WEFT_SOURCE_DIR "/../shared/conformance";
}

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline Json read_json(const std::string& name) {
    return Json::parse(read_file(conformance_folder() / name));
}

// The case's bytes: field `name`, or `name`_b64 decoded.
inline std::string bytes_of(const Json& row, const std::string& name) {
    if (row.contains(name)) return row[name].get<std::string>();
    return web::decode_base64(row[name + "_b64"].get<std::string>()).value_or("");
}

}  // namespace weft::suites

// Skips, visibly, where the cases are not there.
#define WEFT_NEED_SUITE(name)                                                           \
    do {                                                                                \
        if (!std::filesystem::exists(::weft::suites::conformance_folder() / (name))) {  \
            GTEST_SKIP() << "no " << ::weft::suites::conformance_folder() / (name)      \
                         << "; set WEFT_CONFORMANCE to the folder of conformance data"; \
        }                                                                               \
    } while (false)

#include "suites/conformance.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <zlib.h>

namespace weft::suites {

std::filesystem::path conformance_dir() {
    const char* from_environment = std::getenv("WEFT_CONFORMANCE");
    if (from_environment != nullptr) return from_environment;
    return std::filesystem::path(WEFT_SOURCE_DIR) / "../shared/conformance";
}

std::string read_file(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::ostringstream out;
    out << in.rdbuf();
    return out.str();
}

std::string read_gzip(const std::filesystem::path& file) {
    std::string text;
    const gzFile in = gzopen(file.c_str(), "rb");
    std::array<char, 65536> block;
    for (int n = 0; (n = gzread(in, block.data(), block.size())) > 0;) {
        text.append(block.data(), static_cast<std::size_t>(n));
    }
    gzclose(in);
    return text;
}

nlohmann::json read_json(const std::filesystem::path& file) {
    return nlohmann::json::parse(read_file(file));
}

std::set<std::string> known_misses(std::string_view name) {
    std::set<std::string> misses;
    std::ifstream in(std::filesystem::path(WEFT_SOURCE_DIR) / "tests/suites" /
                     (std::string(name) + ".misses"));
    for (std::string line; std::getline(in, line);) {
        if (!line.empty() && line[0] != '#') misses.insert(line);
    }
    return misses;
}

}  // namespace weft::suites

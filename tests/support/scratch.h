#pragma once

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <stdlib.h>
#include <sys/stat.h>

#include "base/assert.h"

namespace weft::tests {

// A folder of a test's own, gone with it.
class Scratch {
public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "weft-XXXXXX").string();
        WEFT_ASSERT(::mkdtemp(name.data()) != nullptr);
        path_ = std::filesystem::canonical(name);
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

    // Folders on the way are made.
    void write(std::string_view name, std::string_view bytes) const {
        const std::filesystem::path file = path_ / name;
        std::filesystem::create_directories(file.parent_path());
        std::ofstream out(file, std::ios::binary);
        out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        WEFT_ASSERT(out.good());
    }

private:
    std::filesystem::path path_;
};

}  // namespace weft::tests

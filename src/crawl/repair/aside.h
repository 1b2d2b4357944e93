#pragma once

#include <filesystem>
#include <string>

#include "aio/files/files.h"
#include "base/clock.h"

namespace weft::crawl {

// A new folder, repair/<time> of a crawl, for what is taken out of the crawl's files. It is made
// when something is put there. Two in one second get different names.
class Aside {
public:
    static constexpr const char* kParent = "repair";

    Aside(aio::FileSystem& files, std::filesystem::path crawl, WallTime now);

    // Whether it was made.
    bool is_made() const { return !path_.empty(); }

    // Makes it if it is not there yet. Throws IoError.
    const std::filesystem::path& path();

    // Moves a file or folder there; `name` says why it is there. Throws IoError.
    void take(const std::filesystem::path& from, const std::string& name);

    // Copies the bytes of a file from `begin` on. They survive a loss of power. Throws IoError.
    void copy_tail(aio::File& from, std::uint64_t begin, const std::string& name);

private:
    aio::FileSystem& files_;
    std::filesystem::path crawl_;
    WallTime now_;
    std::filesystem::path path_;
};

// The first name repair/<time>, repair/<time>-2, ... that is free in the crawl's folder.
std::filesystem::path free_aside_path(aio::FileSystem& files, const std::filesystem::path& crawl,
                                      WallTime now);

}  // namespace weft::crawl

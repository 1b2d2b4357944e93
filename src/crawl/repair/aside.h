#pragma once

#include <filesystem>
#include <string>

#include "aio/files/files.h"
#include "base/clock.h"

namespace weft::crawl {

// The folder repair/<time> of a crawl, which keeps what is taken out of the crawl's files. It is
// created when the first thing is put there. Two of the same second get different names. Used on
// one thread; `files` outlives it.
class Aside {
public:
    static constexpr const char* kParent = "repair";

    Aside(aio::FileSystem& files, std::filesystem::path crawl, WallTime now);

    // Whether the folder has been created.
    bool is_made() const { return !path_.empty(); }

    // The path of the folder. Creates it if it does not exist yet. Throws IoError.
    const std::filesystem::path& path();

    // Moves a file or folder there. The name should say why it is there. Throws IoError.
    void take(const std::filesystem::path& from, const std::string& name);

    // Copies the bytes of a file from `begin` on and syncs them. Throws IoError.
    void copy_tail(aio::File& from, std::uint64_t begin, const std::string& name);

private:
    aio::FileSystem& files_;
    std::filesystem::path crawl_;
    WallTime now_;
    std::filesystem::path path_;
};

// The first free path of repair/<time>, repair/<time>-2 and so on in the crawl's folder.
std::filesystem::path free_aside_path(aio::FileSystem& files, const std::filesystem::path& crawl,
                                      WallTime now);

}  // namespace weft::crawl

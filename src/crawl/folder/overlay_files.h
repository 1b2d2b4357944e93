#pragma once

#include <memory>
#include <set>
#include <string>

#include "aio/files/files.h"

namespace weft::crawl {

// Files of a folder with changes that lie in another folder, `upper`: what is written goes there,
// what is read comes from there if it is there, else from below, which is never changed. So a
// repair can try and build things as if in place. Paths are those of the folder. On one thread.
class OverlayFiles final : public aio::FileSystem {
public:
    // `below` knows the files of the folder `root`, in which `upper` is too.
    OverlayFiles(std::shared_ptr<aio::FileSystem> below, Path root, Path upper);

    // What lies below at this path, a file or a folder with all in it, is not seen.
    void hide(const Path& path);

    // Where what is written to `path` lies.
    Path upper(const Path& path) const;

    std::unique_ptr<aio::File> open(const Path& path, aio::OpenMode mode) override;
    bool exists(const Path& path) override;
    void create_directories(const Path& path) override;
    void rename(const Path& from, const Path& to) override;
    void remove(const Path& path) override;
    std::vector<std::string> list(const Path& directory) override;
    void sync_directory(const Path& directory) override;
    std::unique_ptr<aio::FileLock> try_lock(const Path& path) override;
    std::string identity(const Path& folder) override;

private:
    class LazyFile;

    bool is_seen_below(const Path& path) const;
    void copy_up(const Path& path);
    void make_room(const Path& path);

    std::shared_ptr<aio::FileSystem> below_;
    Path root_;
    Path upper_;
    std::set<std::string> hidden_;
};

}  // namespace weft::crawl

#pragma once

#include <memory>
#include <set>
#include <string>

#include "aio/files/files.h"

namespace weft::crawl {

// A view of a folder whose changes go to another folder, `upper`. Writes go to `upper`; reads come
// from there if the file exists there, else from the folder itself ("below"), which is never
// changed. So a repair can build new files as if in place. Callers use the paths of the folder.
// Used on one thread.
class OverlayFiles final : public aio::FileSystem {
public:
    // `below` reaches the files of the folder `root`; `upper` lies inside it.
    OverlayFiles(std::shared_ptr<aio::FileSystem> below, Path root, Path upper);

    // Hides a file, or a folder with everything in it, of the folder below.
    void hide(const Path& path);

    // The path in `upper` to which writes to `path` go.
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
    std::set<std::string> hidden_;  // Paths relative to root_.
};

}  // namespace weft::crawl

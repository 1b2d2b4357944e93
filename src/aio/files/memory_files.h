#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "aio/files/files.h"

namespace weft::aio {

// How much of the unsynced data a crash loses.
enum class CrashLoss {
    all,  // Everything: the strictest reading of what a disk promises.
    // A random part: keeps the front of what was appended and the first of the changed entries.
    some,
    none,  // Nothing: a process that was killed, on a machine that runs on.
};

// Files in memory that behave like a disk: what is written is visible at once, but survives crash()
// only if it was synced. The bytes of a file and its entry in a directory are synced separately, by
// File::sync() and sync_directory(); a directory is also an entry of its parent. A rename is never
// done by half.
//
//     MemoryFiles files;
//     files.power_off_after(n);           // For every n: the n-th change is the last.
//     EXPECT_THROW(write_things(files), IoError);
//     files.crash(CrashLoss::some, seed);
//     read_things(files);                 // What must hold whatever n was.
//
// "/" and "." exist from the start and always survive. For one thread.
class MemoryFiles final : public FileSystem {
public:
    MemoryFiles();
    ~MemoryFiles() override;

    std::unique_ptr<File> open(const Path& path, OpenMode mode) override;
    bool exists(const Path& path) override;
    void create_directories(const Path& path) override;
    void rename(const Path& from, const Path& to) override;
    void remove(const Path& path) override;
    std::vector<std::string> list(const Path& directory) override;
    void sync_directory(const Path& directory) override;
    std::unique_ptr<FileLock> try_lock(const Path& path) override;
    std::string identity(const Path& folder) override;  // Changes when a crash loses something.

    // Goes back to what the disk holds; `seed` decides the random part. Files opened before fail
    // from now on, locks are free, power is on, and faults are forgotten.
    void crash(CrashLoss loss = CrashLoss::all, std::uint64_t seed = 1);

    // Leaves room for this many more bytes; then writes fail with ENOSPC after writing what fits.
    // nullopt: no limit.
    void set_space(std::optional<std::uint64_t> bytes);
    std::optional<std::uint64_t> space() const;

    // The n-th sync from now (1: the next), of a file or a directory, fails with EIO. What it
    // should have saved is never saved, although later syncs of that file seem to succeed. Linux
    // behaves like this, so a program that tries again loses data (H89).
    void fail_sync(std::uint64_t n);

    // After this many more changes (appends, truncates, syncs, new, renamed and removed entries)
    // everything fails with EIO until crash(). An append that is the first to fail may have written
    // a part.
    void power_off_after(std::uint64_t changes);

    // The changes since the start. A run without faults tells how many values of n there are to
    // try.
    std::uint64_t change_count() const;

private:
    struct State;
    class OpenFile;
    class HeldLock;

    std::shared_ptr<State> state_;
};

}  // namespace weft::aio

#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "aio/files/files.h"

namespace weft::frontier {

// Identifies a log. It goes into the checksum of each frame, so frames of another store or another
// log do not pass.
struct LogIdentity {
    std::uint64_t store_id = 0;
    std::uint64_t number = 0;
};

// A frame that is being filled: room for the head, then the records.
class Frame {
public:
    Frame();

    std::string& payload() { return bytes_; }  // Append only.
    std::size_t payload_size() const;
    bool is_empty() const { return payload_size() == 0; }
    void clear();

private:
    friend class CommitLog;
    std::string bytes_;
};

// An append-only file of checksummed frames. Each frame is one write(), so it is there as a whole
// or not at all. The format is in docs/internals/frontier-files.md.
//
// One thread at a time may append; sync() may run beside it on another thread.
class CommitLog {
public:
    // Creates the file and syncs it. Throws IoError.
    static std::unique_ptr<CommitLog> create(aio::FileSystem& files,
                                             const std::filesystem::path& path,
                                             LogIdentity identity);

    // Returns false to end the log before this frame.
    using FrameHandler = std::function<bool(std::string_view payload)>;

    // What may have happened to a log since it was written.
    enum class Past {
        killed,  // Its process may have been killed: only the last frame may be incomplete.
        lost,    // Power may have been lost, or it is a copy: unsynced bytes may be missing.
    };

    // Calls `on_frame` with the payload of each frame, and cuts the file behind the last good one,
    // if `past` explains the bad tail. Otherwise it throws StoreError and leaves the file
    // unchanged.
    static std::unique_ptr<CommitLog> open(aio::FileSystem& files,
                                           const std::filesystem::path& path, LogIdentity identity,
                                           Past past, const FrameHandler& on_frame);

    // Calls `on_frame` with the payload of each frame, up to the first bad one, and changes
    // nothing. For reading the log of another process. Throws IoError.
    static void read(aio::FileSystem& files, const std::filesystem::path& path,
                     LogIdentity identity,
                     const std::function<void(std::string_view payload)>& on_frame);

    // Fills in the frame's head, writes the frame and clears it. After an IoError nothing more may
    // be appended. REQUIRES: the frame is not empty.
    void append(Frame& frame);

    // Appends the payload of a frame from another log.
    void append_copy(std::string_view payload);

    // The size of the file; 0 if there is none.
    static std::uint64_t size_of(aio::FileSystem& files, const std::filesystem::path& path);

    // Everything that was appended before the call survives a loss of power. After an IoError the
    // log must not be used any more (H89).
    void sync();

    std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
    std::uint64_t synced_size() const { return synced_size_.load(std::memory_order_relaxed); }

private:
    CommitLog(std::unique_ptr<aio::File> file, LogIdentity identity);

    std::unique_ptr<aio::File> file_;
    LogIdentity identity_;

    // Atomic, as append() and sync() may run on two threads. Neither orders other memory.
    std::atomic<std::uint64_t> size_ = 0;
    std::atomic<std::uint64_t> synced_size_ = 0;
};

}  // namespace weft::frontier

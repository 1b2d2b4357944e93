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

// Which log a file is: frames of another store, another file or another place do not pass.
struct LogIdentity {
    std::uint64_t store_id = 0;
    std::uint64_t number = 0;
};

// Bytes on their way into the log: room for the head, then the records.
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

// An append-only file of checksummed frames, one write() each: a frame is there whole or not at
// all. See docs/internals/frontier-files.md for the format.
//
// Appended by one thread at a time; sync() may run beside on another.
class CommitLog {
public:
    // Makes the file and syncs it. Throws IoError.
    static std::unique_ptr<CommitLog> create(aio::FileSystem& files,
                                             const std::filesystem::path& path,
                                             LogIdentity identity);

    // Returns false to have the log end before this frame.
    using FrameHandler = std::function<bool(std::string_view payload)>;

    // What may have happened to a log since it was written.
    enum class Past {
        killed,  // Its process may have been killed: the last frame may be there in part.
        lost,    // Power may have been lost, or it is a copy: what was not synced may be missing.
    };

    // Gives the payload of each frame to `on_frame`, and cuts the file behind the last good one: a
    // tail that its past explains. Anything else that is wrong throws StoreError, and nothing is
    // changed.
    static std::unique_ptr<CommitLog> open(aio::FileSystem& files,
                                           const std::filesystem::path& path, LogIdentity identity,
                                           Past past, const FrameHandler& on_frame);

    // Gives the payload of each good frame, up to the first that is not, and changes nothing: for
    // who looks at the log of another process. Throws IoError.
    static void read(aio::FileSystem& files, const std::filesystem::path& path,
                     LogIdentity identity,
                     const std::function<void(std::string_view payload)>& on_frame);

    // Fills in the frame's head, writes it and clears it. After an IoError nothing may be appended.
    void append(Frame& frame);

    // A frame of another log.
    void append_copy(std::string_view payload);

    // Of the file; 0 if there is none.
    static std::uint64_t size_of(aio::FileSystem& files, const std::filesystem::path& path);

    // What was appended before the call survives a loss of power. After an IoError the log is not
    // to be used (H89).
    void sync();

    std::uint64_t size() const { return size_.load(std::memory_order_relaxed); }
    std::uint64_t synced_size() const { return synced_size_.load(std::memory_order_relaxed); }

private:
    CommitLog(std::unique_ptr<aio::File> file, LogIdentity identity);

    std::unique_ptr<aio::File> file_;
    LogIdentity identity_;
    std::atomic<std::uint64_t> size_ = 0;
    std::atomic<std::uint64_t> synced_size_ = 0;
};

}  // namespace weft::frontier

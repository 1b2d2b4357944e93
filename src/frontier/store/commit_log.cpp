#include "frontier/store/commit_log.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include <fmt/format.h>

#include "base/assert.h"
#include "base/hash.h"
#include "base/units.h"
#include "frontier/store/codec.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {
namespace {

constexpr std::string_view kFileMagic = "weftlog1";
constexpr std::size_t kFileHeadSize = 32;  // Magic, store id, number, checksum.

// The head of a frame: magic, checksum of everything behind it, size of the payload, and how much
// of the log was known to be synced when the frame was written.
constexpr std::uint32_t kFrameMagic = 0x5e7a11f3;
constexpr std::size_t kChecksumAt = 4;
constexpr std::size_t kSizeAt = 12;
constexpr std::size_t kSyncedAt = 16;
constexpr std::size_t kFrameHeadSize = 24;

constexpr std::size_t kReadStep = 1_MiB;

std::string make_file_head(LogIdentity identity) {
    std::string head(kFileMagic);
    put_fixed64(head, identity.store_id);
    put_fixed64(head, identity.number);
    put_fixed64(head, hash64(head));
    return head;
}

// Old bytes of another log, or at another place, do not pass: they are part of the seed.
std::uint64_t checksum(std::string_view frame, LogIdentity identity, std::uint64_t offset) {
    return hash64(frame.substr(kSizeAt), identity.store_id ^ (identity.number << 40) ^ offset);
}

// Reads a log from front to back through a buffer.
class LogReader {
public:
    LogReader(aio::File& file, LogIdentity identity, std::uint64_t offset)
        : file_(file), identity_(identity), offset_(offset), end_(file.size()) {}

    std::uint64_t offset() const { return offset_; }

    // The frame at offset(); nothing if there is no whole and good one. Valid until the next call.
    std::optional<std::string_view> frame() {
        const std::string_view head = peek(kFrameHeadSize);
        if (head.size() < kFrameHeadSize) return std::nullopt;
        Decoder decoder(head);
        if (decoder.fixed32() != kFrameMagic) return std::nullopt;
        const std::uint64_t sum = decoder.fixed64();
        const std::size_t size = kFrameHeadSize + decoder.fixed32();
        if (size > end_ - offset_) return std::nullopt;
        const std::string_view whole = peek(size);
        if (whole.size() < size || checksum(whole, identity_, offset_) != sum) return std::nullopt;
        return whole;
    }

    void advance(std::size_t count) {
        offset_ += count;
        begin_ += count;
    }

    // Whether the bad bytes at offset() are damage, and not just a torn tail. If the process was
    // killed, a good frame behind them is a proof. After a loss of power, later frames may be on
    // disk and earlier ones not. Then only a frame counts that says that this place was synced when
    // it was written.
    bool is_damage(CommitLog::Past past) {
        const std::uint64_t bad = offset_;
        const std::string magic(reinterpret_cast<const char*>(&kFrameMagic), sizeof kFrameMagic);
        while (offset_ + kFrameHeadSize < end_) {
            advance(1);
            const std::string_view ahead = peek(kReadStep);
            const std::size_t found = ahead.find(magic);
            // The magic may span two buffers, so the last three bytes are looked at again.
            advance(found == std::string_view::npos
                        ? ahead.size() - std::min<std::size_t>(3, ahead.size() - 1)
                        : found);
            const std::optional<std::string_view> whole = frame();
            if (!whole) continue;
            const bool was_synced = Decoder(whole->substr(kSyncedAt)).fixed64() > bad;
            if (was_synced || past == CommitLog::Past::killed) return true;
        }
        return false;
    }

private:
    // Up to `size` bytes at offset(); fewer at the end of the file.
    std::string_view peek(std::size_t size) {
        if (buffer_.size() - std::min(begin_, buffer_.size()) < size) {
            const std::uint64_t left = end_ - std::min(offset_, end_);
            buffer_.resize(std::min<std::uint64_t>(std::max(size, kReadStep), left));
            buffer_.resize(file_.read_at(offset_, buffer_));
            begin_ = 0;
        }
        return std::string_view(buffer_).substr(begin_, size);
    }

    aio::File& file_;
    LogIdentity identity_;
    std::uint64_t offset_;
    std::uint64_t end_;
    std::string buffer_;
    std::size_t begin_ = 0;
};

void check_file_head(aio::File& file, const std::filesystem::path& path, LogIdentity identity) {
    std::string head(kFileHeadSize, '\0');
    head.resize(file.read_at(0, head));
    if (head == make_file_head(identity)) return;
    throw StoreError(
        fmt::format("{} is not the log that belongs to this crawl, or its head is damaged",
                    path.string()),
        kWayOut);
}

}  // namespace

Frame::Frame() {
    clear();
}

std::size_t Frame::payload_size() const {
    return bytes_.size() - kFrameHeadSize;
}

void Frame::clear() {
    bytes_.assign(kFrameHeadSize, '\0');
}

CommitLog::CommitLog(std::unique_ptr<aio::File> file, LogIdentity identity)
    : file_(std::move(file)), identity_(identity) {}

std::unique_ptr<CommitLog> CommitLog::create(aio::FileSystem& files,
                                             const std::filesystem::path& path,
                                             LogIdentity identity) {
    std::unique_ptr<CommitLog> log(
        new CommitLog(files.open(path, aio::OpenMode::create), identity));
    log->file_->append(make_file_head(identity));
    // Synced before the manifest names it.
    log->file_->sync();
    log->size_ = log->synced_size_ = kFileHeadSize;
    return log;
}

std::unique_ptr<CommitLog> CommitLog::open(aio::FileSystem& files,
                                           const std::filesystem::path& path, LogIdentity identity,
                                           Past past, const FrameHandler& on_frame) {
    if (!files.exists(path)) {
        throw StoreError(
            fmt::format("{} is missing: what was committed last is in it", path.string()), kWayOut);
    }
    std::unique_ptr<CommitLog> log(
        new CommitLog(files.open(path, aio::OpenMode::append), identity));
    check_file_head(*log->file_, path, identity);
    LogReader reader(*log->file_, identity, kFileHeadSize);
    for (;;) {
        const std::optional<std::string_view> frame = reader.frame();
        if (!frame) break;
        if (!on_frame(frame->substr(kFrameHeadSize))) break;
        reader.advance(frame->size());
    }
    const std::uint64_t end = reader.offset();
    // A good frame here means that `on_frame` ended the log, which is no damage.
    const bool has_frame = reader.frame().has_value();
    if (!has_frame && reader.is_damage(past)) {
        throw StoreError(fmt::format("{} is damaged at byte {}: a record there was written whole "
                                     "and is not readable now",
                                     path.string(), end),
                         kWayOut);
    }
    if (log->file_->size() > end) {
        log->file_->truncate(end);
        log->file_->sync();  // Otherwise a loss of power could bring back what was cut.
    }
    log->size_ = end;
    // What the last process has synced is not known.
    log->synced_size_ = kFileHeadSize;
    return log;
}

void CommitLog::read(aio::FileSystem& files, const std::filesystem::path& path,
                     LogIdentity identity,
                     const std::function<void(std::string_view payload)>& on_frame) {
    const std::unique_ptr<aio::File> file = files.open(path, aio::OpenMode::read);
    LogReader reader(*file, identity, kFileHeadSize);
    while (const std::optional<std::string_view> frame = reader.frame()) {
        on_frame(frame->substr(kFrameHeadSize));
        reader.advance(frame->size());
    }
}

void CommitLog::append(Frame& frame) {
    std::string& bytes = frame.bytes_;
    const std::uint64_t size = frame.payload_size();
    WEFT_ASSERT(size > 0 && size < 2_GiB);
    const auto set = [&bytes](std::size_t at, auto value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    set(0, kFrameMagic);
    set(kSizeAt, static_cast<std::uint32_t>(size));
    set(kSyncedAt, synced_size());
    // Last: it covers the fields set above.
    set(kChecksumAt, checksum(bytes, identity_, this->size()));
    file_->append(bytes);
    size_.fetch_add(bytes.size(), std::memory_order_relaxed);
    frame.clear();
}

void CommitLog::append_copy(std::string_view payload) {
    Frame frame;
    frame.payload().append(payload);
    append(frame);
}

std::uint64_t CommitLog::size_of(aio::FileSystem& files, const std::filesystem::path& path) {
    return files.exists(path) ? files.open(path, aio::OpenMode::read)->size() : 0;
}

void CommitLog::sync() {
    // Read before the sync: bytes that are appended during it may not be included.
    const std::uint64_t before = size();
    file_->sync();
    synced_size_.store(before, std::memory_order_relaxed);
}

}  // namespace weft::frontier

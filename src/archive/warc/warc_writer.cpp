#include "archive/warc/warc_writer.h"

#include <deque>
#include <mutex>
#include <ranges>
#include <unordered_map>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "archive/warc/record_check.h"
#include "base/clock.h"

namespace weft::archive {

using aio::Co;

namespace {

// How much memory the buffer for packed records keeps after a large record.
constexpr std::size_t kPackedBytesKept = 1_MiB;

// The captures that were announced and have no digests yet, in the order in which they will be
// written.
class Announcements {
public:
    void add(std::weak_ptr<Capture> capture) {
        const std::lock_guard lock(mutex_);
        captures_.push_back(std::move(capture));
    }

    // Computes the digests of this capture, and of those announced after it.
    void digest(Capture& wanted) {
        const std::vector<std::shared_ptr<Capture>> others = take_others(wanted);
        std::vector<Capture*> captures = {&wanted};
        for (const auto& each : others) captures.push_back(each.get());
        fill_in_digests(captures);
    }

private:
    // Enough to keep the lanes busy, and few enough to still be in the cache when they are packed.
    static constexpr std::size_t kOtherCount = 7;

    // The captures after `wanted`. Those whose visits were given up no longer exist: only weak
    // pointers are held.
    std::vector<std::shared_ptr<Capture>> take_others(const Capture& wanted) {
        std::vector<std::shared_ptr<Capture>> others;
        const std::lock_guard lock(mutex_);
        while (others.size() < kOtherCount && !captures_.empty()) {
            std::shared_ptr<Capture> each = captures_.front().lock();
            captures_.pop_front();
            const bool is_open = each && each.get() != &wanted && each->payload_digest.empty();
            if (is_open) others.push_back(std::move(each));
        }
        return others;
    }

    std::mutex mutex_;
    std::deque<std::weak_ptr<Capture>> captures_;
};

// Where payloads were first stored. Holds the newest `count_max` of them; fewer if their URLs are
// long, so that memory is bounded too.
class KnownPayloads {
public:
    explicit KnownPayloads(std::size_t count_max) : count_max_(count_max) {}

    std::optional<Original> find(const std::string& digest) const {
        const auto found = originals_.find(digest);
        return found == originals_.end() ? std::nullopt : std::optional(found->second);
    }

    void add(const std::string& digest, Original original) {
        if (count_max_ == 0 || originals_.contains(digest)) return;
        const auto [place, is_new] = originals_.emplace(digest, std::move(original));
        if (!is_new) return;
        order_.push_back(&place->first);
        url_bytes_ += place->second.target_uri.size();
        while (order_.size() > count_max_ || url_bytes_ > kUsualUrlBytes * count_max_) {
            const auto oldest = originals_.find(*order_.front());
            order_.pop_front();
            url_bytes_ -= oldest->second.target_uri.size();
            originals_.erase(oldest);
        }
    }

private:
    static constexpr std::size_t kUsualUrlBytes = 200;

    std::size_t count_max_;
    std::size_t url_bytes_ = 0;
    std::unordered_map<std::string, Original> originals_;
    std::deque<const std::string*> order_;  // Keys of `originals_`, oldest first.
};

}  // namespace

struct WarcWriter::State {
    std::mutex mutex;  // One write at a time; guards everything below.
    std::shared_ptr<aio::FileSystem> owned_files;
    aio::FileSystem& files;
    std::filesystem::path directory;
    WarcOptions options;
    Random random;
    RecordPacker packer;
    std::string packed;       // The records that are not in the file yet.
    bool is_holding = false;  // Between hold() and flush().
    KnownPayloads payloads;
    Announcements announcements;  // Has a lock of its own.
    std::unique_ptr<aio::File> file;
    std::string file_name;
    std::string warcinfo_id;
    std::uint64_t file_bytes = 0;
    unsigned file_count;

    State(std::shared_ptr<aio::FileSystem> the_files, std::filesystem::path the_directory,
          WarcOptions the_options, std::uint64_t seed)
        : owned_files(std::move(the_files)),
          files(owned_files ? *owned_files : aio::EventLoop::running().files()),
          directory(std::move(the_directory)),
          options(std::move(the_options)),
          random(seed),
          packer(options.compression),
          payloads(options.payload_count_max),
          file_count(options.first_number) {}

    void open_file(WallTime date) {
        file_name = fmt::format("{}-{}-{:05}{}", options.prefix, to_timestamp14(date), file_count++,
                                warc_extension(options.compression.packing));
        file = files.open(directory / file_name, aio::OpenMode::create);
        file_bytes = 0;
        RecordFields fields;
        fields.type = RecordType::warcinfo;
        warcinfo_id = make_record_id(random);
        fields.id = warcinfo_id;
        fields.date = date;
        fields.filename = file_name;
        std::string block;
        for (const auto& [name, value] : options.info) append_warc_field(block, name, value);
        pack(make_record(fields, {block}).value());
        write_packed();
    }

    // Packs a record. Returns where it will be after write_packed().
    ArchivePlace pack(const WarcRecord& record) {
        const std::size_t begin = packed.size();
        packer.append(record.pieces(), packed);
        // The two line ends after a plain record are not part of its length.
        const std::size_t after = options.compression.packing == Packing::none ? 4 : 0;
        return {file_name, file_bytes + begin, packed.size() - begin - after};
    }

    void write_packed() {
        if (packed.empty()) return;
        try {
            file->append(packed);
        } catch (const Error&) {
            packed.clear();
            file.reset();  // It may end in a partial record, so the next write begins a new file.
            throw;
        }
        file_bytes += packed.size();
        packed.clear();
        if (packed.capacity() > kPackedBytesKept) packed = {};
    }

    Written write(Capture& capture) {
        const std::lock_guard lock(mutex);
        const bool is_full = file_bytes + packed.size() >= options.bytes_max;
        if (file && is_full && !capture.stays_in_file) {
            write_packed();
            // A full file is synced here, as sync() later knows only the current file.
            file->sync();
            file.reset();
        }
        if (!file) open_file(capture.date);
        if (capture.payload_digest.empty()) announcements.digest(capture);
        const unsigned status = parse_http_head(capture.head()).status;
        // Only such responses are worth a revisit: error pages and cut bodies are stored as they
        // come.
        const bool is_whole_page =
            capture.truncated == Truncated::no && !capture.body().empty() && status == 200;
        const bool is_comparable = !capture.stands_alone && is_whole_page;
        std::optional<Original> same_as;
        if (is_comparable) same_as = payloads.find(capture.payload_digest);
        // A payload of this crawl goes first.
        if (capture.earlier && !same_as) {
            const bool is_same = is_whole_page && capture.payload_digest == capture.earlier_digest;
            // A 304 has no payload of its own: its digest is that of the original, if it is known.
            if (status == 304) capture.payload_digest = capture.earlier_digest;
            if (status == 304 || is_same) same_as = capture.earlier;
        }
        const auto records =
            make_exchange_records(capture, same_as ? &*same_as : nullptr, warcinfo_id, random);
        if (!records) {
            throw Error(fmt::format("cannot archive {}: {}", capture.target_uri,
                                    describe(records.error())));
        }
        if (is_comparable && !same_as) {
            payloads.add(capture.payload_digest,
                         {records->front().id, capture.target_uri, capture.date});
        }
        Written written{.response = pack(records->front())};
        for (const WarcRecord& record : *records | std::views::drop(1)) pack(record);
        written.end = file_bytes + packed.size();
        if (!is_holding || packed.size() >= kHeldBytesMax) write_packed();
        written.is_revisit = same_as.has_value();
        written.payload_digest = capture.payload_digest;
        return written;
    }

    void hold() {
        const std::lock_guard lock(mutex);
        is_holding = true;
    }

    void flush() {
        const std::lock_guard lock(mutex);
        is_holding = false;
        write_packed();
    }

    void sync() {
        const std::lock_guard lock(mutex);
        if (!file) return;
        file->sync();
        // A new file also needs its directory entry on disk.
        files.sync_directory(directory);
    }
};

WarcWriter::WarcWriter(std::filesystem::path directory, WarcOptions options,
                       std::shared_ptr<aio::FileSystem> files) {
    state_ = std::make_shared<State>(std::move(files), std::move(directory), std::move(options),
                                     aio::EventLoop::running().random()());
    state_->files.create_directories(state_->directory);
    const std::filesystem::path parent = state_->directory.parent_path();
    state_->files.sync_directory(parent.empty() ? "." : parent);
}

WarcWriter::~WarcWriter() = default;

std::shared_ptr<Capture> WarcWriter::announce(Capture capture) {
    auto announced = std::make_shared<Capture>(std::move(capture));
    state_->announcements.add(announced);
    return announced;
}

Written WarcWriter::write(Capture& capture) {
    return state_->write(capture);
}

void WarcWriter::hold() {
    state_->hold();
}

void WarcWriter::flush() {
    state_->flush();
}

void WarcWriter::remember(const std::string& payload_digest, Original original) {
    const std::lock_guard lock(state_->mutex);
    state_->payloads.add(payload_digest, std::move(original));
}

Co<> WarcWriter::sync() {
    co_await aio::to_thread([state = state_] { state->sync(); });
}

}  // namespace weft::archive

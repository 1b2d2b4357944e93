#include "archive/warc_writer.h"

#include <mutex>
#include <unordered_map>

#include <fmt/format.h>

#include "aio/loop.h"
#include "archive/digest.h"
#include "archive/gzip_member.h"
#include "base/clock.h"

namespace weft::archive {

using aio::Co;

struct WarcWriter::State {
    std::mutex mutex;  // One write at a time; guards all below.
    aio::FileSystem& files;
    std::filesystem::path directory;
    WarcOptions options;
    Random random;
    GzipPacker packer;
    std::unique_ptr<aio::File> file;
    std::string file_name;
    std::string warcinfo_id;
    std::uint64_t file_bytes = 0;
    unsigned file_count = 0;
    std::unordered_map<std::string, Original> originals;  // By payload digest; the younger half,
    std::unordered_map<std::string, Original> older;      // and the older.

    State(aio::FileSystem& the_files, std::filesystem::path the_directory, WarcOptions the_options,
          std::uint64_t seed)
        : files(the_files),
          directory(std::move(the_directory)),
          options(std::move(the_options)),
          random(seed) {}

    void open_file(WallTime date) {
        file_name =
            fmt::format("{}-{}-{:05}.warc.gz", options.prefix, to_timestamp14(date), file_count++);
        file = files.open(directory / file_name, aio::OpenMode::create);
        file_bytes = 0;
        RecordFields fields;
        fields.type = RecordType::warcinfo;
        fields.id = warcinfo_id = make_record_id(random);
        fields.date = date;
        fields.filename = file_name;
        const std::string block = make_warc_fields(options.info);
        append(make_record(fields, {block}).value());
    }

    Position append(const WarcRecord& record) {
        std::string packed;
        const std::vector<std::string_view> pieces = record.pieces();
        packer.append_member(pieces, packed);
        file->append(packed);
        const Position position{file_name, file_bytes, packed.size()};
        file_bytes += packed.size();
        return position;
    }

    Position write(const Capture& capture) {
        const std::lock_guard lock(mutex);
        if (file && file_bytes >= options.bytes_max) {
            file->sync();
            file.reset();
        }
        if (!file) open_file(capture.date);
        const std::string_view response = capture.response;
        Exchange exchange;
        exchange.target_uri = capture.target_uri;
        exchange.date = capture.date;
        exchange.ip_address = capture.ip_address;
        exchange.protocols = capture.protocols;
        exchange.cipher_suite = capture.cipher_suite;
        exchange.warcinfo_id = warcinfo_id;
        exchange.request = capture.request;
        exchange.response_head =
            response.substr(capture.response_begin, capture.response_body - capture.response_begin);
        exchange.response_body = response.substr(capture.response_body);
        exchange.truncated = capture.truncated;
        find_original(exchange);
        const auto records = make_exchange_records(exchange, random);
        if (!records) {
            throw Error(fmt::format("cannot archive {}: {}", capture.target_uri,
                                    describe(records.error())));
        }
        const Position position = append(records->response);
        if (can_be_revisited(exchange)) {
            originals.try_emplace(records->payload_digest, records->response.id,
                                  capture.target_uri, capture.date);
        }
        if (records->request) append(*records->request);
        return position;
    }

    bool can_be_revisited(const Exchange& exchange) const {
        return options.originals_max > 0 && !exchange.same_as && !exchange.response_body.empty() &&
               exchange.truncated == Truncated::no;
    }

    void find_original(Exchange& exchange) {
        if (!can_be_revisited(exchange)) return;
        exchange.payload_digest = sha1_label({{exchange.response_body}});
        if (originals.size() * 2 >= options.originals_max) {
            older = std::move(originals);
            originals.clear();
        }
        for (const auto* half : {&originals, &older}) {
            const auto found = half->find(exchange.payload_digest);
            if (found == half->end()) continue;
            exchange.same_as = found->second;
            return;
        }
    }

    void sync() {
        const std::lock_guard lock(mutex);
        if (!file) return;
        file->sync();
        files.sync_directory(directory);
    }
};

WarcWriter::WarcWriter(std::filesystem::path directory, WarcOptions options) {
    aio::EventLoop& loop = aio::EventLoop::running();
    loop.files().create_directories(directory);
    state_ = std::make_shared<State>(loop.files(), std::move(directory), std::move(options),
                                     loop.random()());
}

WarcWriter::~WarcWriter() = default;

Co<Position> WarcWriter::write(Capture capture) {
    co_return co_await aio::to_thread(
        [state = state_, owned = std::move(capture)] { return state->write(owned); });
}

Co<> WarcWriter::sync() {
    co_await aio::to_thread([state = state_] { state->sync(); });
}

}  // namespace weft::archive

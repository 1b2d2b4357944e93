#include "cli/warc_command.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <functional>

#include <fmt/format.h>
#include <unistd.h>

#include "aio/files.h"
#include "archive/line_sorter.h"
#include "archive/record_check.h"
#include "archive/warc_file.h"
#include "archive/warc_index.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/units.h"
#include "cli/exit_status.h"
#include "cli/payload.h"
#include "web/canonical.h"
#include "web/url.h"

namespace weft::cli {
namespace {

using archive::RecordBytes;
using archive::RecordEnd;
using archive::RecordStart;
using archive::WarcFile;

// What happens with the records of a file; the views end with the call.
struct RecordHandler {
    std::function<void(const RecordStart&)> on_start = [](const RecordStart&) {};
    std::function<void(std::string_view)> on_bytes = [](std::string_view) {};
    std::function<void(const RecordEnd&)> on_end = [](const RecordEnd&) {};
};

std::unique_ptr<aio::File> open(const std::string& path) {
    return aio::SystemFiles().open(path, aio::OpenMode::read);
}

// Reads the file to its end, or to `count` records. Says on standard error what ended it early.
bool read_records(const std::string& path, std::uint64_t offset, std::uint64_t count_max,
                  const RecordHandler& handler) {
    const std::unique_ptr<aio::File> file = open(path);
    WarcFile records(*file, offset);
    std::uint64_t last_offset = offset;
    bool has_begun = false;
    for (std::uint64_t count = 0; count < count_max;) {
        const auto event = records.next();
        if (!event) {
            fmt::print(stderr, "{}: unreadable {} byte {}, and not read further: {}\n",
                       escape_for_terminal(path), has_begun ? "after the record at" : "at",
                       last_offset, describe(event.error()));
            return false;
        }
        if (const auto* start = std::get_if<RecordStart>(&*event)) {
            last_offset = start->offset;
            has_begun = true;
            handler.on_start(*start);
        }
        if (const auto* bytes = std::get_if<RecordBytes>(&*event)) handler.on_bytes(bytes->bytes);
        if (const auto* end = std::get_if<RecordEnd>(&*event)) {
            handler.on_end(*end);
            ++count;
        }
        if (std::holds_alternative<archive::FileEnd>(*event)) break;
    }
    return true;
}

constexpr std::uint64_t kAllRecords = ~std::uint64_t{0};
constexpr std::size_t kHeadBytesMax = 64_KiB;  // Of a block, to find the status in.

std::string status_of(const archive::WarcHeader& header, std::string_view block_start) {
    if (!archive::holds_http(header) || header.type() == "request") return "-";
    const unsigned status = archive::parse_http_head(block_start).status;
    return status == 0 ? "-" : std::to_string(status);
}

int list(const WarcArguments& arguments) {
    bool is_whole = true;
    for (const std::string& path : arguments.files) {
        archive::WarcHeader header;
        std::string block_start;
        const RecordHandler handler{
            .on_start =
                [&](const RecordStart& start) {
                    header = start.header;
                    block_start.clear();
                },
            .on_bytes =
                [&](std::string_view bytes) {
                    if (block_start.size() < kHeadBytesMax)
                        block_start += bytes.substr(0, kHeadBytesMax);
                },
            .on_end =
                [&](const RecordEnd& end) {
                    fmt::print("{:>12} {:>10} {:10} {:>3} {:20} {}\n", end.offset, end.length,
                               escape_for_terminal(header.type()), status_of(header, block_start),
                               escape_for_terminal(header.get("WARC-Date")),
                               escape_for_terminal(header.target_uri()));
                }};
        is_whole &= read_records(path, 0, kAllRecords, handler);
    }
    return is_whole ? exit_done : exit_file;
}

// The records as they are, headers and blocks, unpacked.
int cat(const WarcArguments& arguments) {
    bool is_whole = true;
    for (const std::string& path : arguments.files) {
        const RecordHandler handler{
            .on_start =
                [](const RecordStart& start) {
                    std::string head = std::string(start.header.version()) + "\r\n";
                    for (const auto& [name, value] : start.header.fields()) {
                        head += name + ": " + value + "\r\n";
                    }
                    head += "\r\n";
                    std::fwrite(head.data(), 1, head.size(), stdout);
                },
            .on_bytes =
                [](std::string_view bytes) { std::fwrite(bytes.data(), 1, bytes.size(), stdout); },
            .on_end = [](const RecordEnd&) { std::fputs("\r\n\r\n", stdout); }};
        is_whole &= read_records(path, arguments.offset.value_or(0),
                                 arguments.offset ? 1 : kAllRecords, handler);
    }
    return is_whole ? exit_done : exit_file;
}

// What verify has to say of one file.
class Verification {
public:
    explicit Verification(const std::string& path) : path_(escape_for_terminal(path)) {}

    bool run(const std::string& path) {
        const RecordHandler handler{.on_start = [this](const RecordStart& start) { begin(start); },
                                    .on_bytes = [this](std::string_view bytes) { take(bytes); },
                                    .on_end = [this](const RecordEnd& end) { finish(end); }};
        const bool is_readable = read_records(path, 0, kAllRecords, handler);
        if (!is_readable) ++problem_count_;
        return problem_count_ == 0;
    }

    std::string summary() const {
        return fmt::format("{}: {} records, {} digests right, {} unchecked, {} problem{}", path_,
                           record_count_, right_count_, unchecked_count_, problem_count_,
                           problem_count_ == 1 ? "" : "s");
    }

private:
    void begin(const RecordStart& start) {
        check_.emplace(start.header);
        uri_ = start.header.target_uri();
        type_ = start.header.type();
        offset_ = start.offset;
        for (const char* name : {"WARC-Type", "WARC-Record-ID", "WARC-Date"}) {
            if (!start.header.has(name)) complain(fmt::format("has no {}", name));
        }
        const bool needs_uri = type_ == "response" || type_ == "request" || type_ == "revisit" ||
                               type_ == "resource" || type_ == "conversion";
        if (needs_uri && uri_.empty()) complain("has no WARC-Target-URI");
    }

    void take(std::string_view bytes) { check_->update(bytes); }

    void finish(const RecordEnd& end) {
        ++record_count_;
        if (!end.is_complete) complain("is cut off");
        if (end.is_complete && end.is_member_cut)
            complain("has a compressed member that is cut off");
        if (end.has_stray_line) complain("is followed by text that belongs to no record");
        switch (check_->finish(end.is_complete)) {
            case archive::Verdict::right: ++right_count_; break;
            case archive::Verdict::unchecked: ++unchecked_count_; break;
            case archive::Verdict::wrong: complain("does not have the digest it says"); break;
        }
    }

    void complain(std::string_view what) {
        ++problem_count_;
        fmt::print(stderr, "{}: the {} record at byte {} {} {}\n", path_,
                   escape_for_terminal(type_), offset_, what, escape_for_terminal(uri_));
    }

    std::string path_;
    std::optional<archive::RecordCheck> check_;
    std::string uri_;
    std::string type_;
    std::uint64_t offset_ = 0;
    std::uint64_t record_count_ = 0;
    std::uint64_t right_count_ = 0;
    std::uint64_t unchecked_count_ = 0;
    std::uint64_t problem_count_ = 0;
};

int verify(const WarcArguments& arguments) {
    bool is_good = true;
    for (const std::string& path : arguments.files) {
        Verification verification(path);
        is_good &= verification.run(path);
        if (!arguments.is_quiet) fmt::print("{}\n", verification.summary());
    }
    return is_good ? exit_done : exit_file;
}

// Two addresses are the same page if their keys are.
std::string key_of(const std::string& address) {
    const auto url = web::Url::parse(address);
    return url ? web::canonical_key(*url) : address;
}

// The newest answer for the address: its content, codings undone.
int cat_url(const WarcArguments& arguments) {
    const std::string wanted = key_of(arguments.url);
    std::string newest_date;
    std::string newest_block;
    for (const std::string& path : arguments.files) {
        std::string date;
        std::string block;
        bool is_wanted = false;
        const RecordHandler handler{.on_start =
                                        [&](const RecordStart& start) {
                                            date = start.header.get("WARC-Date");
                                            is_wanted = start.header.type() == "response" &&
                                                        date >= newest_date &&
                                                        key_of(start.header.target_uri()) == wanted;
                                            block.clear();
                                        },
                                    .on_bytes =
                                        [&](std::string_view bytes) {
                                            if (is_wanted) block += bytes;
                                        },
                                    .on_end =
                                        [&](const RecordEnd&) {
                                            if (!is_wanted) return;
                                            newest_date = date;
                                            newest_block = std::move(block);
                                        }};
        read_records(path, 0, kAllRecords, handler);
    }
    if (newest_date.empty()) {
        fmt::print(stderr, "weft: error: no answer for {} in these files\n",
                   escape_for_terminal(arguments.url));
        return exit_broken;
    }
    const auto payload = payload_of(newest_block);
    if (!payload) {
        fmt::print(stderr, "weft: error: {}: {}\n", escape_for_terminal(arguments.url),
                   payload.error());
        return exit_protocol;
    }
    std::fwrite(payload->data(), 1, payload->size(), stdout);
    return exit_done;
}

// A sorted CDXJ index of all files together.
int index(const WarcArguments& arguments) {
    aio::SystemFiles files;
    const char* scratch = std::getenv("TMPDIR");
    archive::LineSorter sorter(
        files, fmt::format("{}/weft-index-{}", scratch ? scratch : "/tmp", getpid()));
    bool is_whole = true;
    for (const std::string& path : arguments.files) {
        archive::RecordIndexer indexer(std::filesystem::path(path).filename().string());
        const RecordHandler handler{
            .on_start = [&](const RecordStart& start) { indexer.begin(start); },
            .on_bytes = [&](std::string_view bytes) { indexer.take(bytes); },
            .on_end =
                [&](const RecordEnd& end) {
                    if (const auto entry = indexer.finish(end)) {
                        sorter.add(archive::make_cdxj_line(*entry));
                    }
                }};
        is_whole &= read_records(path, 0, kAllRecords, handler);
    }
    sorter.finish([](std::string_view line) { std::fwrite(line.data(), 1, line.size(), stdout); });
    return is_whole ? exit_done : exit_file;
}

}  // namespace

void add_warc(CLI::App& app, WarcArguments& arguments) {
    CLI::App* warc = app.add_subcommand("warc", "Look into WARC files");
    warc->require_subcommand(1);
    const auto add = [&](const char* name, const char* what) {
        CLI::App* command = warc->add_subcommand(name, what);
        if (std::string_view(name) == "cat-url") {
            command->add_option("url", arguments.url, "the address")->required()->type_name("");
        }
        command->add_option("file", arguments.files, "WARC files, plain or packed")
            ->required()
            ->type_name("");
        return command;
    };
    add("ls", "A line a record: offset, length, type, status, date, address");
    add("cat", "The records unpacked")
        ->add_option("--offset", arguments.offset, "only the record at this byte of the file")
        ->type_name("N");
    add("verify", "Check every record and its digests; exit status 3 if one is bad")
        ->add_flag("-q,--quiet", arguments.is_quiet, "say nothing of what is good");
    add("index", "A CDXJ index of the files, sorted, as replay tools search it");
    add("cat-url", "The content of the newest answer for an address, codings undone");
}

int run_warc(const CLI::App& app, const WarcArguments& arguments) {
    std::signal(SIGPIPE, SIG_DFL);  // `weft warc ls FILE | head` ends as other tools do.
    const CLI::App* warc = app.get_subcommand("warc");
    if (warc->got_subcommand("ls")) return list(arguments);
    if (warc->got_subcommand("cat")) return cat(arguments);
    if (warc->got_subcommand("verify")) return verify(arguments);
    if (warc->got_subcommand("index")) return index(arguments);
    return cat_url(arguments);
}

}  // namespace weft::cli

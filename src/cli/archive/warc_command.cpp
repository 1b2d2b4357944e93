#include "cli/archive/warc_command.h"

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <span>

#include <fmt/format.h>
#include <unistd.h>

#include "aio/files/files.h"
#include "archive/index/line_sorter.h"
#include "archive/index/warc_index.h"
#include "archive/warc/record_check.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/units.h"
#include "cli/archive/warc_answer.h"
#include "cli/archive/warc_inputs.h"
#include "cli/archive/warc_records.h"
#include "cli/options/option_table.h"
#include "cli/show/exit_status.h"
#include "cli/show/terminal_guard.h"

namespace weft::cli {
namespace {

using archive::RecordEnd;
using archive::RecordStart;
using Inputs = std::vector<WarcInput>;

constexpr std::size_t kHeadBytesMax = 64_KiB;  // Of a block, to find the HTTP status.

std::string status_of(const archive::WarcHeader& header, std::string_view block_start) {
    if (!archive::holds_http(header) || header.type() == "request") return "-";
    const unsigned status = archive::parse_http_head(block_start).status;
    return status == 0 ? "-" : std::to_string(status);
}

int list(const Inputs& inputs) {
    bool is_whole = true;
    for (const WarcInput& input : inputs) {
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
        is_whole &= read_records(input, 0, kAllRecords, handler);
    }
    return is_whole ? exit_done : exit_file;
}

// Prints the records, headers and blocks, uncompressed and otherwise unchanged.
int cat(const Inputs& inputs, std::optional<std::uint64_t> offset) {
    bool is_whole = true;
    for (const WarcInput& input : inputs) {
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
        is_whole &= read_records(input, offset.value_or(0), offset ? 1 : kAllRecords, handler);
    }
    return is_whole ? exit_done : exit_file;
}

// The verification of one file.
class Verification {
public:
    explicit Verification(const WarcInput& input) : path_(input.shown) {}

    bool run(const WarcInput& input) {
        const RecordHandler handler{.on_start = [this](const RecordStart& start) { begin(start); },
                                    .on_bytes = [this](std::string_view bytes) { take(bytes); },
                                    .on_end = [this](const RecordEnd& end) { finish(end); }};
        const bool is_readable = read_records(input, 0, kAllRecords, handler);
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
        // The mandatory fields of WARC 1.1, section 5. Content-Length is checked by the reader.
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
            case archive::Verdict::wrong: complain("does not match its digest"); break;
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

int verify(const Inputs& inputs, bool is_quiet) {
    bool is_good = true;
    for (const WarcInput& input : inputs) {
        Verification verification(input);
        is_good &= verification.run(input);
        if (!is_quiet) fmt::print("{}\n", verification.summary());
    }
    return is_good ? exit_done : exit_file;
}

// Prints one sorted CDXJ index of all files. The sorting uses temporary files, so memory is
// bounded.
int index(const Inputs& inputs) {
    aio::SystemFiles files;
    const char* scratch = std::getenv("TMPDIR");
    archive::LineSorter sorter(
        files, fmt::format("{}/weft-index-{}", scratch ? scratch : "/tmp", getpid()));
    bool is_whole = true;
    for (const WarcInput& input : inputs) {
        archive::RecordIndexer indexer(input.name);
        const RecordHandler handler{
            .on_start = [&](const RecordStart& start) { indexer.begin(start); },
            .on_bytes = [&](std::string_view bytes) { indexer.take(bytes); },
            .on_end =
                [&](const RecordEnd& end) {
                    if (const auto entry = indexer.finish(end)) {
                        sorter.add(archive::make_cdxj_line(*entry));
                    }
                }};
        is_whole &= read_records(input, 0, kAllRecords, handler);
    }
    sorter.finish([](std::string_view line) { std::fwrite(line.data(), 1, line.size(), stdout); });
    return is_whole ? exit_done : exit_file;
}

constexpr OptionSpec<WarcArguments> kCat[] = {
    {"--offset", "N", "only the record at this byte of the file",
     [](auto& warc) { return number(warc.offset); }},
};

constexpr OptionSpec<WarcArguments> kVerify[] = {
    {"-q,--quiet", "", "report only damaged records",
     [](auto& warc) { return flag(warc.is_quiet); }},
};

constexpr OptionSpec<WarcArguments> kCatUrl[] = {
    {"--ignore-digests", "", "even if its digest is wrong",
     [](auto& warc) { return flag(warc.ignores_digests); }},
};

}  // namespace

void add_warc(CLI::App& app, WarcArguments& arguments) {
    CLI::App* warc = app.add_subcommand("warc", "Look into WARC files");
    warc->require_subcommand(1);
    const auto add = [&](const char* name, const char* what,
                         std::span<const OptionSpec<WarcArguments>> rows = {}) {
        CLI::App* command = warc->add_subcommand(name, what);
        if (std::string_view(name) == "cat-url") {
            command->add_option("url", arguments.url, "the URL")->required()->type_name("");
        }
        command->add_option("file", arguments.files, "WARC files, plain or packed, and WACZ files")
            ->required()
            ->type_name("");
        add_options(*command, "Options", rows, arguments);
    };
    add("ls", "List the records, one a line: offset, length, type, status, date, URL");
    add("cat", "Write the records, decompressed", kCat);
    add("verify", "Check every record and its digests; exit status 3 if one is bad", kVerify);
    add("index", "Write a CDXJ index of the files, sorted, as replay tools search it");
    add("cat-url", "Write the content of the newest answer for a URL, decoded", kCatUrl);
}

int run_warc(const CLI::App& command, const WarcArguments& arguments) {
    guard_terminal();               // Stored content is printed unchanged.
    std::signal(SIGPIPE, SIG_DFL);  // `weft warc ls FILE | head` ends as in other tools.
    const Inputs inputs = warc_inputs(arguments.files);
    if (command.got_subcommand("ls")) return list(inputs);
    if (command.got_subcommand("cat")) {
        if (arguments.offset && inputs.size() > 1) {
            throw UsageError("--offset is a place in one WARC file: name only that file");
        }
        return cat(inputs, arguments.offset);
    }
    if (command.got_subcommand("verify")) return verify(inputs, arguments.is_quiet);
    if (command.got_subcommand("index")) return index(inputs);
    return write_answer(inputs, arguments.url, arguments.ignores_digests);
}

}  // namespace weft::cli

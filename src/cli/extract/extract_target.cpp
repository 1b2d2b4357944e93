#include "cli/extract/extract_target.h"

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

#include <fmt/format.h>

#include "archive/index/lines.h"
#include "base/error.h"
#include "base/escape.h"
#include "cli/fetch/fetch_output.h"
#include "cli/show/terminal_guard.h"
#include "crawl/extract/markdown_folder.h"
#include "crawl/extract/replaced_file.h"
#include "crawl/extract/text_output.h"
#include "crawl/extract/wet_output.h"
#include "crawl/folder/folder.h"

namespace weft::cli {
namespace {

using crawl::ByteSink;

// end_output() reports what standard output does not take; here it only ends the work.
class StandardOutput final : public ByteSink {
public:
    void write(std::string_view bytes) override {
        if (std::fwrite(bytes.data(), 1, bytes.size(), stdout) != bytes.size()) fail();
    }
    void finish() override {
        if (std::fflush(stdout) != 0) fail();
    }

private:
    [[noreturn]] static void fail() { throw std::system_error(errno, std::generic_category()); }
};

// A pipe or a device: it is written to, not replaced.
class OpenedOutput final : public ByteSink {
public:
    explicit OpenedOutput(const std::string& path) : output_(path) {}
    void write(std::string_view bytes) override { output_.write(bytes); }
    void finish() override {
        output_.open();
        output_.close();
    }

private:
    FetchOutput output_;
};

std::string default_name(const ExtractArguments& arguments) {
    const std::string stem = arguments.rules.rules_file.empty() ? "text" : "items";
    switch (arguments.format) {
        case ExtractFormat::csv: return stem + ".csv";
        case ExtractFormat::wet: return stem + ".warc.wet.gz";
        default: return stem + ".jsonl";
    }
}

// Whether the crawl writes pages/text.jsonl itself (`--text`): it counts the bytes in it. In
// folders of older versions `text = true` was about another file.
bool keeps_text(aio::FileSystem& files, const std::filesystem::path& folder) {
    if (!files.exists(folder / crawl::CrawlFolder::kSettingsName)) return false;
    const std::string settings = crawl::CrawlFolder::settings(files, folder);
    for (std::string_view rest = settings; !rest.empty();) {
        const std::string_view line = archive::take_line(rest);
        if (line == "text = 'plain'" || line == "text = 'markdown'") return true;
        if (line == "text = true") return files.exists(folder / "pages" / "text.jsonl");
    }
    return false;
}

// Nobody else writes to the folder while the result is.
std::unique_ptr<aio::FileLock> lock_folder(const ExtractSources& sources) {
    const std::filesystem::path lock =
        std::filesystem::path(sources.folder) / "state" / "frontier" / "lock";
    if (!sources.files->exists(lock)) return nullptr;
    auto held = sources.files->try_lock(lock);
    if (held) return held;
    throw UsageError(
        fmt::format("the crawl in {} is running: wait for its end, or name a file with "
                    "--output",
                    escape_for_terminal(sources.folder)));
}

std::unique_ptr<ByteSink> sink_in_folder(const ExtractArguments& arguments,
                                         const ExtractSources& sources, ExtractTarget& target) {
    const std::filesystem::path folder = sources.folder;
    const std::string name = default_name(arguments);
    if (name == "text.jsonl" && keeps_text(*sources.files, folder)) {
        throw UsageError(
            fmt::format("the crawl in {} writes its pages/text.jsonl itself: name another file "
                        "with --output",
                        escape_for_terminal(sources.folder)));
    }
    target.lock = lock_folder(sources);
    const std::filesystem::path path = folder / "pages" / name;
    target.shown = escape_for_terminal(path.string());
    return std::make_unique<crawl::ReplacedFile>(*sources.files, path);
}

std::unique_ptr<ByteSink> sink_at(const std::string& path, ExtractTarget& target) {
    static aio::SystemFiles all;  // tidy: allow shared-state: it holds nothing.
    target.shown = escape_for_terminal(path);
    std::error_code none;
    // tidy: allow banned-call: no loop runs yet
    const std::filesystem::file_type type = std::filesystem::status(path, none).type();
    if (type == std::filesystem::file_type::directory)
        throw UsageError(fmt::format("{} is a folder: name a file", target.shown));
    if (type == std::filesystem::file_type::not_found ||
        type == std::filesystem::file_type::regular)
        return std::make_unique<crawl::ReplacedFile>(all, path);
    return std::make_unique<OpenedOutput>(path);
}

std::unique_ptr<ByteSink> open_sink(const ExtractArguments& arguments,
                                    const ExtractSources& sources, ExtractTarget& target) {
    if (arguments.output.empty() && !sources.folder.empty())
        return sink_in_folder(arguments, sources, target);
    if (!arguments.output.empty() && arguments.output != "-")
        return sink_at(arguments.output, target);
    guard_terminal();  // Texts are from outside.
    return std::make_unique<StandardOutput>();
}

}  // namespace

extract::TextForm text_form_of(const ExtractArguments& arguments) {
    if (arguments.text) return *arguments.text;
    return arguments.format == ExtractFormat::markdown ? extract::TextForm::markdown
                                                       : extract::TextForm::plain;
}

void check_extract_options(const ExtractArguments& arguments) {
    const bool has_rules = !arguments.rules.rules_file.empty();
    if (has_rules && (arguments.text || arguments.whole_page))
        throw UsageError("--rules writes rows of fields: leave out --text and --whole-page");
    if (arguments.structured && (has_rules || arguments.format != ExtractFormat::jsonl))
        throw UsageError(fmt::format("--structured adds to the lines of pages: leave out {}",
                                     has_rules ? "--rules" : "--format, or take jsonl"));
    const bool is_markdown = arguments.format == ExtractFormat::markdown;
    const bool is_wet = arguments.format == ExtractFormat::wet;
    if ((is_markdown || is_wet) && arguments.rules.wants_fields())
        throw UsageError(
            fmt::format("--format {} has no place for fields: leave out --select and "
                        "--rules, or take jsonl or csv",
                        is_wet ? "wet" : "markdown"));
    if (is_markdown && (arguments.output.empty() || arguments.output == "-"))
        throw UsageError(
            "--format markdown writes a file for each page: name a folder with "
            "--output");
    if (is_markdown && text_form_of(arguments) != extract::TextForm::markdown)
        throw UsageError("--format markdown and --text plain contradict each other");
    if (is_wet && text_form_of(arguments) != extract::TextForm::plain)
        throw UsageError("a WET file has plain text: leave out --text markdown");
}

ExtractTarget open_target(const ExtractArguments& arguments, const ExtractSources& sources,
                          const extract::Rules* rules) {
    static aio::SystemFiles all;  // tidy: allow shared-state: it holds nothing.
    ExtractTarget target;
    if (arguments.format == ExtractFormat::markdown) {
        target.shown = escape_for_terminal(arguments.output);
        target.output = std::make_unique<crawl::MarkdownFolder>(all, arguments.output);
        return target;
    }
    std::unique_ptr<ByteSink> sink = open_sink(arguments, sources, target);
    const bool is_csv = arguments.format == ExtractFormat::csv;
    if (arguments.format == ExtractFormat::wet) {
        target.output = std::make_unique<crawl::WetOutput>(std::move(sink), "weft/" WEFT_VERSION,
                                                           SystemClock().wall());
    } else if (rules && !rules->rules.empty()) {
        if (is_csv) {
            target.output = std::make_unique<crawl::RowTable>(std::move(sink), *rules);
        } else {
            target.output = std::make_unique<crawl::RowLines>(std::move(sink));
        }
    } else if (is_csv) {
        target.output =
            std::make_unique<crawl::TextTable>(std::move(sink), text_form_of(arguments), rules);
    } else {
        target.output =
            std::make_unique<crawl::TextLines>(std::move(sink), text_form_of(arguments));
    }
    return target;
}

}  // namespace weft::cli

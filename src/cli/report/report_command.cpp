#include "cli/report/report_command.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdio>

#include <fmt/format.h>

#include "archive/index/page_reader.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "base/units.h"
#include "cli/crawl/crawl_folder.h"
#include "cli/crawl/private_files.h"
#include "cli/options/folder_settings.h"
#include "cli/options/option_table.h"
#include "cli/options/value_checks.h"
#include "cli/report/report_graph.h"
#include "cli/show/exit_status.h"
#include "frontier/store/store_snapshot.h"

namespace weft::cli {
namespace {

struct ReportForm {
    const char* name;
    std::string (*write)(const Report&);
};

constexpr ReportForm kReportForms[] = {
    {"text", to_text}, {"json", to_json},         {"csv", to_csv},
    {"html", to_html}, {"markdown", to_markdown},
};

Choices<std::string> report_form_names() {
    Choices<std::string> names;
    for (const ReportForm& form : kReportForms) names.emplace_back(form.name, form.name);
    names.emplace_back("urls", "urls");
    return names;
}

// Standard output, or a file that replaces the old one when everything is written.
class Output {
public:
    Output(aio::FileSystem& files, const std::string& path) : files_(files), path_(path) {
        if (path_.empty()) return;
        files_.remove(beside());
        file_ = files_.open(beside(), aio::OpenMode::create);
    }

    void write(std::string_view text) {
        pending_ += text;
        if (pending_.size() >= kBlockBytes) flush();
    }

    void finish() {
        flush();
        if (file_) files_.rename(beside(), path_);
    }

private:
    static constexpr std::size_t kBlockBytes = 256_KiB;

    std::string beside() const { return path_ + ".new"; }

    void flush() {
        const std::string text = std::exchange(pending_, {});
        if (file_) {
            file_->append(text);
        } else {
            std::fwrite(text.data(), 1, text.size(), stdout);
        }
    }

    aio::FileSystem& files_;
    std::string path_;
    std::unique_ptr<aio::File> file_;
    std::string pending_;
};

constexpr OptionSpec<ReportArguments> kReport[] = {
    {"-f,--format", "FORM", "text, json, csv, html, markdown or urls (one URL a line)",
     [](auto& report) { return choice(report.format, report_form_names()); }},
    {"--graph", "FORM", "write the graph of pages and links instead: dot or graphml",
     [](auto& report) { return choice(report.graph, {{"dot", "dot"}, {"graphml", "graphml"}}); }},
    {"-o,--output", "FILE", "write the report to this file",
     [](auto& report) { return text(report.output); }},
};

}  // namespace

void add_report(CLI::App& app, ReportArguments& arguments) {
    CLI::App* report = app.add_subcommand("report", "Show the report of a crawl again");
    report->add_option("folder", arguments.folder, "folder of the crawl, which may still run")
        ->required()
        ->type_name("");
    add_options(*report, "Options", kReport, arguments);
}

Report make_report(aio::FileSystem& files, const std::filesystem::path& folder) {
    const std::unique_ptr<aio::File> pages =
        files.open(folder / "pages" / "pages.jsonl", aio::OpenMode::read);
    const KeptFacts facts = kept_facts(files, folder);
    ReportBuilder builder(facts.keeps_session_ids, facts.memory_bytes);
    const archive::DamagedLines damaged =
        archive::read_pages(*pages, [&](const archive::Outcome& entry) { builder.add(entry); });
    if (builder.wants_links()) {
        archive::read_pages(*pages,
                            [&](const archive::Outcome& entry) { builder.add_links(entry); });
    }
    Report report = builder.finish(facts.begun);
    report.output = folder.string();
    report.damaged = damaged;
    return report;
}

int run_report(const ReportArguments& arguments) {
    // Before any file is made.
    keep_private_as(arguments.folder);
    const std::filesystem::path folder = arguments.folder;
    const std::unique_ptr<aio::FileSystem> inside = open_crawl_folder(folder);
    aio::FileSystem& files = *inside;
    if (!files.exists(folder / "pages" / "pages.jsonl")) {
        throw UsageError(fmt::format("{} holds no crawl: there is no pages/pages.jsonl in it",
                                     escape_for_terminal(arguments.folder)));
    }
    // The output may be anywhere, so it is written outside of `inside`.
    aio::SystemFiles all;
    Output output(all, arguments.output);
    archive::DamagedLines damaged;
    const TextSink sink = [&output](std::string_view text) { output.write(text); };
    if (!arguments.graph.empty()) {
        write_graph(files, folder, arguments.graph == "dot" ? GraphForm::dot : GraphForm::graphml,
                    sink);
    } else if (arguments.format == "urls") {
        write_reference(files, folder, sink);
    } else {
        Report report = make_report(files, folder);
        report.waiting_count = waiting_count(files, folder);
        report.not_stored_count = not_stored_count(files, folder);
        const auto* form =
            std::ranges::find(kReportForms, arguments.format,
                              [](const ReportForm& each) { return std::string(each.name); });
        output.write(form->write(report));
        damaged = report.damaged;
    }
    output.finish();
    // The report is printed first: the lines that can be read are still of use.
    if (damaged.count == 0) return exit_done;
    fmt::print(stderr,
               "weft: error: {} of {} cannot be read, the first is line {}, so the report lacks "
               "these URLs. `weft repair {}` restores them\n",
               damaged.count == 1 ? "1 line" : fmt::format("{} lines", damaged.count),
               escape_for_terminal((folder / "pages/pages.jsonl").string()), damaged.first,
               shell_word(arguments.folder));
    return exit_file;
}

namespace {

// One number, over all runs of the crawl.
constexpr const char* kNotStoredName = "state/not-stored";

}  // namespace

std::uint64_t not_stored_count(aio::FileSystem& files, const std::filesystem::path& folder) {
    if (!files.exists(folder / kNotStoredName)) return 0;
    const std::string text = files.read_all(folder / kNotStoredName, 64);
    std::uint64_t count = 0;
    std::from_chars(text.data(), text.data() + text.size(), count);
    return count;
}

void add_not_stored(aio::FileSystem& files, const std::filesystem::path& folder,
                    std::uint64_t count) {
    if (count == 0) return;
    count += not_stored_count(files, folder);
    files.write_all(folder / kNotStoredName, fmt::format("{}\n", count));
}

std::uint64_t waiting_count(aio::FileSystem& files, const std::filesystem::path& folder) {
    try {
        return frontier::counts_in_store(files, folder / "state" / "frontier").waiting;
    } catch (const Error&) {
        return 0;  // A folder without its state can still be reported on.
    }
}

}  // namespace weft::cli

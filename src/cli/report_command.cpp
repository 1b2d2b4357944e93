#include "cli/report_command.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include <fmt/format.h>

#include "archive/page_reader.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/units.h"
#include "cli/exit_status.h"
#include "cli/kept_config.h"
#include "cli/report_graph.h"
#include "cli/value_checks.h"
#include "frontier/glance.h"

namespace weft::cli {
namespace {

struct Form {
    const char* name;
    std::string (*write)(const Report&);
};

constexpr Form kForms[] = {
    {"text", to_text}, {"json", to_json},         {"csv", to_csv},
    {"html", to_html}, {"markdown", to_markdown},
};

std::vector<std::string> form_names() {
    std::vector<std::string> names;
    for (const Form& form : kForms) names.emplace_back(form.name);
    names.emplace_back("urls");
    return names;
}

// Standard output, or a file that is replaced when all is written.
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

}  // namespace

void add_report(CLI::App& app, ReportArguments& arguments) {
    CLI::App* report = app.add_subcommand("report", "Show the report of a crawl again");
    report->add_option("folder", arguments.folder, "of the crawl, which may still run")
        ->required()
        ->type_name("");
    report
        ->add_option("-f,--format", arguments.format,
                     "text, json, csv, html, markdown or urls (a line for each)")
        ->capture_default_str()
        ->check(one_of(form_names()))
        ->type_name("FORM");
    report
        ->add_option("--graph", arguments.graph,
                     "pages and links instead, for other programs: dot or graphml")
        ->check(one_of({"dot", "graphml"}))
        ->type_name("FORM");
    report->add_option("-o,--output", arguments.output, "write it to a file")->type_name("FILE");
}

Report make_report(aio::FileSystem& files, const std::filesystem::path& folder) {
    const std::unique_ptr<aio::File> pages =
        files.open(folder / "pages" / "pages.jsonl", aio::OpenMode::read);
    const KeptFacts facts = kept_facts(files, folder);
    ReportBuilder builder(facts.keeps_session_ids);
    archive::read_pages(*pages, [&](const archive::PageEntry& entry) { builder.add(entry); });
    if (builder.wants_links()) {
        archive::read_pages(*pages,
                            [&](const archive::PageEntry& entry) { builder.add_links(entry); });
    }
    Report report = builder.finish(facts.begun);
    report.output = folder.string();
    return report;
}

int run_report(const ReportArguments& arguments) {
    aio::SystemFiles files;
    const std::filesystem::path folder = arguments.folder;
    if (!files.exists(folder / "pages" / "pages.jsonl")) {
        throw UsageError(fmt::format("{} holds no crawl: there is no pages/pages.jsonl in it",
                                     escape_for_terminal(arguments.folder)));
    }
    Output output(files, arguments.output);
    const TextSink sink = [&output](std::string_view text) { output.write(text); };
    if (!arguments.graph.empty()) {
        write_graph(files, folder, arguments.graph == "dot" ? GraphForm::dot : GraphForm::graphml,
                    sink);
    } else if (arguments.format == "urls") {
        write_reference(files, folder, sink);
    } else {
        Report report = make_report(files, folder);
        report.waiting_count = waiting_count(files, folder);
        const auto* form = std::ranges::find(
            kForms, arguments.format, [](const Form& each) { return std::string(each.name); });
        output.write(form->write(report));
    }
    output.finish();
    return exit_done;
}

std::uint64_t waiting_count(aio::FileSystem& files, const std::filesystem::path& folder) {
    try {
        return frontier::glance_counts(files, folder / "state" / "frontier").waiting;
    } catch (const Error&) {
        return 0;  // A folder that has come without its state is as good.
    }
}

}  // namespace weft::cli

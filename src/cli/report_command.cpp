#include "cli/report_command.h"

#include <CLI/CLI.hpp>
#include <cstdio>

#include <fmt/format.h>

#include "archive/page_reader.h"
#include "base/error.h"
#include "base/escape.h"
#include "cli/exit_status.h"

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
    return names;
}

}  // namespace

void add_report(CLI::App& app, ReportArguments& arguments) {
    CLI::App* report = app.add_subcommand("report", "Show the report of a crawl again");
    report->add_option("folder", arguments.folder, "of the crawl, which may still run")
        ->required()
        ->type_name("");
    report->add_option("-f,--format", arguments.format, "text, json, csv, html or markdown")
        ->capture_default_str()
        ->check(CLI::IsMember(form_names()))
        ->type_name("FORM");
    report->add_option("-o,--output", arguments.output, "write it to a file")->type_name("FILE");
}

Report make_report(aio::FileSystem& files, const std::filesystem::path& folder) {
    const std::unique_ptr<aio::File> pages =
        files.open(folder / "pages" / "pages.jsonl", aio::OpenMode::read);
    ReportBuilder builder;
    archive::read_pages(*pages, [&](const archive::PageEntry& entry) { builder.add(entry); });
    if (builder.wants_links()) {
        archive::read_pages(*pages,
                            [&](const archive::PageEntry& entry) { builder.add_links(entry); });
    }
    Report report = builder.finish();
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
    const Report report = make_report(files, folder);
    const auto* form = std::ranges::find(kForms, arguments.format,
                                         [](const Form& each) { return std::string(each.name); });
    const std::string text = form->write(report);
    if (!arguments.output.empty()) {
        files.write_all(arguments.output, text);
    } else {
        std::fwrite(text.data(), 1, text.size(), stdout);
    }
    return exit_done;
}

}  // namespace weft::cli

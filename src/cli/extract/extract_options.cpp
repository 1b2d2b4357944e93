#include <CLI/CLI.hpp>

#include "cli/crawl/progress.h"
#include "cli/extract/extract_command.h"
#include "cli/options/option_table.h"

namespace weft::cli {
namespace {

using ExtractRow = OptionSpec<ExtractArguments>;

std::string complaint_about_url_pattern(const std::string& typed) {
    const auto pattern = web::Pattern::parse(typed);
    return pattern ? "" : pattern.error();
}

OptionValue url_patterns(std::vector<web::Pattern>& field) {
    return texts(
        [&field](const std::string& typed) { field.push_back(web::Pattern::parse(typed).value()); },
        complaint_about_url_pattern);
}

OptionValue text_form(std::optional<extract::TextForm>& field) {
    OptionValue value = text([&field](const std::string& typed) {
        field = typed == "plain" ? extract::TextForm::plain : extract::TextForm::markdown;
    });
    value.check = one_of({"plain", "markdown"});
    return value;
}

OptionValue progress_form(std::string& field) {
    OptionValue value = text(field);
    value.check = one_of(progress_names());
    return value;
}

constexpr ExtractRow kWhich[] = {
    {"--exclude", "PATTERN", "leave out pages whose URL matches: a regular expression, or glob:...",
     [](auto& extract) { return url_patterns(extract.exclude); }},
    {"--include", "PATTERN", "only pages whose URL matches",
     [](auto& extract) { return url_patterns(extract.include); }},
    {"--unique", "", "leave out copies: pages with the same text as one before, or nearly the same",
     [](auto& extract) { return flag(extract.is_unique); }},
};

constexpr ExtractRow kWhat[] = {
    {"--structured", "", "add JSON-LD and microdata, whole, to the lines",
     [](auto& extract) { return flag(extract.structured); }},
    {"--text", "FORM",
     "of the text: plain or markdown (default: plain; markdown for --format markdown)",
     [](auto& extract) { return text_form(extract.text); }},
    {"--whole-page", "", "the text with menus, footers and the like, too",
     [](auto& extract) { return flag(extract.whole_page); }},
};

constexpr ExtractRow kWhere[] = {
    {"--format", "FORM",
     "jsonl: a line for each page or row; csv: a table of them; markdown: a file for each page; "
     "wet: a WARC file of texts, as Common Crawl's",
     [](auto& extract) {
         return choice(extract.format, {{"jsonl", ExtractFormat::jsonl},
                                        {"csv", ExtractFormat::csv},
                                        {"markdown", ExtractFormat::markdown},
                                        {"wet", ExtractFormat::wet}});
     }},
    {"-o,--output", "PATH",
     "file to write, or folder for markdown; -: standard output (default: pages/text.jsonl in the "
     "folder of the crawl, pages/items.jsonl for rows; standard output for files)",
     [](auto& extract) { return text(extract.output); }},
    {"--progress", "FORM",
     "bar, plain (or dot), json or none, on standard error (default: bar on a terminal, else "
     "plain)",
     [](auto& extract) { return progress_form(extract.progress); }},
    {"-q,--quiet", "", "no progress, no report",
     [](auto& extract) { return flag(extract.is_quiet); }},
    {"--threads", "N", "threads that extract (default: one for each core)",
     [](auto& extract) { return number(extract.threads, 1U, 1'024U); }},
};

}  // namespace

void add_extract(CLI::App& app, ExtractArguments& arguments) {
    CLI::App* extract =
        app.add_subcommand("extract", "Get texts, fields and tables from crawls and WARC files");
    extract
        ->add_option("path", arguments.paths,
                     "folder of a crawl, or WARC files, plain or packed, and WACZ files")
        ->required()
        ->type_name("");
    add_options(*extract, "Which pages", kWhich, arguments);
    add_options(*extract, "What of them", rule_rows(), arguments.rules);
    add_options(*extract, "What of them", use_rows(), arguments.use);
    add_options(*extract, "What of them", kWhat, arguments);
    add_options(*extract, "Where it goes", kWhere, arguments);
    exclude_each_other(*extract, {"--rules", "--select"});
    extract->footer("Example: weft extract --text markdown --unique crawl");
}

}  // namespace weft::cli

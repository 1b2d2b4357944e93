#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/extract/rule_options.h"
#include "cli/extract/use_options.h"
#include "extract/extractor.h"
#include "web/url/pattern.h"

namespace CLI {
class App;
}

namespace weft::cli {

enum class ExtractFormat { jsonl, csv, markdown, wet };

// `weft extract`, as typed.
struct ExtractArguments {
    std::vector<std::string> paths;  // Folders of crawls, WARC files and WACZ files.
    std::string output;              // Empty: see run_extract(). "-": standard output.
    ExtractFormat format = ExtractFormat::jsonl;
    std::optional<extract::TextForm> text;
    bool whole_page = false;
    bool structured = false;
    UseArguments use;
    RuleArguments rules;
    std::vector<web::Pattern> include;
    std::vector<web::Pattern> exclude;
    bool is_unique = false;
    std::optional<unsigned> threads;  // Empty: one for each core.
    std::string progress;
    bool is_quiet = false;
};

void add_extract(CLI::App& app, ExtractArguments& arguments);

// Extracts the pages of archives. By default the result replaces a file in the folder of the crawl
// (pages/text.jsonl, or pages/items.jsonl for rows); that of files goes to standard output. Returns
// exit_file if something was damaged. Throws UsageError, IoError or ArchiveError.
int run_extract(const ExtractArguments& arguments);

}  // namespace weft::cli

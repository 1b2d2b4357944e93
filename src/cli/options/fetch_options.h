#pragma once

#include <string>
#include <vector>

#include "cli/extract/rule_options.h"
#include "cli/options/access_options.h"

namespace weft::cli {

// `weft fetch`. An option is parsed straight into the field that it sets; make_plan() does the
// rest.
struct FetchArguments {
    FetchArguments();

    std::string url;
    AccessOptions access;

    // The request.
    std::string method;
    bool head = false;
    std::vector<std::string> data;
    std::string range;
    int redirect_count_max = limits::kRedirectCountMax;

    // The response.
    std::string output;
    bool remote_name = false;
    bool verbose = false;
    bool quiet = false;
    bool json = false;
    bool markdown = false;
    bool plain_text = false;
    bool whole_page = false;  // Of a text.
    bool structured = false;
    RuleArguments rules;
    bool is_csv = false;  // Of fields and rows.

    bool wants_text() const { return markdown || plain_text; }
    // The page is read, and its bytes are not shown.
    bool reads_page() const { return wants_text() || rules.wants_fields() || structured; }
    // Several of these are members of one line, as in text.jsonl.
    bool wants_line() const { return wants_text() + !rules.select.empty() + structured > 1; }

    std::string tls_sessions;  // A file.
};

// Adds the command with its options.
void add_fetch(CLI::App& app, FetchArguments& arguments);

}  // namespace weft::cli

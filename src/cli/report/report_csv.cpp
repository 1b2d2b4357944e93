#include <fmt/format.h>

#include "base/escape.h"
#include "cli/report/report.h"

namespace weft::cli {
namespace {

// A quoted cell. If it begins like a formula, a quote mark is put in front, so that no spreadsheet
// evaluates it (H103). Control characters are escaped as for a terminal, so a cell is always one
// line.
std::string cell(std::string_view text) {
    std::string out = "\"";
    if (!text.empty() && std::string_view("=+-@\t\r\n|%").contains(text.front())) out += '\'';
    for (const char c : escape_for_terminal(text)) {
        if (c == '"') out += '"';
        out += c;
    }
    return out + '"';
}

std::string_view state_of(const Report::Broken& broken) {
    return broken.status != 0 ? "error status" : "no answer";
}

// Escapes everything that Markdown or HTML would interpret.
std::string markdown_cell(std::string_view text) {
    std::string out;
    for (const char c : escape_for_html(escape_for_terminal(text))) {
        if (std::string_view("|\\`*_[]").contains(c)) out += '\\';
        out += c;
    }
    return out;
}

}  // namespace

std::string to_csv(const Report& report) {
    std::string out = "url,status,state,reason,referrer,referrers\r\n";
    const bool is_counted = report.referrers == Report::Referrers::all;
    for (const Report::Broken& broken : report.broken) {
        out += fmt::format("{},{},{},{},{},{}\r\n", cell(broken.url), broken.status,
                           cell(state_of(broken)), cell(broken.reason),
                           cell(broken.referrers.empty() ? "" : broken.referrers.front()),
                           is_counted ? std::to_string(broken.referrer_count) : "");
    }
    return out;
}

std::string to_markdown(const Report& report) {
    std::string out =
        fmt::format("## {} URLs, {} broken\n\n", report.outcome_count, report.broken_count);
    if (report.broken.empty()) return out + "No broken links.\n";
    out += "| link | what | found on |\n|---|---|---|\n";
    for (const Report::Broken& broken : report.broken) {
        const std::string what =
            broken.status != 0 ? std::to_string(broken.status) : markdown_cell(broken.reason);
        std::string where = broken.referrers.empty() ? "" : markdown_cell(broken.referrers.front());
        if (broken.referrer_count > 1) {
            where += fmt::format(" and {} more", broken.referrer_count - 1);
        }
        out += fmt::format("| {} | {} | {} |\n", markdown_cell(broken.url), what, where);
    }
    return out;
}

}  // namespace weft::cli

#include <iterator>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/units.h"
#include "cli/check/check_report.h"
#include "cli/show/json_text.h"

namespace weft::cli {

using crawl::CheckedLink;

namespace {

using Json = nlohmann::ordered_json;
using Out = std::back_insert_iterator<std::string>;

Json json_of(const std::vector<CheckedLink>& links) {
    Json out = Json::array();
    for (const CheckedLink& link : links) {
        Json sources = Json::array();
        for (const crawl::LinkSource& source : link.sources) {
            sources.push_back({{"page", source.page}, {"text", source.text}});
        }
        out.push_back({{"url", link.url},
                       {"status", link.fate.status},
                       {"failure", link.fate.failure},
                       {"reason", what_is_wrong(link)},
                       {"end_url", link.fate.end_url},
                       {"external", link.is_external},
                       {"source_count", link.source_count},
                       {"sources", std::move(sources)}});
    }
    return out;
}

// Escapes text for a cell of a Markdown table: no markup, no cell border.
std::string markdown(std::string_view text) {
    std::string out;
    for (const char c : escape_for_html(escape_for_terminal(text))) {
        if (std::string_view("|\\`*_[]~").contains(c)) out += '\\';
        out += c;
    }
    return out;
}

// XML 1.0 cannot represent most control characters, nor U+FFFE and U+FFFF. escape_for_terminal()
// removes the former; the latter are replaced here.
std::string xml(std::string_view text) {
    std::string out = escape_for_html(escape_for_terminal(text));
    for (const std::string_view nobody : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"}) {
        for (std::size_t at = 0; (at = out.find(nobody, at)) != std::string::npos;) {
            out.replace(at, nobody.size(), "?");
        }
    }
    return out;
}

// Text of a GitHub workflow command: one line, with "%" escaped, as GitHub decodes %0A and the
// like.
std::string command_text(std::string_view text) {
    std::string out;
    for (const char c : escape_for_terminal(text)) {
        if (c == '%') {
            out += "%25";
        } else {
            out += c;
        }
    }
    return out;
}

std::string where(const CheckedLink& link) {
    if (link.sources.empty()) return "given as a seed";
    const crawl::LinkSource& first = link.sources.front();
    std::string text = "on " + first.page;
    if (!first.text.empty()) text += " (\"" + first.text + "\")";
    if (link.source_count > 1) text += fmt::format(" and {} more", link.source_count - 1);
    return text;
}

void add_markdown(Out out, std::string_view title, const std::vector<CheckedLink>& links) {
    if (links.empty()) return;
    fmt::format_to(out, "\n### {} ({})\n\n| link | what | where |\n|---|---|---|\n", title,
                   links.size());
    for (const CheckedLink& link : links) {
        fmt::format_to(out, "| {} | {} | {} |\n", markdown(link.url), markdown(what_is_wrong(link)),
                       markdown(where(link)));
    }
}

void add_cases(Out out, const std::vector<CheckedLink>& links, std::string_view element,
               std::string_view note) {
    for (const CheckedLink& link : links) {
        fmt::format_to(out, "    <testcase classname=\"link\" name=\"{}\"><{} message=\"{}{}\">",
                       xml(link.url), element, note, xml(what_is_wrong(link)));
        for (const crawl::LinkSource& source : link.sources) {
            fmt::format_to(out, "on {} {}\n", xml(source.page), xml(source.text));
        }
        fmt::format_to(out, "</{}></testcase>\n", element);
    }
}

}  // namespace

std::string to_json(const CheckReport& report) {
    Json out;
    out["seeds"] = report.seeds;
    out["seconds"] = in_seconds(report.elapsed);
    out["finished"] = report.unfinished.empty();
    out["counts"] = {{"pages", report.page_count},    {"urls", report.url_count},
                     {"links", report.link_count},    {"not_reached", report.unreached_count},
                     {"fine", report.fine_count},     {"broken", report.broken.size()},
                     {"known", report.known.size()},  {"unverified", report.unverified.size()},
                     {"mended", report.mended.size()}};
    out["broken"] = json_of(report.broken);
    out["known"] = json_of(report.known);
    out["unverified"] = json_of(report.unverified);
    out["not_reached"] = json_of(report.unreached);
    out["mended"] = report.mended;
    return to_json_text(out, JsonLayout::lines);
}

std::string to_markdown(const CheckReport& report) {
    std::string text;
    const Out out = std::back_inserter(text);
    fmt::format_to(
        out,
        "## Links: {}\n\n{} links checked on {} pages in {}: {} fine, {} not verified, {} not "
        "reached.\n",
        report.broken.empty() ? "none broken" : fmt::format("{} broken", report.broken.size()),
        report.link_count, report.page_count, human_duration(report.elapsed), report.fine_count,
        report.unverified.size(), report.unreached_count);
    if (!report.unfinished.empty()) {
        fmt::format_to(out, "\n**Not finished:** {}\n", markdown(report.unfinished));
    }
    add_markdown(out, "Broken", report.broken);
    add_markdown(out, "Known from the baseline", report.known);
    add_markdown(out, "Not verified", report.unverified);
    return text;
}

std::string to_junit(const CheckReport& report) {
    std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
    const Out out = std::back_inserter(text);
    fmt::format_to(out,
                   "  <testsuite name=\"weft check {}\" tests=\"{}\" failures=\"{}\" errors=\"0\" "
                   "skipped=\"{}\" time=\"{:.3f}\">\n",
                   xml(report.seeds.empty() ? "" : report.seeds.front()),
                   // Only listed links are test cases, so `unreached.size()` and not its full
                   // count.
                   report.link_count + report.unreached.size(), report.broken.size(),
                   report.known.size() + report.unverified.size() + report.unreached.size(),
                   in_seconds(report.elapsed));
    add_cases(out, report.broken, "failure", "");
    add_cases(out, report.known, "skipped", "known: ");
    add_cases(out, report.unverified, "skipped", "not verified: ");
    add_cases(out, report.unreached, "skipped", "");
    for (const std::string& url : report.fine) {
        fmt::format_to(out, "    <testcase classname=\"link\" name=\"{}\"/>\n", xml(url));
    }
    return text + "  </testsuite>\n</testsuites>\n";
}

std::string to_github(const CheckReport& report) {
    std::string text;
    const Out out = std::back_inserter(text);
    for (const CheckedLink& link : report.broken) {
        fmt::format_to(
            out, "::error title=Broken link::{}\n",
            command_text(fmt::format("{} {}, {}", link.url, what_is_wrong(link), where(link))));
    }
    for (const CheckedLink& link : report.unverified) {
        fmt::format_to(
            out, "::notice title=Link not verified::{}\n",
            command_text(fmt::format("{} {}, {}", link.url, what_is_wrong(link), where(link))));
    }
    fmt::format_to(out, "{} links checked, {} broken, {} known, {} not verified, {} not reached\n",
                   report.link_count, report.broken.size(), report.known.size(),
                   report.unverified.size(), report.unreached_count);
    return text;
}

}  // namespace weft::cli

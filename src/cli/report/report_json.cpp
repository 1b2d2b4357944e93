#include <nlohmann/json.hpp>

#include "cli/report/report.h"
#include "cli/show/json_text.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

Json pages(const std::vector<Report::Page>& list) {
    Json out = Json::array();
    for (const Report::Page& page : list) {
        out.push_back({{"url", page.url},
                       {"status", page.status},
                       {"mime", page.content_type},
                       {"size", page.content_bytes},
                       {"seconds", in_seconds(page.elapsed)}});
    }
    return out;
}

Json broken_link(const Report::Broken& broken, Report::Referrers referrers) {
    Json row = {{"url", broken.url},
                {"status", broken.status},
                {"failure", broken.failure},
                {"reason", broken.reason},
                {"referrers", broken.referrers}};
    switch (referrers) {  // A count that is not exact has another name, or is left out.
        case Report::Referrers::first: break;
        case Report::Referrers::some: row["referrer_count_at_least"] = broken.referrer_count; break;
        case Report::Referrers::all: row["referrer_count"] = broken.referrer_count; break;
    }
    return row;
}

std::size_t expected_bytes(const std::vector<Report::Broken>& list) {
    constexpr std::size_t kBesides = 200;  // Names, quotes and spaces of a row.
    std::size_t bytes = 0;
    for (const Report::Broken& broken : list) {
        bytes += kBesides + broken.url.size() + broken.failure.size() + broken.reason.size();
        for (const std::string& page : broken.referrers) bytes += kBesides / 8 + page.size();
    }
    return bytes;
}

// Inserts the list of broken links, which may be very long, into the text of the rest. A JSON tree
// of it would take several times its size in memory.
std::string with_broken_links(const std::string& text, const Report& report) {
    constexpr std::string_view kPlace = "\n  \"broken\": [";
    const std::size_t at = text.find(kPlace) + kPlace.size();
    std::string out;
    out.reserve(text.size() + expected_bytes(report.broken));
    out.append(text, 0, at);
    for (const Report::Broken& broken : report.broken) {
        out += out.size() == at ? "\n    " : ",\n    ";
        std::string row = to_json_text(broken_link(broken, report.referrers), JsonLayout::lines);
        row.pop_back();
        for (const char c : row) {
            out += c;
            if (c == '\n') out += "    ";
        }
    }
    if (!report.broken.empty()) out += "\n  ";
    out.append(text, at);
    return out;
}

Json counts(const Report& report) {
    return {{"urls", report.outcome_count},
            {"fetched", report.fetched_count},
            {"redirects", report.redirect_count},
            {"denied", report.denied_count},
            {"skipped", report.skipped_count},
            {"failed", report.failed_count},
            {"waiting", report.waiting_count},
            {"retries", report.retry_count},
            {"broken", report.broken_count},
            {"duplicates", report.duplicate_count},
            {"bytes", report.content_bytes},
            {"html", report.html_count},
            {"html_bytes", report.html_bytes},
            {"unchanged", report.unchanged_count},
            {"unchanged_bytes", report.unchanged_bytes},
            {"cut", report.cut_count},
            {"not_stored", report.not_stored_count}};
}

}  // namespace

std::string to_json(const Report& report) {
    Json out;
    out["seeds"] = report.seeds;
    out["started"] = to_iso8601(report.started);
    out["seconds"] = in_seconds(report.elapsed);
    out["counts"] = counts(report);
    if (report.damaged.count > 0) out["damaged_lines"] = report.damaged.count;
    for (const auto& [status, count] : report.by_status) {
        out["by_status"][std::to_string(status)] = count;
    }
    out["by_type"] = report.by_type;
    out["by_failure"] = report.by_failure;
    out["by_skip"] = report.by_skip;
    out["by_refusal"] = report.by_refusal;
    out["by_depth"] = Json::array();
    for (const auto& [depth, count] : report.by_depth) {
        out["by_depth"].push_back({{"depth", depth}, {"count", count}});
    }
    out["by_time"] = Json::array();
    for (std::size_t i = 0; i < report.by_time.size(); ++i) {
        const bool is_last = i == Report::kTimeBounds.size();
        out["by_time"].push_back(
            {{"under_seconds", is_last ? Json() : Json(in_seconds(Report::kTimeBounds[i]))},
             {"count", report.by_time[i]}});
    }
    // Filled in by with_broken_links().
    out["broken"] = Json::array();
    out["redirects"] = Json::array();
    for (const Report::Redirect& redirect : report.redirects) {
        out["redirects"].push_back(
            {{"url", redirect.url}, {"status", redirect.status}, {"target", redirect.target}});
    }
    out["slowest"] = pages(report.slowest);
    out["largest"] = pages(report.largest);
    out["duplicates"] = Json::array();
    for (const Report::Duplicates& group : report.duplicates) {
        out["duplicates"].push_back({{"count", group.count}, {"urls", group.urls}});
    }
    out["denied"] = Json::array();
    for (const Report::Denied& denied : report.denied) {
        out["denied"].push_back({{"url", denied.url}, {"reason", denied.reason}});
    }
    return with_broken_links(to_json_text(out, JsonLayout::lines), report);
}

}  // namespace weft::cli

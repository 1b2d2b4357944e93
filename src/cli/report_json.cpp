#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "cli/report.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;

double seconds(Duration duration) {
    return std::chrono::duration<double>(duration).count();
}

Json pages(const std::vector<Report::Page>& list) {
    Json out = Json::array();
    for (const Report::Page& page : list) {
        out.push_back({{"url", page.url},
                       {"status", page.status},
                       {"mime", page.content_type},
                       {"size", page.content_bytes},
                       {"seconds", seconds(page.elapsed)}});
    }
    return out;
}

Json broken_links(const Report& report) {
    Json out = Json::array();
    for (const Report::Broken& broken : report.broken) {
        Json row = {{"url", broken.url},
                    {"status", broken.status},
                    {"failure", broken.failure},
                    {"reason", broken.reason},
                    {"referrers", broken.referrers}};
        switch (report.referrers) {  // A number that is not known is not given.
            case Report::Referrers::first: break;
            case Report::Referrers::some:
                row["referrer_count_at_least"] = broken.referrer_count;
                break;
            case Report::Referrers::all: row["referrer_count"] = broken.referrer_count; break;
        }
        out.push_back(std::move(row));
    }
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
            {"unchanged_bytes", report.unchanged_bytes}};
}

}  // namespace

std::string to_json(const Report& report) {
    Json out;
    out["seeds"] = report.seeds;
    out["started"] = to_iso8601(report.started);
    out["seconds"] = seconds(report.elapsed);
    out["counts"] = counts(report);
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
            {{"under_seconds", is_last ? Json() : Json(seconds(Report::kTimeBounds[i]))},
             {"count", report.by_time[i]}});
    }
    out["broken"] = broken_links(report);
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
    return to_json_text(out, JsonLayout::lines);
}

}  // namespace weft::cli

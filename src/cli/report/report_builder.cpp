#include <algorithm>

#include "base/hash.h"
#include "cli/report/report.h"
#include "crawl/scope/refusal.h"
#include "web/url/canonical.h"

namespace weft::cli {

using archive::Outcome;

namespace {

// The memory of a row besides its texts: the row itself, and its entries in a list and an index.
constexpr std::uint64_t kRowBytes = 256;
constexpr std::uint64_t kContentBytes = 96;

}  // namespace

std::map<std::string, std::uint64_t> by_phrase(
    const std::map<std::string, std::uint64_t>& by_rule) {
    std::map<std::string, std::uint64_t> phrases;
    for (const auto& [rule, count] : by_rule) phrases[std::string(crawl::phrase_of(rule))] += count;
    return phrases;
}

void ReportBuilder::add(const Outcome& entry) {
    Report& report = report_;
    if (report.outcome_count == 0 || entry.date < report.started) report.started = entry.date;
    last_ = std::max(last_, entry.date + entry.elapsed);
    ++report.outcome_count;
    report.retry_count += entry.attempt_count - 1;
    report.content_bytes += entry.content_bytes;
    if (entry.is_truncated) ++report.cut_count;
    if (entry.is_unchanged) {
        ++report.unchanged_count;
        report.unchanged_bytes += entry.content_bytes;
    }
    if (entry.status != 0) ++report.by_status[entry.status];
    const bool is_skipped = entry.ending == archive::Ending::skipped;
    if (!entry.failure.empty()) ++(is_skipped ? report.by_skip : report.by_failure)[entry.failure];
    graph_.add(entry);
    for (const auto& [rule, count] : entry.refused) report.by_refusal[rule] += count;
    has_links_ |= !entry.links.empty();
    const bool has_any = entry.link_count > 0 || !entry.refused.empty();
    // A page with links but without a list was crawled without --links.
    has_unlisted_links_ |= (has_any && entry.links.empty()) || entry.is_truncated;
    note_seed(entry);

    if (entry.ending == archive::Ending::fetched) {
        ++report.fetched_count;
        note_fetched(entry);
    } else if (entry.ending == archive::Ending::redirect) {
        ++report.redirect_count;
        if (report.redirects.size() < kListMax &&
            redirect_room_.take(kRowBytes + entry.url.size() + entry.redirect_target.size())) {
            report.redirects.push_back({entry.url, entry.status, entry.redirect_target});
        }
    } else if (entry.ending == archive::Ending::denied) {
        ++report.denied_count;
        if (report.denied.size() < kListMax &&
            denied_room_.take(kRowBytes + entry.url.size() + entry.reason.size())) {
            report.denied.push_back({entry.url, entry.reason});
        }
    } else if (entry.ending == archive::Ending::skipped) {
        ++report.skipped_count;
    } else {
        ++report.failed_count;
    }
    if (entry.is_broken()) note_broken(entry);
}

void ReportBuilder::note_fetched(const Outcome& entry) {
    Report& report = report_;
    const bool has_room =
        report.by_type.size() < kTypesMax || report.by_type.contains(entry.content_type);
    // The bound is for servers that send a new type with each page.
    ++report.by_type[has_room ? entry.content_type : "(others)"];
    if (entry.depth < kDepthsMax) ++report.by_depth[entry.depth];
    const auto bound = std::ranges::upper_bound(Report::kTimeBounds, entry.elapsed);
    ++report.by_time[static_cast<std::size_t>(bound - Report::kTimeBounds.begin())];
    if (entry.status == 200 && entry.content_type == "text/html") {
        ++report.html_count;
        report.html_bytes += entry.content_bytes;
    }
    note_top(report.slowest, entry, false);
    note_top(report.largest, entry, true);
    if (entry.status == 200) note_duplicate(entry);
}

void ReportBuilder::note_broken(const Outcome& entry) {
    ++report_.broken_count;
    if (report_.broken.size() == kBrokenMax) return;
    const std::size_t text_bytes =
        2 * entry.url.size() + entry.reason.size() + entry.referrer.size();
    if (!broken_room_.take(kRowBytes + text_bytes)) return;
    Report::Broken broken{entry.url, entry.status, entry.failure, entry.reason, {}, 0};
    if (!entry.referrer.empty()) {
        broken.referrers.push_back(entry.referrer);
        broken.referrer_count = 1;
    }
    broken_index_.emplace(key_of(entry.url), report_.broken.size());
    report_.broken.push_back(std::move(broken));
}

void ReportBuilder::note_seed(const Outcome& entry) {
    if (entry.via == archive::Via::seed && ++report_.seed_count <= kSeedsMax) {
        report_.seeds.push_back(entry.url);
    }
    // Redirects keep the depth, so the target of a seed's redirect has depth 0 too.
    const bool is_seed_way = entry.depth == 0 && (entry.via == archive::Via::seed ||
                                                  entry.via == archive::Via::redirect);
    if (!is_seed_way || entry.ending == archive::Ending::redirect) return;
    if (entry.ending == archive::Ending::failed) {
        report_.seed_failures.emplace(entry.failure, entry.reason);
    } else if (entry.status == 401 || entry.status == 407) {
        report_.seed_failures.emplace(std::to_string(entry.status), "");
    } else {
        report_.has_reached_seed = true;
    }
}

// The key by which the crawl compares URLs. Most URLs have only one spelling and need no parsing.
std::string ReportBuilder::key_of(const std::string& url) const {
    if (url.find_first_of("%?;") == std::string::npos) return url;
    const auto parsed = web::Url::parse(url);
    if (!parsed) return url;
    return web::canonical_key(*parsed, {.drop_session_ids = !keeps_session_ids_});
}

void ReportBuilder::add_links(const Outcome& entry) {
    graph_.add_links(entry);
    std::vector<std::size_t> met;  // A page counts once, even if it has several links.
    for (const std::string& link : entry.links) {
        const auto found = broken_index_.find(key_of(link));
        if (found != broken_index_.end()) met.push_back(found->second);
    }
    std::ranges::sort(met);
    met.erase(std::ranges::unique(met).begin(), met.end());
    for (const std::size_t number : met) note_referrer(report_.broken[number], entry.url);
}

void ReportBuilder::note_referrer(Report::Broken& broken, const std::string& page) {
    if (!broken.referrers.empty() && broken.referrers.front() == page) return;  // Counted before.
    ++broken.referrer_count;
    if (broken.referrers.size() < kReferrersMax && broken_room_.take(sizeof page + page.size())) {
        broken.referrers.push_back(page);
    }
}

void ReportBuilder::note_top(std::vector<Report::Page>& top, const Outcome& entry, bool by_size) {
    if (top.size() == kTopMax) {  // A quick check: most pages are neither slow nor large.
        const Report::Page& last = top.back();
        if (by_size ? entry.content_bytes < last.content_bytes : entry.elapsed < last.elapsed) {
            return;
        }
    }
    Report::Page page{entry.url, entry.status, entry.content_type, entry.content_bytes,
                      entry.elapsed};
    const auto is_more = [by_size](const Report::Page& a, const Report::Page& b) {
        if (by_size && a.content_bytes != b.content_bytes) return a.content_bytes > b.content_bytes;
        if (!by_size && a.elapsed != b.elapsed) return a.elapsed > b.elapsed;
        return a.url < b.url;
    };
    if (top.size() == kTopMax && !is_more(page, top.back())) return;
    top.insert(std::ranges::upper_bound(top, page, is_more), page);
    if (top.size() > kTopMax) top.pop_back();
}

void ReportBuilder::note_duplicate(const Outcome& entry) {
    if (entry.digest.empty() || entry.content_bytes == 0) return;
    const std::uint64_t digest = hash64(entry.digest, 0);
    const auto found = contents_.find(digest);
    if (found == contents_.end()) {
        if (contents_.size() >= kContentsMax) return;
        if (!content_room_.take(kContentBytes + entry.url.size())) return;
        contents_.emplace(digest, Seen{.first_url = entry.url, .group = 0, .count = 1});
        return;
    }
    Seen& seen = found->second;
    ++seen.count;
    ++report_.duplicate_count;
    // A group is listed from its second URL on.
    if (seen.group == 0) {
        if (report_.duplicates.size() == kListMax) return;
        if (!duplicate_room_.take(kRowBytes + seen.first_url.size())) return;
        report_.duplicates.push_back({1, {seen.first_url}});
        seen.group = report_.duplicates.size();
    }
    Report::Duplicates& group = report_.duplicates[seen.group - 1];
    ++group.count;
    if (group.urls.size() < kTopMax && duplicate_room_.take(sizeof entry.url + entry.url.size())) {
        group.urls.push_back(entry.url);
    }
}

Report ReportBuilder::finish(std::optional<WallTime> begun) {
    // The crawl starts before its first fetch does.
    if (begun && (report_.outcome_count == 0 || *begun < report_.started)) report_.started = *begun;
    if (has_links_) {
        report_.referrers = has_unlisted_links_ ? Report::Referrers::some : Report::Referrers::all;
    }
    report_.elapsed = std::max(Duration{}, last_ - report_.started);
    std::ranges::sort(report_.broken, {}, &Report::Broken::url);
    std::ranges::sort(report_.duplicates, [](const auto& a, const auto& b) {
        return a.count != b.count ? a.count > b.count : a.urls.front() < b.urls.front();
    });
    report_.graph = graph_.finish();
    return std::move(report_);
}

}  // namespace weft::cli

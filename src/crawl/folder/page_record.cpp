#include "crawl/folder/page_record.h"

#include "aio/task/errors.h"
#include "archive/warc/record_check.h"
#include "base/bytes.h"
#include "web/url/url.h"

namespace weft::crawl {
namespace {

constexpr std::size_t kContentTypeBytesMax = 200;

std::uint64_t microseconds(Duration duration) {
    return static_cast<std::uint64_t>(duration / 1us);
}

archive::PagePhases to_phases(const http::Timings& timings, Duration elapsed) {
    return {.dns = microseconds(timings.dns),
            .connect = microseconds(timings.connect),
            .tls = microseconds(timings.tls),
            .sent = microseconds(timings.sent),
            .first_byte = microseconds(timings.first_byte),
            .total = microseconds(elapsed)};
}

template <class Enum, std::size_t N>
Enum find_named(const Enum (&all)[N], std::string_view text, Enum fallback) {
    for (const Enum each : all) {
        if (name(each) == text) return each;
    }
    return fallback;
}

constexpr Ending kAllEndings[] = {Ending::fetched, Ending::redirect, Ending::denied,
                                  Ending::skipped, Ending::failed};
constexpr Via kVias[] = {Via::seed, Via::link,    Via::redirect, Via::refresh, Via::requisite,
                         Via::hint, Via::sitemap, Via::guess,    Via::listed};

// The range from the response record to the end of the last record of the exchange.
frontier::ArchivePlace place_of(const archive::Written& written) {
    return {.file = written.response.file,
            .offset = written.response.offset,
            .length = written.end - written.response.offset};
}

// The line of robots.jsonl, made from the captured bytes: a robots.txt has no Outcome.
archive::PageEntry robots_entry(const archive::Capture& capture, const archive::Written& written) {
    const std::string_view head = std::string_view(capture.response)
                                      .substr(0, capture.response_body)
                                      .substr(capture.response_begin);
    const std::string_view type = archive::http_field(head, "content-type");
    archive::PageEntry entry;
    entry.url = capture.target_uri;
    entry.date = capture.date;
    entry.ending = name(Ending::fetched);
    entry.status = static_cast<int>(archive::parse_http_head(head).status);
    const std::string_view location = archive::http_field(head, "location");
    if (entry.status >= 300 && entry.status < 400 && !location.empty()) {
        entry.ending = name(Ending::redirect);
        const auto url = web::Url::parse(entry.url);
        const auto target = url ? url->resolve(location, web::kBoundedUrl) : url;
        if (target) entry.redirect_target = target->href();
    }
    entry.content_type =
        to_lower(trim(type.substr(0, type.find(';'))).substr(0, kContentTypeBytesMax));
    entry.address = capture.ip_address;
    entry.via = "robots";
    entry.content_bytes = capture.response.size() - capture.response_body;
    entry.is_truncated = capture.truncated != archive::Truncated::no;
    entry.warc_file = written.response.file;
    entry.warc_offset = written.response.offset;
    entry.warc_length = written.response.length;
    entry.payload_digest = written.payload_digest;
    return entry;
}

}  // namespace

archive::PageEntry to_entry(const Outcome& outcome) {
    archive::PageEntry entry;
    entry.url = outcome.url;
    entry.date = outcome.date;
    entry.ending = name(outcome.ending);
    entry.status = outcome.status;
    entry.failure = outcome.failure;
    entry.reason = outcome.reason;
    entry.content_type = outcome.content_type;
    entry.charset = outcome.charset;
    entry.content_bytes = outcome.content_bytes;
    entry.digest = outcome.digest;
    entry.title = outcome.title;
    entry.redirect_target = outcome.redirect_target;
    entry.canonical = outcome.canonical;
    entry.near_duplicate_of = outcome.near_duplicate_of;
    entry.simhash = outcome.simhash;
    entry.skeleton = outcome.skeleton;
    entry.address = outcome.address;
    entry.referrer = outcome.referrer;
    if (outcome.via != Via::link) entry.via = name(outcome.via);  // No value: a link.
    entry.depth = outcome.depth;
    entry.attempt_count = outcome.attempt_count;
    entry.phases = to_phases(outcome.timings, outcome.elapsed);
    entry.is_truncated = outcome.is_truncated;
    entry.is_duplicate = outcome.is_duplicate;
    entry.is_noindex = outcome.says_noindex;
    entry.is_nofollow = outcome.says_nofollow;
    entry.is_nofollow_link = outcome.is_nofollow;
    entry.link_count = outcome.link_count;
    entry.refused = outcome.refused;
    entry.links = outcome.links;
    entry.text = outcome.text;
    entry.warc_file = outcome.archived.file;
    entry.warc_offset = outcome.archived.offset;
    entry.warc_length = outcome.archived.length;
    entry.payload_digest = outcome.payload_digest;
    entry.is_revisit = outcome.is_revisit;
    entry.etag = outcome.etag;
    entry.last_modified = outcome.last_modified;
    entry.is_unchanged = outcome.is_unchanged;
    return entry;
}

Outcome to_outcome(const archive::PageEntry& entry) {
    Outcome outcome;
    outcome.url = entry.url;
    outcome.date = entry.date;
    outcome.ending = find_named(kAllEndings, entry.ending, Ending::failed);
    outcome.status = entry.status;
    outcome.failure = entry.failure;
    outcome.reason = entry.reason;
    outcome.content_type = entry.content_type;
    outcome.charset = entry.charset;
    outcome.content_bytes = entry.content_bytes;
    outcome.digest = entry.digest;
    outcome.title = entry.title;
    outcome.redirect_target = entry.redirect_target;
    outcome.canonical = entry.canonical;
    outcome.near_duplicate_of = entry.near_duplicate_of;
    outcome.simhash = entry.simhash;
    outcome.skeleton = entry.skeleton;
    outcome.address = entry.address;
    outcome.referrer = entry.referrer;
    outcome.via = entry.via.empty() ? Via::link : find_named(kVias, entry.via, Via::link);
    outcome.depth = entry.depth;
    outcome.attempt_count = entry.attempt_count;
    outcome.elapsed = std::chrono::microseconds(entry.phases.total);
    outcome.is_truncated = entry.is_truncated;
    outcome.is_duplicate = entry.is_duplicate;
    outcome.says_noindex = entry.is_noindex;
    outcome.says_nofollow = entry.is_nofollow;
    outcome.is_nofollow = entry.is_nofollow_link;
    outcome.link_count = entry.link_count;
    outcome.refused = entry.refused;
    outcome.archived = {entry.warc_file, entry.warc_offset, entry.warc_length};
    outcome.payload_digest = entry.payload_digest;
    outcome.is_revisit = entry.is_revisit;
    outcome.etag = entry.etag;
    outcome.last_modified = entry.last_modified;
    outcome.is_unchanged = entry.is_unchanged;
    return outcome;
}

CommittedLines split_committed(std::string_view outcome) {
    const std::size_t gap = outcome.find("\n\n");
    if (gap == std::string_view::npos) return {.robots = {}, .page = outcome};
    return {.robots = outcome.substr(0, gap + 1), .page = outcome.substr(gap + 2)};
}

PageRecord::PageRecord(Outcome outcome, std::optional<archive::Capture> capture,
                       std::vector<archive::Capture> robots, archive::WarcWriter* writer)
    : outcome_(std::move(outcome)), robots_(std::move(robots)), writer_(writer) {
    if (!writer_ || !capture) return;
    capture->stays_in_file = !robots_.empty();
    // Announced before the commit: the digests of several announced captures are computed together.
    capture_ = writer_->announce(*std::move(capture));
}

PageRecord::PageRecord(std::vector<archive::Capture> robots, archive::WarcWriter* writer)
    : robots_(std::move(robots)), writer_(writer) {}

void PageRecord::write(frontier::Completion& completion) {
    if (writer_ && !robots_.empty()) write_robots(completion);
    if (outcome_) write_page(completion);
}

void PageRecord::write_robots(frontier::Completion& completion) {
    for (archive::Capture& capture : robots_) {
        // All records of a commit must be in one file: a completion has one ArchivePlace.
        capture.stays_in_file = completion.archived.has_value();
        try {
            const archive::Written written = writer_->write_now(capture);
            completion.archived = place_of(written);
            completion.outcome += archive::to_json_line(robots_entry(capture, written));
        } catch (const aio::IoError&) {
            throw;
        } catch (const Error&) {
            continue;  // The WARC writer refuses it, for its URL, say.
        }
    }
    robots_.clear();
    if (!completion.outcome.empty()) completion.outcome += '\n';
}

void PageRecord::write_page(frontier::Completion& completion) {
    if (capture_) {
        try {
            const archive::Written written = writer_->write_now(*capture_);
            outcome_->archived = written.response;
            outcome_->payload_digest = written.payload_digest;
            outcome_->is_revisit = written.is_revisit;
            completion.archived = place_of(written);
        } catch (const aio::IoError&) {
            throw;  // The disk fails: no later page would be archived either.
        } catch (const Error& error) {
            outcome_->reason = error.what();
        }
        capture_.reset();
    }
    completion.outcome += archive::to_json_line(to_entry(*outcome_));
}

}  // namespace weft::crawl

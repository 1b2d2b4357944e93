#include "crawl/page_record.h"

#include "aio/errors.h"

namespace weft::crawl {
namespace {

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

constexpr Ending kEndings[] = {Ending::fetched, Ending::redirect, Ending::denied, Ending::skipped,
                               Ending::failed};
constexpr Via kVias[] = {Via::seed, Via::link,    Via::redirect, Via::refresh, Via::requisite,
                         Via::hint, Via::sitemap, Via::guess,    Via::listed};

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
    if (outcome.via != Via::link) entry.via = name(outcome.via);
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
    outcome.ending = find_named(kEndings, entry.ending, Ending::failed);
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

PageRecord::PageRecord(Outcome outcome, std::optional<archive::Capture> capture,
                       archive::WarcWriter* writer)
    : outcome_(std::move(outcome)), writer_(writer) {
    if (writer_ && capture) capture_ = writer_->announce(*std::move(capture));
}

frontier::Kept PageRecord::keep() {
    frontier::Kept kept;
    if (capture_) {
        try {
            const archive::Written written = writer_->write_now(*capture_);
            outcome_.archived = written.response;
            outcome_.payload_digest = written.payload_digest;
            outcome_.is_revisit = written.is_revisit;
            kept.archived = frontier::ArchivePlace{.file = written.response.file,
                                                   .offset = written.response.offset,
                                                   .length = written.end - written.response.offset};
        } catch (const aio::IoError&) {
            throw;  // No page after this one would be kept.
        } catch (const Error& error) {
            outcome_.reason = error.what();
        }
        capture_.reset();
    }
    kept.outcome = archive::to_json_line(to_entry(outcome_));
    return kept;
}

}  // namespace weft::crawl

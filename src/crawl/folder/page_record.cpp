#include "crawl/folder/page_record.h"

#include "aio/task/errors.h"
#include "archive/warc/record_check.h"
#include "base/bytes.h"
#include "web/url/url.h"

namespace weft::crawl {
namespace {

constexpr std::size_t kContentTypeBytesMax = 200;

// The range from the response record to the end of the last record of the exchange.
ArchivePlace place_of(const archive::Written& written) {
    return {.file = written.response.file,
            .offset = written.response.offset,
            .length = written.end - written.response.offset};
}

// The line of robots.jsonl, made from the captured bytes.
Outcome robots_outcome(const archive::Capture& capture, const archive::Written& written) {
    const std::string_view head = std::string_view(capture.response)
                                      .substr(0, capture.response_body)
                                      .substr(capture.response_begin);
    const std::string_view type = archive::http_field(head, "content-type");
    Outcome outcome;
    outcome.url = capture.target_uri;
    outcome.date = capture.date;
    outcome.ending = Ending::fetched;
    outcome.status = static_cast<int>(archive::parse_http_head(head).status);
    const std::string_view location = archive::http_field(head, "location");
    if (outcome.status >= 300 && outcome.status < 400 && !location.empty()) {
        outcome.ending = Ending::redirect;
        const auto url = web::Url::parse(outcome.url);
        const auto target = url ? url->resolve(location, web::kBoundedUrl) : url;
        if (target) outcome.redirect_target = target->href();
    }
    outcome.content_type =
        to_lower(trim(type.substr(0, type.find(';'))).substr(0, kContentTypeBytesMax));
    outcome.address = capture.ip_address;
    outcome.via = Via::robots;
    outcome.content_bytes = capture.response.size() - capture.response_body;
    outcome.is_truncated = capture.truncated != archive::Truncated::no;
    outcome.archived = written.response;
    outcome.payload_digest = written.payload_digest;
    return outcome;
}

}  // namespace

CommittedLines split_committed(std::string_view outcome) {
    const std::size_t gap = outcome.find("\n\n");
    if (gap == std::string_view::npos) return {.robots = {}, .page = outcome};
    return {.robots = outcome.substr(0, gap + 1), .page = outcome.substr(gap + 2)};
}

PageRecord::PageRecord(Outcome outcome, Parts parts, PageFiles files)
    : outcome_(std::move(outcome)),
      robots_(std::move(parts.robots)),
      writer_(files.writer),
      text_(files.text),
      text_line_(std::move(parts.text_line)) {
    std::optional<archive::Capture>& capture = parts.capture;
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
            const archive::Written written = writer_->write(capture);
            completion.archived = place_of(written);
            completion.outcome += archive::to_json_line(robots_outcome(capture, written));
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
            const archive::Written written = writer_->write(*capture_);
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
    if (text_ && !text_line_.empty()) {
        completion.sides.push_back({TextLog::kName, text_->append(text_line_)});
        text_line_ = {};
    }
    completion.outcome += archive::to_json_line(*outcome_);
}

}  // namespace weft::crawl

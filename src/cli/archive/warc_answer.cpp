#include "cli/archive/warc_answer.h"

#include <cstdio>
#include <functional>
#include <optional>

#include <fmt/format.h>

#include "archive/warc/record_check.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "cli/archive/answer_content.h"
#include "cli/archive/warc_records.h"
#include "cli/options/secrets.h"
#include "cli/show/exit_status.h"
#include "web/url/canonical.h"
#include "web/url/url.h"

namespace weft::cli {

namespace {

// Addresses with the same key are the same page.
std::string key_of(const std::string& address) {
    const auto url = web::Url::parse(address);
    return url ? web::canonical_key(*url) : address;
}

// A response or revisit record.
struct Found {
    archive::WarcHeader header;
    std::string block;
    std::string shown;  // The name of the file, for messages.
    std::uint64_t offset = 0;
    bool is_complete = false;
    bool is_wrong = false;  // Its digest does not match.

    std::string place() const {
        return fmt::format("{}: the {} record at byte {}", shown,
                           escape_for_terminal(header.type()), offset);
    }
};

// The last record for which `is_wanted` returns true. It must return true only for a record that is
// better than those before. Sets `is_readable` to false if a file could not be read to its end.
std::optional<Found> find_record(const std::vector<WarcInput>& inputs, bool& is_readable,
                                 const std::function<bool(const archive::WarcHeader&)>& is_wanted) {
    std::optional<Found> best;
    for (const WarcInput& input : inputs) {
        std::optional<Found> current;
        std::optional<archive::RecordCheck> check;
        is_readable &= read_records(
            input, 0, kAllRecords,
            {.on_start =
                 [&](const archive::RecordStart& start) {
                     current.reset();
                     if (!is_wanted(start.header)) return;
                     current.emplace();
                     current->header = start.header;
                     current->shown = input.shown;
                     current->offset = start.offset;
                     check.emplace(start.header);
                 },
             .on_bytes =
                 [&](std::string_view bytes) {
                     if (!current) return;
                     current->block += bytes;
                     check->update(bytes);
                 },
             .on_end =
                 [&](const archive::RecordEnd& end) {
                     if (!current) return;
                     current->is_complete = end.is_complete && !end.is_member_cut;
                     current->is_wrong = check->finish(end.is_complete) == archive::Verdict::wrong;
                     best = std::move(current);
                     current.reset();
                 }});
    }
    return best;
}

std::optional<Found> find_newest(const std::vector<WarcInput>& inputs, bool& is_readable,
                                 const std::string& address) {
    const std::string wanted = key_of(address);
    std::string newest_date;
    return find_record(inputs, is_readable, [&](const archive::WarcHeader& header) {
        if (header.type() != "response" && header.type() != "revisit") return false;
        const std::string_view date = header.get("WARC-Date");
        // WARC dates are UTC in ISO 8601, so they sort as text.
        if (date < newest_date || key_of(header.target_uri()) != wanted) return false;
        newest_date = date;
        return true;
    });
}

// The record that a revisit record refers to: by its id, else by address and date, else by the
// payload digest. Not all writers give all three.
std::optional<Found> find_original(const std::vector<WarcInput>& inputs, bool& is_readable,
                                   const archive::WarcHeader& revisit) {
    const std::string_view id = revisit.get("WARC-Refers-To");
    const std::string uri(revisit.get("WARC-Refers-To-Target-URI"));
    const std::string_view date = revisit.get("WARC-Refers-To-Date");
    const std::string_view payload = revisit.get("WARC-Payload-Digest");
    int best = 0;
    return find_record(inputs, is_readable, [&](const archive::WarcHeader& header) {
        if (header.type() != "response") return false;
        int rank = 0;
        if (!id.empty() && header.id() == id) {
            rank = 3;
        } else if (!uri.empty() && header.get("WARC-Date") == date &&
                   key_of(header.target_uri()) == key_of(uri)) {
            rank = 2;
        } else if (!payload.empty() &&
                   equals_ignore_case(header.get("WARC-Payload-Digest"), payload)) {
            rank = 1;
        }
        if (rank <= best) return false;
        best = rank;
        return true;
    });
}

int fail(ExitStatus status, std::string_view what) {
    fmt::print(stderr, "weft: error: {}\n", what);
    return status;
}

}  // namespace

int write_answer(const std::vector<WarcInput>& inputs, const std::string& typed,
                 bool ignores_digests) {
    const std::string address = without_login(typed);  // Records contain no logins.
    const std::string shown = escape_for_terminal(address);
    bool is_readable = true;
    std::optional<Found> found = find_newest(inputs, is_readable, address);
    if (!found) return fail(exit_broken, fmt::format("no answer for {} in these files", shown));
    if (found->header.type() == "revisit") {
        std::optional<Found> original = find_original(inputs, is_readable, found->header);
        if (!original) {
            return fail(exit_broken,
                        fmt::format("{} refers to an answer of {}, which is in none of these "
                                    "files: name the WARC files of the earlier crawl too",
                                    found->place(),
                                    escape_for_terminal(found->header.get("WARC-Refers-To-Date"))));
        }
        found = std::move(original);
    }
    if (found->is_wrong && !ignores_digests) {
        return fail(exit_file, fmt::format("{} does not match its digest; --ignore-digests "
                                           "shows its content all the same",
                                           found->place()));
    }
    if (!found->is_complete) {
        fmt::print(stderr, "weft: warning: {} is cut off\n", found->place());
        is_readable = false;
    }
    const auto payload = payload_of(found->block);
    if (!payload) {
        return fail(exit_protocol, fmt::format("{}: {}", found->place(), payload.error()));
    }
    std::fwrite(payload->data(), 1, payload->size(), stdout);
    return is_readable ? exit_done : exit_file;
}

}  // namespace weft::cli

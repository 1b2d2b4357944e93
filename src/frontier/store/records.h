#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "frontier/crawl_files.h"
#include "frontier/store/ledger.h"

// The records of the log: what each kind says, and how it is written and read.
namespace weft::frontier {

enum class RecordKind : std::uint8_t {
    push = 1,
    complete = 2,
    change_host = 3,
    clock = 4,
};

// Writes the URLs found, one after the other, then end(). A push or complete record ends with such
// a list.
class UrlListWriter {
public:
    // `host` and `referrer` are those of the page on which the URLs were found; empty for seeds.
    // Equal values are not written again.
    UrlListWriter(std::string& out, std::string_view host, std::string_view referrer)
        : out_(out), host_(host), page_(referrer) {}

    void add(const NewUrl& url);
    void end() { out_.push_back(0); }

private:
    std::string& out_;
    std::string_view host_;  // Of the URL before.
    std::string_view page_;
};

// The head of a record; the URLs found follow it. Of the completion it has `outcome`, `archived`
// and `sides`.
void put_complete(std::string& out, std::string_view host, const VisitEnd& ending,
                  const Completion& completion);

// A completion as it is read. The views point into the record.
struct CompleteRecord {
    std::string_view host;
    VisitEnd ending;
    std::string_view outcome;
    std::optional<ArchivePlace> archived;
    std::vector<std::pair<std::string_view, std::uint64_t>> sides;
};

// See HostChange.
struct ChangeRecord {
    std::string host;
    std::optional<WallTime> ready_at;
    bool drop = false;
    std::vector<Slot> lent;  // Only with `drop`: the host's URLs that are lent.
};

void put_change(std::string& out, const ChangeRecord& record);

// Used by the commit and by the replay.
Host& apply(const ChangeRecord& record, Ledger& ledger);

// The time of the store's clock. It is written from time to time between the other records, so that
// the next run knows how far the clock had come.
void put_clock(std::string& out, WallTime now);

// Callbacks for the records of a frame, in their order. By default they do nothing.
struct FrameLook {
    // Returns the URL of the page, which is the referrer of the links that follow.
    std::function<std::string(const CompleteRecord&)> on_complete = [](const CompleteRecord&) {
        return std::string();
    };
    std::function<void(const NewUrl&)> on_url = [](const NewUrl&) {};
    std::function<void(const ChangeRecord&)> on_change = [](const ChangeRecord&) {};
    std::function<void(WallTime)> on_clock = [](WallTime) {};
};
void look_through(std::string_view payload, const FrameLook& look);

// Whether the archive contains the pages that a frame completes.
enum class Held { yes, no, nothing_to_hold };
Held ask_if_held(std::string_view payload, CrawlFiles& files);

// Applies the records of a frame to the ledger again. Sets `clock` to the latest time of a clock
// record. `files` gets the outcomes that are not empty; it may be null.
void replay_frame(std::string_view payload, Ledger& ledger, WallTime& clock, CrawlFiles* files);

}  // namespace weft::frontier

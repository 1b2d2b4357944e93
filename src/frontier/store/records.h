#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "frontier/frontier.h"
#include "frontier/store/ledger.h"

// The records of the log: what each kind says, and how it is written and read again.
namespace weft::frontier {

enum class RecordKind : std::uint8_t {
    push = 1,
    complete = 2,
    change_host = 3,
    clock = 4,
};

// URLs found, one after the other, then end(): at the end of push and complete records.
class UrlListWriter {
public:
    // `host` and `referrer` of the page the URLs were found on; empty for seeds.
    UrlListWriter(std::string& out, std::string_view host, std::string_view referrer)
        : out_(out), host_(host), page_(referrer) {}

    void add(const NewUrl& url);
    void end() { out_.push_back(0); }

private:
    std::string& out_;
    std::string_view host_;  // Of the URL before.
    std::string_view page_;
};

struct CompleteRecord {
    std::string_view host;
    Ending ending;
    std::string_view outcome;
    const std::optional<ArchivePlace>& archived;
    const std::vector<std::pair<std::string, std::uint64_t>>& side_sizes;
};

void put_complete(std::string& out, const CompleteRecord& record);

struct ChangeRecord {
    std::string_view host;
    std::optional<WallTime> ready_at;
    bool drop = false;
    std::vector<Slot> lent;  // With `drop`.
};

void put_change(std::string& out, const ChangeRecord& record);
Host& apply(const ChangeRecord& record, Ledger& ledger);

// What time it was for the store: at times between the other records, so that the next run knows
// how far the clock had come.
void put_clock(std::string& out, WallTime now);

struct Replay {
    Ledger& ledger;

    // Set to the latest clock.
    WallTime& clock;

    // Told of each completion's outcome.
    const std::function<void(std::string_view)>& on_outcome;
};

// Whether the archive and the side files hold the pages that a frame completes.
enum class Held { yes, no, nothing_to_hold };

// `holds`: whether a file is so long.
Held ask_if_held(std::string_view payload,
                 const std::function<bool(std::string_view file, std::uint64_t size)>& holds);

// Does again what the records of a frame say.
void replay_frame(std::string_view payload, const Replay& replay);

// Told of the records of a frame in their order, for who only looks.
struct FrameLook {
    // The referrer of what was found on the page itself is empty: its completion came just before.
    std::function<void(const NewUrl&)> on_url;
    std::function<void(std::string_view host, const Ending&, std::string_view outcome)> on_complete;
    std::function<void(const ChangeRecord&)> on_change;
};
void look_through(std::string_view payload, const FrameLook& look);

}  // namespace weft::frontier

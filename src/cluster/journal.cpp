#include "cluster/journal.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "cluster/shard.h"
#include "frontier/store/codec.h"
#include "frontier/store/store_error.h"

namespace weft::cluster {

namespace {

using frontier::put_byte;
using frontier::put_bytes;
using frontier::put_varint;

constexpr std::string_view kPrefix = "journal-";

enum class JournalRecord : std::uint8_t { saved = 1, offered = 2, taken = 3, withdrawn = 4 };

void put_kind(std::string& out, JournalRecord kind) {
    put_byte(out, static_cast<std::uint8_t>(kind));
}

void put_offer(std::string& out, const Offer& offer) {
    put_kind(out, JournalRecord::offered);
    put_varint(out, offer.shard);
    put_varint(out, offer.term);
    put_varint(out, offer.number);
    put_bytes(out, offer.outcome);
    put_byte(out, offer.archived ? 1 : 0);
    if (!offer.archived) return;
    put_bytes(out, offer.archived->file);
    put_varint(out, offer.archived->offset);
    put_varint(out, offer.archived->length);
}

std::uint16_t read_shard(frontier::Decoder& in) {
    const std::uint64_t shard = in.varint();
    if (shard >= kShardCount) throw Error("the journal names a shard that does not exist");
    return static_cast<std::uint16_t>(shard);
}

Offer read_offer(frontier::Decoder& in) {
    Offer offer;
    offer.shard = read_shard(in);
    offer.term = in.varint();
    offer.number = in.varint();
    offer.outcome = in.bytes();
    if (in.byte() == 0) return offer;
    ArchivePlace& place = offer.archived.emplace();
    place.file = in.bytes();
    place.offset = in.varint();
    place.length = in.varint();
    return offer;
}

}  // namespace

std::unique_ptr<Journal> Journal::open(aio::FileSystem& files, Options options,
                                       const Recovery& recovery) {
    std::unique_ptr<Journal> journal(new Journal(files, std::move(options)));
    files.create_directories(journal->options_.folder);
    const std::vector<std::uint64_t> found = journal->numbers();
    // The newest may be one that a checkpoint had not finished: then the one before is whole.
    for (const std::uint64_t number : found) {
        if (!journal->read_log(number, recovery)) continue;
        for (const std::uint64_t other : found) {
            if (other != number) files.remove(journal->path_of(other));
        }
        return journal;
    }
    if (!found.empty()) {
        throw frontier::StoreError(
            fmt::format("{}: no journal in it can be read; restore the "
                        "folder, or join with a new one",
                        journal->options_.folder.string()));
    }
    journal->begin(1, "");
    recovery.on_saved("");
    return journal;
}

std::filesystem::path Journal::path_of(std::uint64_t number) const {
    return options_.folder / fmt::format("{}{}", kPrefix, number);
}

// Newest first.
std::vector<std::uint64_t> Journal::numbers() const {
    std::vector<std::uint64_t> found;
    for (const std::string& name : files_.list(options_.folder)) {
        if (!name.starts_with(kPrefix)) continue;
        std::uint64_t number = 0;
        const char* end = name.data() + name.size();
        const auto parsed = std::from_chars(name.data() + kPrefix.size(), end, number);
        if (parsed.ec == std::errc() && parsed.ptr == end) found.push_back(number);
    }
    std::ranges::sort(found, std::greater());
    return found;
}

// False: the file has no beginning, because its checkpoint did not get so far.
bool Journal::read_log(std::uint64_t number, const Recovery& recovery) {
    const frontier::LogIdentity identity{options_.store_id, number};
    bool has_beginning = false;
    frontier::CommitLog::read(files_, path_of(number), identity,
                              [&](std::string_view) { has_beginning = true; });
    if (!has_beginning) return false;
    const auto on_frame = [&](std::string_view payload) {
        replay(payload, recovery);
        return true;
    };
    log_ = frontier::CommitLog::open(files_, path_of(number), identity, options_.past, on_frame);
    number_ = number;
    return true;
}

void Journal::begin(std::uint64_t number, std::string_view saved) {
    files_.remove(path_of(number));
    log_ = frontier::CommitLog::create(files_, path_of(number), {options_.store_id, number});
    number_ = number;
    put_kind(frame_.payload(), JournalRecord::saved);
    put_bytes(frame_.payload(), saved);
    for (const auto& [key, offers] : open_) {
        for (const Offer& offer : offers) put_offer(frame_.payload(), offer);
    }
    write();
    log_->sync();
    files_.sync_directory(options_.folder);
}

void Journal::replay(std::string_view payload, const Recovery& recovery) {
    frontier::Decoder in(payload);
    while (!in.is_empty()) {
        switch (static_cast<JournalRecord>(in.byte())) {
            case JournalRecord::saved: recovery.on_saved(in.bytes()); break;
            case JournalRecord::offered: {
                Offer offer = read_offer(in);
                if (recovery.on_offered) recovery.on_offered(offer);
                open_[{offer.shard, offer.term}].push_back(std::move(offer));
                break;
            }
            case JournalRecord::taken: {
                const std::uint16_t shard = read_shard(in);
                const std::uint64_t term = in.varint();
                for (const Offer& offer : remove(shard, term, in.varint())) {
                    if (!offer.outcome.empty()) recovery.on_outcome(offer.outcome);
                }
                break;
            }
            case JournalRecord::withdrawn: {
                const std::uint16_t shard = read_shard(in);
                remove(shard, in.varint(), UINT64_MAX);
                break;
            }
            default: throw Error("the journal has a record of a later version of weft");
        }
    }
}

void Journal::offer(Offer offer) {
    put_offer(frame_.payload(), offer);
    open_[{offer.shard, offer.term}].push_back(std::move(offer));
}

std::vector<Offer> Journal::take(std::uint16_t shard, std::uint64_t term, std::uint64_t up_to) {
    std::vector<Offer> taken = remove(shard, term, up_to);
    if (taken.empty()) return taken;
    put_kind(frame_.payload(), JournalRecord::taken);
    put_varint(frame_.payload(), shard);
    put_varint(frame_.payload(), term);
    put_varint(frame_.payload(), up_to);
    return taken;
}

std::vector<Offer> Journal::withdraw(std::uint16_t shard, std::uint64_t term) {
    std::vector<Offer> withdrawn = remove(shard, term, UINT64_MAX);
    if (withdrawn.empty()) return withdrawn;
    put_kind(frame_.payload(), JournalRecord::withdrawn);
    put_varint(frame_.payload(), shard);
    put_varint(frame_.payload(), term);
    return withdrawn;
}

std::vector<Offer> Journal::remove(std::uint16_t shard, std::uint64_t term, std::uint64_t up_to) {
    std::vector<Offer> removed;
    const auto found = open_.find({shard, term});
    if (found == open_.end()) return removed;
    std::deque<Offer>& offers = found->second;
    while (!offers.empty() && offers.front().number <= up_to) {
        removed.push_back(std::move(offers.front()));
        offers.pop_front();
    }
    if (offers.empty()) open_.erase(found);
    return removed;
}

void Journal::write() {
    if (!frame_.is_empty()) log_->append(frame_);
}

void Journal::checkpoint(std::string_view saved) {
    write();
    const std::filesystem::path old = path_of(number_);
    begin(number_ + 1, saved);
    files_.remove(old);
}

}  // namespace weft::cluster

#include "frontier/store/records.h"

#include <algorithm>
#include <cstring>

#include "frontier/store/codec.h"

namespace weft::frontier {
namespace {

// Bits of a URL in a list. kUrlBit is always set: the byte 0 ends the list.
constexpr std::uint8_t kUrlBit = 1;
constexpr std::uint8_t kOtherHostBit = 2;
constexpr std::uint8_t kOtherReferrerBit = 4;

// Bits of a completion.
constexpr std::uint8_t kRetryBit = 1;
constexpr std::uint8_t kArchivedBit = 2;
constexpr std::uint8_t kFreesPlaceBit = 4;

// Bits of a change.
constexpr std::uint8_t kReadyBit = 1;
constexpr std::uint8_t kDropBit = 2;

// Without kOtherHostBit a URL has the host of the URL before it, so `url` is kept over the loop.
void read_urls(Decoder& decoder, std::string_view host, std::string_view page,
               const std::function<void(const NewUrl&)>& handler) {
    NewUrl url;
    url.host = host;
    for (std::uint8_t bits = decoder.byte(); bits != 0; bits = decoder.byte()) {
        const std::string_view print = decoder.take(sizeof url.print);
        std::memcpy(&url.print, print.data(), sizeof url.print);
        if (bits & kOtherHostBit) url.host = decoder.bytes();
        url.referrer = bits & kOtherReferrerBit ? decoder.bytes() : page;
        url.lane = decoder.byte();
        url.entry = decoder.bytes();
        handler(url);
    }
}

CompleteRecord read_completion(Decoder& decoder) {
    CompleteRecord read;
    read.host = decoder.bytes();
    read.ending.slot.lane = decoder.byte();
    read.ending.slot.sequence = decoder.varint();
    const std::uint8_t bits = decoder.byte();
    read.ending.ready_at = read_time(decoder);
    if (bits & kRetryBit) read.ending.retry_at = read_time(decoder);
    read.ending.frees_place = bits & kFreesPlaceBit;
    read.outcome = decoder.bytes();
    if (bits & kArchivedBit) {
        ArchivePlace& place = read.archived.emplace();
        place.file = decoder.bytes();
        place.offset = decoder.varint();
        place.length = decoder.varint();
    }
    read.sides = decoder.file_sizes();
    return read;
}

ChangeRecord read_change(Decoder& decoder) {
    ChangeRecord record;
    record.host = decoder.bytes();
    const std::uint8_t bits = decoder.byte();
    if (bits & kReadyBit) record.ready_at = read_time(decoder);
    record.drop = bits & kDropBit;
    for (std::uint64_t left = decoder.varint(); left > 0; --left) {
        Slot slot;
        slot.lane = decoder.byte();
        slot.sequence = decoder.varint();
        record.lent.push_back(slot);
    }
    return record;
}

}  // namespace

void UrlListWriter::add(const NewUrl& url) {
    const bool other_host = url.host != host_;
    const bool other_referrer = url.referrer != page_;
    put_byte(out_, static_cast<std::uint8_t>(kUrlBit | (other_host ? kOtherHostBit : 0) |
                                             (other_referrer ? kOtherReferrerBit : 0)));
    out_.append(reinterpret_cast<const char*>(&url.print), sizeof url.print);
    if (other_host) put_bytes(out_, url.host);
    if (other_referrer) put_bytes(out_, url.referrer);
    put_byte(out_, url.lane);
    put_bytes(out_, url.entry);
    host_ = url.host;
}

// The formats are in docs/internals/frontier-files.md.
void put_complete(std::string& out, std::string_view host, const VisitEnd& ending,
                  const Completion& completion) {
    put_byte(out, static_cast<std::uint8_t>(RecordKind::complete));
    put_bytes(out, host);
    put_byte(out, ending.slot.lane);
    put_varint(out, ending.slot.sequence);
    put_byte(out, static_cast<std::uint8_t>((ending.retry_at ? kRetryBit : 0) |
                                            (completion.archived ? kArchivedBit : 0) |
                                            (ending.frees_place ? kFreesPlaceBit : 0)));
    put_time(out, ending.ready_at);
    if (ending.retry_at) put_time(out, *ending.retry_at);
    put_bytes(out, completion.outcome);
    if (completion.archived) {
        put_bytes(out, completion.archived->file);
        put_varint(out, completion.archived->offset);
        put_varint(out, completion.archived->length);
    }
    put_file_sizes(out, completion.sides);
}

void put_change(std::string& out, const ChangeRecord& record) {
    put_byte(out, static_cast<std::uint8_t>(RecordKind::change_host));
    put_bytes(out, record.host);
    put_byte(out, static_cast<std::uint8_t>((record.ready_at ? kReadyBit : 0) |
                                            (record.drop ? kDropBit : 0)));
    if (record.ready_at) put_time(out, *record.ready_at);
    put_varint(out, record.lent.size());
    for (const Slot& slot : record.lent) {
        put_byte(out, slot.lane);
        put_varint(out, slot.sequence);
    }
}

void put_clock(std::string& out, WallTime now) {
    put_byte(out, static_cast<std::uint8_t>(RecordKind::clock));
    put_time(out, now);
}

Host& apply(const ChangeRecord& record, Ledger& ledger) {
    Host& host = ledger.host(record.host);
    host.is_dirty = true;
    if (record.ready_at) host.ready_at = *record.ready_at;
    if (record.drop) ledger.drop(host, record.lent);
    return host;
}

void look_through(std::string_view payload, const FrameLook& look) {
    Decoder decoder(payload);
    while (!decoder.is_empty()) {
        std::string_view host;
        std::string page;
        switch (static_cast<RecordKind>(decoder.byte())) {
            case RecordKind::change_host: look.on_change(read_change(decoder)); continue;
            case RecordKind::clock: look.on_clock(read_time(decoder)); continue;
            case RecordKind::complete: {
                const CompleteRecord record = read_completion(decoder);
                host = record.host;
                page = look.on_complete(record);
                break;
            }
            case RecordKind::push: break;
            default: throw Error("a record is of no known kind");
        }
        read_urls(decoder, host, page, look.on_url);
    }
}

Held ask_if_held(std::string_view payload, CrawlFiles& files) {
    // One missing page makes the whole frame `no`: a frame is replayed as a whole or not at all.
    Held held = Held::nothing_to_hold;
    FrameLook look;
    look.on_complete = [&](const CompleteRecord& record) {
        const std::optional<ArchivePlace>& place = record.archived;
        if (place && held != Held::no) {
            held = files.holds(place->file, place->offset + place->length) ? Held::yes : Held::no;
        }
        for (const auto& [file, size] : record.sides) {
            if (held != Held::no) held = files.holds_side(file, size) ? Held::yes : Held::no;
        }
        return std::string();
    };
    look_through(payload, look);
    return held;
}

void replay_frame(std::string_view payload, Ledger& ledger, WallTime& clock, CrawlFiles* files) {
    FrameLook look;
    look.on_url = [&](const NewUrl& url) {
        ledger.seen().insert(url.print);
        ledger.add(ledger.host(url.host), url);
    };
    look.on_complete = [&](const CompleteRecord& record) {
        // The same order as in Store::handle(CompleteRequest&): the log holds no sequence numbers
        // for new entries, they follow from the order.
        std::string url = ledger.end(ledger.host(record.host), record.ending);
        if (record.archived) ledger.note_archived(*record.archived);
        for (const auto& [file, size] : record.sides) ledger.note_side(file, size);
        if (files && !record.outcome.empty()) files->add_outcome(record.outcome);
        return url;
    };
    look.on_change = [&](const ChangeRecord& record) { apply(record, ledger); };
    look.on_clock = [&](WallTime time) { clock = std::max(clock, time); };
    look_through(payload, look);
}

}  // namespace weft::frontier

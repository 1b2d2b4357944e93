#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "archive/warc/warc_record.h"

namespace weft::archive {

// The record in which a payload was stored for the first time. Revisits refer to it.
struct Original {
    std::string id;  // Of the response record.
    std::string target_uri;
    WallTime date;
};

// One request and its response. It owns its bytes, so that another thread can write it.
struct Capture {
    std::string target_uri;
    WallTime date;
    std::string ip_address;
    std::vector<std::string> protocols;
    std::string cipher_suite;

    // Head and body as sent, without the values of `removed_fields` (see RecordFields). Empty: no
    // request record.
    std::string request;
    std::string removed_fields;
    std::string response;            // As received: transfer and content codings not undone.
    std::size_t response_begin = 0;  // Where in `response` the final head begins (after interim
    std::size_t response_body = 0;   // heads), and where the body begins.
    Truncated truncated = Truncated::no;

    // What an earlier crawl has stored for this URL, and the digest of its payload ("sha1:…";
    // empty: not known). The response becomes a revisit of it if it is a 304 or has the same
    // payload.
    std::optional<Original> earlier;
    std::string earlier_digest;

    // This capture is not compared with others: it becomes no revisit of them, nor they of it.
    bool stands_alone = false;

    // The capture is committed together with the one before, so it goes into the same file, even if
    // that is full.
    bool stays_in_file = false;

    // The lines of the metadata record, by append_warc_field(): "via", "fetchTimeMs" and the like.
    // Empty: no such record.
    std::string metadata;

    // Digests of the body, and of head and body together, by fill_in_digests().
    std::string payload_digest;
    std::string block_digest;

    std::string_view head() const {
        return std::string_view(response).substr(response_begin, response_body - response_begin);
    }
    std::string_view body() const { return std::string_view(response).substr(response_body); }
};

// Fills in the digests of several captures at once, which is cheaper than one by one.
void fill_in_digests(std::span<Capture* const> captures);

// The records of one exchange, in the order in which they are written: the response, then the
// request and the metadata if there are any. With `same_as` (may be null) the payload is already
// stored: then the first is a revisit record, with the head of the response but without its body.
// The records refer to the bytes of `capture`, which must outlive them. `random` makes their ids.
// REQUIRES: the digests are filled in.
std::expected<std::vector<WarcRecord>, RecordError> make_exchange_records(
    const Capture& capture, const Original* same_as, std::string_view warcinfo_id, Random& random);

}  // namespace weft::archive

#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/random.h"

// Records of WARC 1.1 (ISO 28500:2017), as bytes to append to a file. Reading is warc_reader.h.
namespace weft::archive {

enum class RecordType { warcinfo, request, response, revisit, metadata, resource };
std::string_view name(RecordType type);

// Why a block holds less than there was.
enum class Truncated { no, length, time, disconnect, unspecified };

// What the header of a record says, besides what follows from the block. Empty fields are left out.
// Nothing is copied: make_record() reads them while they are there.
struct RecordFields {
    RecordType type = RecordType::metadata;
    std::string_view id;  // By make_record_id().
    WallTime date;        // When the capture began; the same for all records of one exchange.

    std::string_view target_uri;    // Needed by all but warcinfo. Without credentials.
    std::string_view content_type;  // Of the block; filled in for all but metadata and resource.
    std::string_view ip_address;    // Of the server asked.
    std::string_view warcinfo_id;   // The warcinfo record that tells how this one was made.
    std::string_view filename;      // In a warcinfo: the file it begins.
    std::span<const std::string> concurrent_to;  // Ids of records of the same exchange.
    Truncated truncated = Truncated::no;

    // How the exchange went over the wire: "http/1.1" or "h2", then "tls/1.3" and the like.
    std::span<const std::string> protocols;
    std::string_view cipher_suite;

    // Fields of the request whose values the block leaves out: "Authorization, Cookie".
    std::string_view removed_fields;

    std::string_view payload_digest;           // "sha1:…", see sha1_label().
    std::string_view block_digest;             // The same of the block; empty: it is computed.
    std::string_view identified_payload_type;  // What the payload looks like.

    // In a revisit: why the payload is left out, and where it is.
    std::string_view profile;
    std::string_view refers_to;
    std::string_view refers_to_target_uri;
    std::optional<WallTime> refers_to_date;
};

// Profiles of a revisit.
inline constexpr std::string_view kIdenticalPayload =
    "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest";
inline constexpr std::string_view kServerNotModified =
    "http://netpreserve.org/warc/1.1/revisit/server-not-modified";

enum class RecordError {
    missing_id,
    missing_target_uri,
    missing_profile,
    has_credentials,  // "user:password@" in a URI (H121).
    bad_character,    // A control character, a space in a URI, or bytes that are not UTF-8 (H35).
};
std::string_view describe(RecordError error);

// A record ready to be written: its header, its block, and the two line ends after it. The block is
// not copied: its pieces must outlive the record.
struct WarcRecord {
    std::string id;
    std::string header;
    std::vector<std::string_view> block;

    // All the bytes in order.
    std::vector<std::string_view> pieces() const;
    std::string to_string() const;
};

// The record of these fields and this block (given in pieces), with its length and digest.
std::expected<WarcRecord, RecordError> make_record(const RecordFields& fields,
                                                   std::vector<std::string_view> block);

// "<urn:uuid:…>" with a random (version 4) UUID.
std::string make_record_id(Random& random);

// The block of a warcinfo or metadata record: "name: value" lines. A value's line ends and other
// control characters become spaces.
std::string make_warc_fields(const std::vector<std::pair<std::string, std::string>>& fields);

}  // namespace weft::archive

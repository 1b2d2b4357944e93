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

// Makes records of WARC 1.1 (ISO 28500:2017), as bytes to append to a file. For reading see
// warc_reader.h.
namespace weft::archive {

enum class RecordType { warcinfo, request, response, revisit, metadata, resource, conversion };
std::string_view name(RecordType type);

// Why a block is shorter than the original (WARC-Truncated).
enum class Truncated { no, length, time, disconnect };

// The fields of a record's header that do not follow from its block. Empty ones are not written.
// All views; they must be valid during make_record() only.
struct RecordFields {
    RecordType type = RecordType::metadata;
    std::string_view id;  // By make_record_id().
    WallTime date;        // When the capture began; the same for all records of one exchange.

    std::string_view target_uri;    // Required except for warcinfo. Without credentials.
    std::string_view content_type;  // Of the block; some types have a default.
    std::string_view ip_address;    // Of the server.
    std::string_view warcinfo_id;   // The warcinfo record that says how this one was made.
    std::string_view filename;      // In a warcinfo: the file that it begins.
    std::span<const std::string> concurrent_to;  // Ids of records of the same exchange.
    Truncated truncated = Truncated::no;

    // The protocols of the exchange: "http/1.1" or "h2", then "tls/1.3" and the like.
    std::span<const std::string> protocols;
    std::string_view cipher_suite;

    // Request fields whose values are removed from the block: "Authorization, Cookie".
    std::string_view removed_fields;

    std::string_view payload_digest;           // "sha1:…", see sha1_label().
    std::string_view block_digest;             // The same for the block. Empty: it is computed.
    std::string_view identified_payload_type;  // The media type that the payload seems to have.

    std::string_view identified_content_language;  // Of a text: "eng,deu" (ISO 639-3).

    // In a revisit: why the payload is not stored again, and where it is. In a conversion:
    // `refers_to` is the record that it was made of.
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

// A record that is ready to be written: its header, its block, and the two line ends after it. The
// block is not copied: its pieces must outlive the record.
struct WarcRecord {
    std::string id;
    std::string header;
    std::vector<std::string_view> block;

    // All bytes in order. The views are valid as long as the record.
    std::vector<std::string_view> pieces() const;
};

// Makes a record of these fields and this block (in pieces); adds length and digest.
std::expected<WarcRecord, RecordError> make_record(const RecordFields& fields,
                                                   std::vector<std::string_view> block);

// "<urn:uuid:…>" with a random (version 4) UUID.
std::string make_record_id(Random& random);

// Adds a "name: value" line to the block of a warcinfo or metadata record. Line ends and other
// control characters in the value become spaces.
void append_warc_field(std::string& block, std::string_view name, std::string_view value);

}  // namespace weft::archive

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace weft::archive {

// What an index says of one response or revisit record.
struct CdxEntry {
    std::string target_uri;
    WallTime date;
    std::string mime;     // "text/html"; "warc/revisit" for a revisit.
    unsigned status = 0;  // 0: none.
    std::string digest;   // "sha1:…"
    std::string filename;
    std::uint64_t offset = 0;  // Of the record, or of its member, in the file.
    std::uint64_t length = 0;
};

// "com,example)/path?a=1 20260301120000 {…}\n". Lines sorted as bytes are an index that replay
// tools can search. As these tools write it: numbers as strings, SHA-1 digests without their label.
std::string make_cdxj_line(const CdxEntry& entry);

// The sort key of a URL as the URL parser writes it: lower case, the host's labels reversed,
// without scheme, credentials, a leading "www.", default port and fragment; the parts of the query
// sorted. A URL that is not http or https is its own key, with blanks escaped.
std::string surt_key(std::string_view url);

}  // namespace weft::archive

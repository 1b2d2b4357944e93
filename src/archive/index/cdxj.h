#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"

namespace weft::archive {

// The index entry of one response or revisit record.
struct CdxEntry {
    std::string target_uri;
    WallTime date;
    std::string mime;     // "text/html"; "warc/revisit" for a revisit.
    unsigned status = 0;  // 0: the record has none.
    std::string digest;   // "sha1:…"
    std::string filename;
    std::uint64_t offset = 0;  // Of the record, or of its member, in the file.
    std::uint64_t length = 0;
};

// A line of a CDXJ index: "com,example)/path?a=1 20260301120000 {…}\n". Lines sorted by their bytes
// are an index that replay tools can search. It follows those tools: numbers are strings, and SHA-1
// digests have no label.
std::string make_cdxj_line(const CdxEntry& entry);

// The sort key (SURT) of a URL that the URL parser has serialized: in lower case, the host's labels
// reversed, without scheme, credentials, a leading "www.", default port and fragment, and with the
// parts of the query sorted. The key of a URL that is not http or https is the URL, with white
// space escaped.
std::string surt_key(std::string_view url);

}  // namespace weft::archive

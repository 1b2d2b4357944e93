#pragma once

#include <string>

#include "web/url/url.h"

namespace weft::web {

// What canonical_key() may do beyond the rules that are always safe. On some sites each of these
// gives one key to two different pages, so all are off unless a crawl turns them on.
struct CanonicalOptions {
    // Drop session ids: `;jsessionid=...` in the path; in the query PHPSESSID, CFID,
    // ASPSESSIONID..., sid=<16 or more letters and digits> and similar names.
    bool drop_session_ids = false;

    // Drop utm_source, fbclid, gclid and other tracking parameters of advertisers and mailings.
    bool drop_tracking = false;

    // Sort the parameters by name. Parameters of the same name keep their order.
    bool sort_query = false;
};

// The key that identifies a page: two URLs with the same key are fetched once.
//
// For http and https, on top of what parsing has done already (case of scheme and host, default
// port, dot segments, punycode):
//  - the fragment is dropped;
//  - escapes are written in upper case (%c3 becomes %C3);
//  - escapes of letters, digits, "-", ".", "_" and "~" are undone in path and query (%7Euser
//    becomes ~user; RFC 3986 section 6.2.2.2);
//  - a "?" with nothing after it is dropped;
//  - the options follow, in the order of CanonicalOptions.
// With any other scheme, only the fragment is dropped.
//
// The key is itself a URL, and it is its own key: canonical_key(*Url::parse(key)) == key.
std::string canonical_key(const Url& url, const CanonicalOptions& options = {});

}  // namespace weft::web

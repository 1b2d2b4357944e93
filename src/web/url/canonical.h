#pragma once

#include <string>

#include "web/url/url.h"

namespace weft::web {

// What canonical_key() may do beyond the rules that are always safe. Each of these can join pages
// that are not the same on some site, so all are off unless a crawl asks.
struct CanonicalOptions {
    // Drop session ids: `;jsessionid=...` in the path, and PHPSESSID, CFID, ASPSESSIONID...,
    // sid=<16 or more letters and digits> and their like in the query.
    bool drop_session_ids = false;

    // Drop utm_source, fbclid, gclid and the other marks of advertisers and mailings.
    bool drop_tracking = false;

    // Order the parameters by name; those of one name keep their order.
    bool sort_query = false;
};

// The key under which a page is known: two URLs with one key are fetched once.
//
// For http and https, on top of what parsing has done already (case of scheme and host, default
// port, dot segments, punycode):
//  - the fragment goes;
//  - escapes are written in upper case (%c3 becomes %C3);
//  - escapes of letters, digits, "-", ".", "_" and "~" are undone (%7Euser becomes ~user), in path
//    and query, as RFC 3986 section 6.2.2.2 has it;
//  - a "?" with nothing after it goes;
//  - then the options, in the order in which they stand above.
// Every other scheme loses its fragment only.
//
// The key is itself a URL, and its own key: canonical_key(*Url::parse(key)) == key.
std::string canonical_key(const Url& url, const CanonicalOptions& options = {});

}  // namespace weft::web

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "web/url/url.h"

// For commands that fetch: turns typed text into values, or throws a UsageError that says what to
// type instead.
namespace weft::cli {

// Whether the text begins with a scheme, as "mailto:a@b" does. "example.com" and "localhost:8080"
// are hosts.
bool has_scheme(std::string_view text);

// The text for a message: escaped, and without the user and password of a URL (H121).
std::string shown_typed(std::string_view text);

// An http or https URL to fetch or explain: `verb` is for the message.
web::Url parse_typed_url(const std::string& text, std::string_view verb);

// An http or https URL to crawl. As in wget, a missing scheme means http. `place` begins the
// message: "list.txt:3: ".
web::Url parse_seed(const std::string& text, std::string_view place);

// A domain in lower case and ASCII, as URLs have it; "*.example.com" is "example.com". Nothing if
// the text is not a domain.
std::optional<std::string> domain_typed(std::string_view text);

// Whether the host is the local machine, by name or address.
bool is_loopback(const web::Url& url);

}  // namespace weft::cli

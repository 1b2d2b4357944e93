#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "http/connect/address_policy.h"
#include "web/url/url.h"

// What commands that fetch have in common: text as typed becomes values, or a UsageError that says
// what to write instead.
namespace weft::cli {

// Whether the text names a scheme: "example.com" and "localhost:8080" are hosts, "mailto:a@b" is
// none.
bool has_scheme(std::string_view text);

// The text for a message: escaped, and without the user and password that a URL may hold (H121).
std::string shown_typed(std::string_view text);

// An http or https URL. `verb` for the message: "crawl".
web::Url parse_typed_url(const std::string& text, std::string_view verb);

// A domain as URLs have it, in lower case and ASCII; "*.example.com" is "example.com". Nothing if
// it is none.
std::optional<std::string> domain_typed(std::string_view text);

// The values of --allow-net, which was checked.
void allow_networks(const std::vector<std::string>& texts, http::AddressPolicy& addresses);

// Whether a host is this very machine, by its name or address.
bool is_loopback(const web::Url& url);

Duration to_duration(double seconds);

}  // namespace weft::cli

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string_view>

#include "base/assert.h"
#include "web/url/canonical.h"
#include "web/url/url.h"
#include "web/url/url_fast_path.h"
#include "web/url/url_parser.h"

// Hostile bytes as a URL, as a base and as a reference. What comes out must parse to itself, its
// key must be its own key, and the fast path must agree with the standard's parser.
namespace weft::web {
namespace {

void check_same(const Url& a, const Url& b) {
    WEFT_ASSERT(a.href() == b.href());
    WEFT_ASSERT(a.scheme() == b.scheme());
    WEFT_ASSERT(a.username() == b.username());
    WEFT_ASSERT(a.password() == b.password());
    WEFT_ASSERT(a.host() == b.host());
    WEFT_ASSERT(a.hostname() == b.hostname());
    WEFT_ASSERT(a.port() == b.port());
    WEFT_ASSERT(a.pathname() == b.pathname());
    WEFT_ASSERT(a.path_and_query() == b.path_and_query());
    WEFT_ASSERT(a.hash() == b.hash());
    WEFT_ASSERT(a.host_kind() == b.host_kind());
    WEFT_ASSERT(a.has_opaque_path() == b.has_opaque_path());
}

void check_url(const Url& url, unsigned options_bits) {
    const auto again = Url::parse(url.href());
    WEFT_ASSERT(again.has_value());
    check_same(url, *again);
    WEFT_ASSERT(url.origin() == again->origin());

    const CanonicalOptions options{.drop_session_ids = (options_bits & 1) != 0,
                                   .drop_tracking = (options_bits & 2) != 0,
                                   .sort_query = (options_bits & 4) != 0};
    const std::string key = canonical_key(url, options);
    const auto known = Url::parse(key);
    WEFT_ASSERT(known.has_value() && known->href() == key);
    WEFT_ASSERT(canonical_key(*known, options) == key);
}

void check_setters(Url url, std::string_view value, unsigned which) {
    using Setter = void (Url::*)(std::string_view);
    static constexpr Setter kSetters[] = {
        &Url::set_protocol, &Url::set_username, &Url::set_password,
        &Url::set_host,     &Url::set_hostname, &Url::set_port,
        &Url::set_pathname, &Url::set_search,   &Url::set_hash,
    };
    (url.*kSetters[which % std::size(kSetters)])(value);
    const auto again = Url::parse(url.href());
    WEFT_ASSERT(again.has_value());
    check_same(url, *again);
}

void check_fast_path(const std::optional<Url>& fast, std::string_view text, const Url* base) {
    if (!fast) return;
    const auto slow = detail::parse_by_standard(text, base, nullptr);
    WEFT_ASSERT(slow.has_value());
    check_same(*fast, *slow);
}

}  // namespace
}  // namespace weft::web

// The first byte chooses options, the next newline parts the base from the reference.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using weft::web::Url;
    if (size == 0) return 0;
    const unsigned choice = data[0];
    const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
    const std::size_t cut = std::min(input.find('\n'), input.size());
    const std::string_view text = input.substr(0, cut);
    const std::string_view reference = cut < input.size() ? input.substr(cut + 1) : "";

    weft::web::check_fast_path(weft::web::UrlFastPath::parse(text), text, nullptr);
    const auto base = Url::parse(text);
    if (!base) return 0;
    weft::web::check_url(*base, choice);
    weft::web::check_setters(*base, reference, choice >> 3);
    weft::web::check_fast_path(weft::web::UrlFastPath::resolve(*base, reference), reference,
                               &*base);
    if (const auto url = base->resolve(reference)) weft::web::check_url(*url, choice);
    return 0;
}

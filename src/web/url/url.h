#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/limits.h"
#include "base/units.h"

// URLs by the WHATWG URL standard (url.spec.whatwg.org): the only URL parser of the crawler. All
// code that reads a URL (links, redirects, seeds, sitemaps) parses it here and uses only the parts
// of the result, so that no two places can disagree on the host of a URL (H66).
namespace weft::web {

namespace detail {
struct UrlRecord;
}

// Why a text is not a URL.
enum class [[nodiscard]] UrlError : std::uint8_t {
    empty,           // only white space, without a base
    missing_scheme,  // relative, without a base
    opaque_base,     // relative to a base with an opaque path, such as mailto: or data:
    missing_host,
    bad_host,    // a character that no host may have
    bad_domain,  // an international name that UTS 46 does not allow
    bad_ipv4,
    bad_ipv6,
    bad_port,
    too_long,  // past UrlOptions::bytes_max
};

// What is wrong, in words for the person who wrote the text. Without a full stop.
std::string_view describe(UrlError error);

// A query in the bytes of a legacy encoding. `missing` are the code points that the encoding cannot
// write, each with its offset in `bytes`. The parser writes them as %26%23NNN%3B, which is
// "&#NNN;".
struct EncodedQuery {
    struct Missing {
        std::size_t offset = 0;
        char32_t code_point = 0;
    };

    std::string bytes;
    std::vector<Missing> missing;  // in order of offset
};

// Turns UTF-8 text into a document's encoding: the standard sends the query of an http(s) link in
// the encoding of the page that holds it. Must be usable from many threads at once.
class QueryEncoder {
public:
    virtual ~QueryEncoder() = default;
    virtual EncodedQuery encode(std::string_view utf8) const = 0;
};

struct UrlOptions {
    // The limit for the given text and for the resulting URL (percent-encoding can make it three
    // times as long). The standard has no limit; the crawler passes kBoundedUrl. Values above
    // kUrlBytesCeiling mean kUrlBytesCeiling.
    std::size_t bytes_max = std::numeric_limits<std::size_t>::max();

    // Null means UTF-8. Not owned; used during the call only.
    const QueryEncoder* query_encoder = nullptr;
};

// The options for every URL that comes from the web.
inline constexpr UrlOptions kBoundedUrl{.bytes_max = limits::kUrlBytesMax};

// Longer texts and URLs are always `too_long`: offsets in a Url have 32 bits, and one character of
// the text can become sixteen bytes of the URL.
inline constexpr std::size_t kUrlBytesCeiling = 256_MiB;

enum class HostKind : std::uint8_t { none, empty, domain, ipv4, ipv6, opaque };

// A valid absolute URL: its serialisation and the offsets of its parts. It is a value of 64 bytes
// that owns one string. The views that its getters return are valid until the Url is changed, moved
// or destroyed.
//
//     https://user:pass@example.com:1234/a/b?q#f
//          |  |   |    |          |    |   | |
//          |  |   |    host_start |    |   | fragment_start
//          |  |   username_end    |    |   query_start
//          |  (scheme_end + 3)    |    path_start
//          scheme_end             host_end
//
// Invariant: href() parses to an equal URL. There is no empty Url; use std::optional.
class Url {
public:
    // Parses an absolute URL. Bytes that are not UTF-8 are percent-encoded one by one, because
    // servers that send Latin-1 in a Location field mean those bytes. In a host they are
    // `bad_domain`.
    static std::expected<Url, UrlError> parse(std::string_view text,
                                              const UrlOptions& options = {});

    // Parses `reference`, relative or absolute, as a link in a document whose base is this URL.
    std::expected<Url, UrlError> resolve(std::string_view reference,
                                         const UrlOptions& options = {}) const;

    // The whole URL, as it is stored, compared and shown. For http it is ASCII without control
    // characters and spaces.
    const std::string& href() const { return href_; }

    // "https".
    std::string_view scheme() const { return part(0, scheme_end_); }
    // "https:".
    std::string_view protocol() const { return part(0, scheme_end_ + 1); }

    // Percent-encoded as in the URL. Empty if the URL has none.
    std::string_view username() const;
    std::string_view password() const;
    bool has_credentials() const { return host_start_ > username_end_; }

    // "example.com:8080": what an HTTP Host header says.
    std::string_view host() const;
    // "example.com", "127.0.0.1" or "[::1]", in lower case and ASCII (punycode) for http.
    std::string_view hostname() const { return part(host_start_, host_end_); }
    bool has_host() const { return kind_of_host_ != HostKind::none; }
    HostKind host_kind() const { return kind_of_host_; }

    // The port in the URL. The parser removes a scheme's default port.
    std::optional<std::uint16_t> port() const;
    // port(), or else the scheme's default port.
    std::optional<std::uint16_t> effective_port() const;

    // "/a/b"; starts with "/" for every http URL.
    std::string_view pathname() const { return part(path_start_, query_start_); }
    // "?q". Empty if there is no query or an empty one.
    std::string_view search() const;
    // "#f". Empty if there is no fragment or an empty one.
    std::string_view hash() const;
    // "/a/b?q", for an HTTP request line and robots.txt. Keeps a "?" with nothing after it.
    std::string_view path_and_query() const { return part(path_start_, fragment_start_); }
    bool has_query() const { return query_start_ < fragment_start_; }
    bool has_fragment() const { return fragment_start_ < href_.size(); }

    // "https://example.com:8080", or "null" for schemes that have no origin (file:, data:, ...).
    std::string origin() const;

    // http or https.
    bool is_http() const;
    // ftp, file, http, https, ws, wss. Their hosts are domains or addresses, and "\" means "/".
    bool is_special() const;
    // True for mailto:, data: and similar URLs. Only a fragment can be relative to them.
    bool has_opaque_path() const { return opaque_path_; }

    Url without_fragment() const;

    // The setters of the URL API (section 6.1 of the standard), for text as a script would pass it.
    // A value that is not possible for its part (a host with a space, a user for file:) does not
    // change the URL. Each setter writes the whole URL again, so they are slow.
    void set_protocol(std::string_view value);
    void set_username(std::string_view value);
    void set_password(std::string_view value);
    void set_host(std::string_view value);
    void set_hostname(std::string_view value);
    void set_port(std::string_view value);
    void set_pathname(std::string_view value);
    void set_search(std::string_view value);
    void set_hash(std::string_view value);

    friend bool operator==(const Url& a, const Url& b) { return a.href_ == b.href_; }
    friend std::strong_ordering operator<=>(const Url& a, const Url& b) {
        return a.href_ <=> b.href_;
    }

private:
    friend struct detail::UrlRecord;
    friend class UrlFastPath;

    Url() = default;

    std::string_view part(std::size_t begin, std::size_t end) const {
        return std::string_view(href_).substr(begin, end - begin);
    }

    std::string href_;
    std::uint32_t scheme_end_ = 0;
    std::uint32_t username_end_ = 0;
    std::uint32_t host_start_ = 0;
    std::uint32_t host_end_ = 0;
    std::uint32_t path_start_ = 0;
    std::uint32_t query_start_ = 0;
    std::uint32_t fragment_start_ = 0;
    std::uint16_t port_ = 0;  // Meaningful only if the URL has a port.
    HostKind kind_of_host_ = HostKind::none;
    bool opaque_path_ = false;
};

static_assert(sizeof(Url) == 64);

}  // namespace weft::web

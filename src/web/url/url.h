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

// URLs by the WHATWG URL standard (url.spec.whatwg.org): the one parser of the crawler. Whatever
// reads a URL (links, redirects, seeds, sitemaps) parses it here and uses only the result's parts,
// so that no two places can disagree on which host a text means (H66).
namespace weft::web {

namespace detail {
struct UrlRecord;
}

// Why a text is no URL.
enum class [[nodiscard]] UrlError : std::uint8_t {
    empty,           // nothing but white space, and no base
    missing_scheme,  // relative, and no base
    opaque_base,     // relative to a mailto:, data: or the like
    missing_host,
    bad_host,    // a character that no host may have
    bad_domain,  // international, and not a name that UTS 46 allows
    bad_ipv4,
    bad_ipv6,
    bad_port,
    too_long,  // past UrlOptions::bytes_max
};

// What is wrong, as the person who wrote the text would put it; no full stop.
std::string_view describe(UrlError error);

// A query in the bytes of a legacy encoding: `bytes`, and the code points the encoding lacks, each
// with the offset in `bytes` where it would have stood. The parser writes those as %26%23NNN%3B.
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
    // Of the text given and of the URL that comes out (percent-encoding can treble it). The
    // standard knows no limit; the crawler passes kBoundedUrl. Never above kUrlBytesCeiling.
    std::size_t bytes_max = std::numeric_limits<std::size_t>::max();

    // Null means UTF-8. Not owned; used during the call only.
    const QueryEncoder* query_encoder = nullptr;
};

// The options for every URL that comes from the web.
inline constexpr UrlOptions kBoundedUrl{.bytes_max = limits::kUrlBytesMax};

// Offsets are 32 bits wide and a character can take sixteen bytes of them: texts and URLs past this
// are `too_long` always.
inline constexpr std::size_t kUrlBytesCeiling = 256_MiB;

enum class HostKind : std::uint8_t { none, empty, domain, ipv4, ipv6, opaque };

// A valid absolute URL: its serialisation and the offsets of its parts. A value of 64 bytes that
// owns one string; the views its getters return live as long as it does and is not changed.
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
    // An absolute URL. Bytes that are not UTF-8 are escaped as they are (servers that send Latin-1
    // in a Location mean those bytes), except in a host, where they are `bad_domain`.
    static std::expected<Url, UrlError> parse(std::string_view text,
                                              const UrlOptions& options = {});

    // `reference` as a link in a document whose base is this URL; absolute ones too.
    std::expected<Url, UrlError> resolve(std::string_view reference,
                                         const UrlOptions& options = {}) const;

    // The whole, as it is stored, compared and shown; ASCII without controls or spaces for http.
    const std::string& href() const { return href_; }

    // "https".
    std::string_view scheme() const { return part(0, scheme_end_); }
    // "https:".
    std::string_view protocol() const { return part(0, scheme_end_ + 1); }

    // Percent-encoded as in the URL; empty where there is none.
    std::string_view username() const;
    std::string_view password() const;
    bool has_credentials() const { return host_start_ > username_end_; }

    // "example.com:8080": what an HTTP Host header says.
    std::string_view host() const;
    // "example.com", "127.0.0.1" or "[::1]", in lower case and ASCII (punycode) for http.
    std::string_view hostname() const { return part(host_start_, host_end_); }
    bool has_host() const { return kind_of_host_ != HostKind::none; }
    HostKind host_kind() const { return kind_of_host_; }

    // The port written in the URL; a scheme's default port is never written.
    std::optional<std::uint16_t> port() const;
    // That, or the scheme's default.
    std::optional<std::uint16_t> effective_port() const;

    // "/a/b"; starts with "/" for every http URL.
    std::string_view pathname() const { return part(path_start_, query_start_); }
    // "?q", or empty where there is no query or nothing in it.
    std::string_view search() const;
    // "#f", or empty.
    std::string_view hash() const;
    // What an HTTP request line and robots.txt need: "/a/b?q". Keeps a lone "?".
    std::string_view path_and_query() const { return part(path_start_, fragment_start_); }
    bool has_query() const { return query_start_ < fragment_start_; }
    bool has_fragment() const { return fragment_start_ < href_.size(); }

    // "https://example.com:8080", or "null" for schemes without hosts of their own.
    std::string origin() const;

    // http or https.
    bool is_http() const;
    // ftp, file, http, https, ws, wss: those whose hosts are domains and whose "\" is "/".
    bool is_special() const;
    // mailto:, data: and the like, which nothing but a fragment can be relative to.
    bool has_opaque_path() const { return opaque_path_; }

    Url without_fragment() const;

    // The setters of the URL API, on text as a script would pass it: what the part cannot be (a
    // host with a space, a user for file:) leaves the URL as it is. Each writes the URL anew; not
    // for hot paths.
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
    std::uint16_t port_ = 0;  // The number after host_end_, where there is one.
    HostKind kind_of_host_ = HostKind::none;
    bool opaque_path_ = false;
};

static_assert(sizeof(Url) == 64);

}  // namespace weft::web

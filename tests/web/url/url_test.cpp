#include "web/url/url.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace weft::web {
namespace {

Url url_of(std::string_view text) {
    auto url = Url::parse(text);
    EXPECT_TRUE(url.has_value()) << text << ": " << describe(url.error());
    return url ? *std::move(url) : Url::parse("about:blank").value();
}

std::string href_of(std::string_view text) {
    const auto url = Url::parse(text);
    return url ? url->href() : std::string(describe(url.error()));
}

std::string resolved(std::string_view base, std::string_view reference) {
    const auto url = url_of(base).resolve(reference);
    return url ? url->href() : std::string(describe(url.error()));
}

TEST(Url, GivesItsParts) {
    const Url url = url_of("HTTPS://us%65r:p:w@Example.COM:8443/a/../b/./c?x=1&y#frag");

    EXPECT_EQ(url.href(), "https://us%65r:p%3Aw@example.com:8443/b/c?x=1&y#frag");
    EXPECT_EQ(url.scheme(), "https");
    EXPECT_EQ(url.protocol(), "https:");
    EXPECT_EQ(url.username(), "us%65r");
    EXPECT_EQ(url.password(), "p%3Aw");
    EXPECT_EQ(url.host(), "example.com:8443");
    EXPECT_EQ(url.hostname(), "example.com");
    EXPECT_EQ(url.port(), 8443);
    EXPECT_EQ(url.effective_port(), 8443);
    EXPECT_EQ(url.pathname(), "/b/c");
    EXPECT_EQ(url.search(), "?x=1&y");
    EXPECT_EQ(url.hash(), "#frag");
    EXPECT_EQ(url.origin(), "https://example.com:8443");
    EXPECT_EQ(url.path_and_query(), "/b/c?x=1&y");
    EXPECT_TRUE(url.is_http());
    EXPECT_EQ(url.host_kind(), HostKind::domain);
}

TEST(Url, LeavesOutWhatIsNotThere) {
    const Url url = url_of("http://example.com");

    EXPECT_EQ(url.href(), "http://example.com/");
    EXPECT_EQ(url.username(), "");
    EXPECT_EQ(url.password(), "");
    EXPECT_FALSE(url.has_credentials());
    EXPECT_EQ(url.port(), std::nullopt);
    EXPECT_EQ(url.effective_port(), 80);
    EXPECT_EQ(url.search(), "");
    EXPECT_EQ(url.hash(), "");
    EXPECT_EQ(url.path_and_query(), "/");
}

TEST(Url, DropsTheDefaultPortOnly) {
    EXPECT_EQ(href_of("http://h:80/"), "http://h/");
    EXPECT_EQ(href_of("https://h:0443/"), "https://h/");
    EXPECT_EQ(href_of("https://h:80/"), "https://h:80/");
}

TEST(Url, KeepsALoneQuestionMarkForTheRequest) {
    const Url url = url_of("http://h/a?#f");

    EXPECT_EQ(url.search(), "");
    EXPECT_EQ(url.path_and_query(), "/a?");
    EXPECT_EQ(url.without_fragment().href(), "http://h/a?");
    EXPECT_FALSE(url.without_fragment().has_fragment());
}

TEST(Url, ResolvesReferences) {
    EXPECT_EQ(resolved("http://a/b/c/d;p?q", "g"), "http://a/b/c/g");
    EXPECT_EQ(resolved("http://a/b/c/d;p?q", "../g?y#s"), "http://a/b/g?y#s");
    EXPECT_EQ(resolved("http://a/b/c/d;p?q", "../../../../g"), "http://a/g");
    EXPECT_EQ(resolved("http://a/b/c/d;p?q", ""), "http://a/b/c/d;p?q");
    EXPECT_EQ(resolved("http://a/b/c/d;p?q#f", "?y"), "http://a/b/c/d;p?y");
    EXPECT_EQ(resolved("http://a/b/c/d;p?q", "#s"), "http://a/b/c/d;p?q#s");
    EXPECT_EQ(resolved("http://a/b/c/d;p?q", "//g"), "http://g/");
    EXPECT_EQ(resolved("http://a/b/c/d;p?q", "."), "http://a/b/c/");
    EXPECT_EQ(resolved("http://a/b/c/d;p?q", "http:g"), "http://a/b/c/g");
}

TEST(Url, SaysWhatIsWrong) {
    EXPECT_EQ(href_of("  "), "empty");
    EXPECT_EQ(href_of("example.com/a"), "no scheme; did you mean https://?");
    EXPECT_EQ(href_of("https://"), "no host after the scheme");
    EXPECT_EQ(href_of("https://a b/"), "host has a character that no host may have");
    EXPECT_EQ(href_of("https://h:x/"), "port is not in 0-65535");
    EXPECT_EQ(resolved("mailto:a@b", "c"), "relative, but the base has no path (mailto:, data:)");
}

TEST(Url, IsBoundedWhereAsked) {
    const std::string prefix = "http://h/";
    const std::string at_limit = prefix + std::string(limits::kUrlBytesMax - prefix.size(), 'a');
    const std::string spaces = prefix + std::string(limits::kUrlBytesMax / 2, ' ') + "x";

    EXPECT_TRUE(Url::parse(at_limit, kBoundedUrl).has_value());
    EXPECT_EQ(Url::parse(at_limit + "a", kBoundedUrl).error(), UrlError::too_long);
    EXPECT_EQ(Url::parse(spaces, kBoundedUrl).error(), UrlError::too_long);
    EXPECT_TRUE(Url::parse(at_limit + "a").has_value());
}

TEST(Url, EscapesBytesThatAreNotUtf8AsTheyAre) {
    EXPECT_EQ(href_of("http://h/caf\xE9?\xFF"), "http://h/caf%E9?%FF");
    EXPECT_EQ(href_of("http://caf\xE9/"), "host is not a valid international domain name");
}

class Latin1Encoder : public QueryEncoder {
public:
    EncodedQuery encode(std::string_view utf8) const override {
        EXPECT_EQ(utf8, "a=\xC3\xA9\xE2\x82\xAC'");
        return {.bytes = "a=\xE9'", .missing = {{.offset = 3, .code_point = 0x20AC}}};
    }
};

TEST(Url, WritesTheQueryInTheDocumentsEncoding) {
    const Latin1Encoder encoder;
    const UrlOptions options{.query_encoder = &encoder};

    const auto url = url_of("http://h/").resolve("?a=\xC3\xA9\xE2\x82\xAC'", options);

    EXPECT_EQ(url->search(), "?a=%E9%26%238364%3B%27");
}

TEST(Url, SettersChangeOnePartOrNothing) {
    Url url = url_of("http://h/a?b#c");

    url.set_protocol("https");
    url.set_host("Example.com:8080");
    url.set_username("u@");
    url.set_pathname("x/../y");
    url.set_search("");
    url.set_hash("d");
    url.set_port("99999");
    url.set_hostname("bad host");
    url.set_protocol("mailto");

    EXPECT_EQ(url.href(), "https://u%40@example.com:8080/y#d");
}

// H65: what looks like a link but must never be fetched keeps a scheme that says so.
TEST(Url, H65HostileSchemesAreSeenThrough) {
    const struct {
        std::string_view reference, scheme;
    } cases[] = {
        {"javascript:alert(1)", "javascript"}, {" java\tscript:alert(1)", "javascript"},
        {"JaVaScRiPt:alert(1)", "javascript"}, {"\x01javascript:x", "javascript"},
        {"data:text/html,<p>", "data"},        {"mailto:a@b.test", "mailto"},
        {"blob:https://h.test/1", "blob"},     {"file:///etc/passwd", "file"},
        {"fi\nle:///etc/passwd", "file"},      {"view-source:http://h/", "view-source"},
    };
    const Url base = url_of("http://page.test/dir/");
    for (const auto& c : cases) {
        const auto url = base.resolve(c.reference);
        ASSERT_TRUE(url.has_value()) << c.reference;
        EXPECT_EQ(url->scheme(), c.scheme) << c.reference;
        EXPECT_FALSE(url->is_http()) << c.reference;
    }
}

TEST(Url, H65SlashesOfEitherKindNameAHost) {
    EXPECT_EQ(resolved("https://page.test/dir/", "//host/x"), "https://host/x");
    EXPECT_EQ(resolved("https://page.test/dir/", "\\\\host\\x"), "https://host/x");
    EXPECT_EQ(resolved("https://page.test/dir/", "/\\host"), "https://host/");
    EXPECT_EQ(resolved("https://page.test/dir/", "https:/x"), "https://page.test/x");
    EXPECT_EQ(resolved("https://page.test/dir/", "http:/x"), "http://x/");
}

// H66: the forms on which parsers have disagreed; ours is the browsers' reading.
TEST(Url, H66DisputedFormsHaveOneReading) {
    EXPECT_EQ(href_of("http://a%2Fb/"), describe(UrlError::bad_host));
    EXPECT_EQ(href_of("http://user:p@ss@h/"), "http://user:p%40ss@h/");
    EXPECT_EQ(href_of("http://u;x:p;y@h/"), "http://u%3Bx:p%3By@h/");
    EXPECT_EQ(url_of("http://h#@evil/").hostname(), "h");
    EXPECT_EQ(url_of("http://h?@evil/").hostname(), "h");
    EXPECT_EQ(url_of("http://h\\@evil/").hostname(), "h");
    EXPECT_EQ(url_of("http://h;@evil/").hostname(), "evil");
    EXPECT_EQ(href_of("http://0x7f.1/"), "http://127.0.0.1/");
    EXPECT_EQ(href_of("http://017700000001/"), "http://127.0.0.1/");
    EXPECT_EQ(href_of("http://127.0.0.1.:80/"), "http://127.0.0.1/");
    EXPECT_EQ(href_of("http://1.2.3.256/"), describe(UrlError::bad_ipv4));
    EXPECT_EQ(href_of("http://[::ffff:1.2.3.4]/"), "http://[::ffff:102:304]/");
    EXPECT_EQ(href_of("http://[::1%25eth0]/"), describe(UrlError::bad_ipv6));
    EXPECT_EQ(url_of("http://h:0/").port(), 0);
    EXPECT_EQ(href_of("http://h:65536/"), describe(UrlError::bad_port));
    EXPECT_EQ(href_of("http://h:65535/"), "http://h:65535/");
    EXPECT_EQ(href_of("ht\ttp://e\nvil/\r\nX: y"), "http://evil/X:%20y");
    EXPECT_EQ(href_of("http://h/%0d%0aX"), "http://h/%0d%0aX");
    EXPECT_EQ(href_of(std::string_view("http://h/\0", 10)), "http://h/");
    EXPECT_EQ(href_of(std::string_view("http://h\0x/", 11)), describe(UrlError::bad_host));
}

TEST(Url, H66AddressesInFourNumbersAreReadLikeTheOtherForms) {
    EXPECT_EQ(url_of("http://127.0.0.1:8080/a/../b?c").href(), "http://127.0.0.1:8080/b?c");
    EXPECT_EQ(url_of("http://0.10.255.9").href(), "http://0.10.255.9/");
    EXPECT_EQ(url_of("http://0.10.255.9").host_kind(), HostKind::ipv4);
    EXPECT_EQ(href_of("http://127.0.0.010/"), "http://127.0.0.8/");
    EXPECT_EQ(href_of("http://127.0.1/"), "http://127.0.0.1/");
    EXPECT_EQ(href_of("http://1.2.3.4.5/"), describe(UrlError::bad_ipv4));
    EXPECT_EQ(href_of("http://256.1.1.1/"), describe(UrlError::bad_ipv4));
    EXPECT_EQ(href_of("http://1.2.3.4x/"), "http://1.2.3.4x/");
    EXPECT_EQ(url_of("http://1.2.3.4x/").host_kind(), HostKind::domain);
    EXPECT_EQ(href_of("http://1..2.3/"), describe(UrlError::bad_ipv4));
}

TEST(Url, H66HostKindTellsAddressesFromNames) {
    EXPECT_EQ(url_of("http://0x7f.1/").host_kind(), HostKind::ipv4);
    EXPECT_EQ(url_of("http://[::1]/").host_kind(), HostKind::ipv6);
    EXPECT_EQ(url_of("http://a.1b/").host_kind(), HostKind::domain);
    EXPECT_EQ(url_of("foo://1.2.3.4/").host_kind(), HostKind::opaque);
    EXPECT_EQ(url_of("file:///x").host_kind(), HostKind::empty);
    EXPECT_EQ(url_of("mailto:x").host_kind(), HostKind::none);
}

}  // namespace
}  // namespace weft::web

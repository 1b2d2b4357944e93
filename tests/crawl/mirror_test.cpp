#include <gtest/gtest.h>

#include "crawl/mirror_names.h"
#include "crawl/mirror_rewrite.h"

namespace weft::crawl {
namespace {

web::Url url_of(std::string_view text) {
    return web::Url::parse(text).value();
}

std::string path_of(std::string_view url, std::string_view type = "text/html") {
    return mirror_path(url_of(url), type);
}

TEST(MirrorNames, FollowTheUrl) {
    EXPECT_EQ(path_of("http://example.com/"), "example.com/index.html");
    EXPECT_EQ(path_of("http://example.com:8080/a/b"), "example.com_8080/a/b.html");
    EXPECT_EQ(path_of("http://example.com/a.htm"), "example.com/a.htm");
    EXPECT_EQ(path_of("http://example.com/a.php?x=1&y=2"), "example.com/a.php@x=1%26y=2.html");
    EXPECT_EQ(path_of("http://example.com/a/", "image/png"), "example.com/a/index.png");
    EXPECT_EQ(path_of("http://example.com/style", "text/css"), "example.com/style.css");
    EXPECT_EQ(path_of("http://example.com/x.tar.gz", "application/gzip"), "example.com/x.tar.gz");
    EXPECT_EQ(path_of("http://example.com/gr\u00FC\u00DFe"), "example.com/gr%C3%BC%C3%9Fe.html");
}

TEST(MirrorNames, H94NoNameDoesHarm) {
    const std::string_view hostile[] = {
        "http://a.test/../../etc/passwd",
        "http://a.test/%2e%2e/%2e%2e/etc/passwd",
        "http://a.test/..%2f..%2fetc/passwd",
        "http://a.test/..%5c..%5cwindows",
        "http://a.test//etc//passwd",
        "http://a.test/C:/windows/system32",
        "http://a.test/a%00b",
        "http://a.test/a\x01\x7F b*?<>|\"",
        "http://a.test/CON",
        "http://a.test/con.txt/aux/NUL.tar.gz/com1",
        "http://a.test/.htaccess",
        "http://a.test/.../....//.",
        "http://a.test/name.",
        "http://a.test/name%20",
        "http://a.test/~root/.ssh/authorized_keys",
        "http://a.test/?../../../etc/passwd",
        "http://a.test/?.",
        "http://[::1]:8080/",
        "http://..test/",
    };

    for (const std::string_view text : hostile) {
        const auto url = web::Url::parse(text);
        if (!url) continue;
        for (const std::string_view type : {"text/html", "", "application/octet-stream"}) {
            const std::string path = mirror_path(*url, type);
            EXPECT_FALSE(path.starts_with('/')) << text;
            for (std::string_view left = path; !left.empty();) {
                const std::string_view part = left.substr(0, left.find('/'));
                left.remove_prefix(std::min(left.size(), part.size() + 1));
                EXPECT_FALSE(part.empty()) << path;
                EXPECT_FALSE(part.starts_with('.')) << path;
                EXPECT_FALSE(part.ends_with('.')) << path;
                EXPECT_LE(part.size(), 126u) << path;
                EXPECT_EQ(part.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVW"
                                                 "XYZ0123456789-_.~+,=@%"),
                          std::string_view::npos)
                    << path;
                const std::string_view base = part.substr(0, part.find('.'));
                for (const std::string_view reserved : {"con", "CON", "aux", "NUL", "com1"}) {
                    EXPECT_NE(base, reserved) << path;
                }
            }
        }
    }
}

TEST(MirrorNames, H94LongNamesAndPathsAreBounded) {
    const std::string name(300, 'x');
    std::string deep = "http://a.test";
    for (int i = 0; i < 200; ++i) deep += "/abcdefgh";

    EXPECT_LE(path_of("http://a.test/" + name).size(), 140u);
    EXPECT_NE(path_of("http://a.test/" + name + "1"), path_of("http://a.test/" + name + "2"));
    EXPECT_LE(path_of(deep).size(), 100u);
    EXPECT_NE(path_of(deep + "1"), path_of(deep + "2"));
}

TEST(MirrorNames, H94ClashesAreAvoided) {
    MirrorNames names;
    const auto add = [&](std::string_view url, std::string_view type = "") {
        return names.add(url_of(url), type);
    };

    EXPECT_EQ(add("http://a.test/data"), "a.test/data");
    EXPECT_NE(add("http://a.test/DATA"), "a.test/DATA");                             // Case alone.
    EXPECT_EQ(add("http://a.test/data/x").find("a.test/data/"), std::string::npos);  // A folder.
    EXPECT_EQ(add("http://a.test/dir/x"), "a.test/dir/x");
    EXPECT_NE(add("http://a.test/dir"), "a.test/dir");  // A file where a folder is.
    EXPECT_EQ(add("http://a.test/p", "text/html"), "a.test/p.html");
    EXPECT_NE(add("http://a.test/p.html", "text/html"), "a.test/p.html");
    EXPECT_NE(add("https://a.test/dir/x"), "a.test/dir/x");  // Another scheme.
    EXPECT_EQ(add("http://a.test/data"), "a.test/data");     // The same again.
    EXPECT_EQ(names.size(), 8u);
}

TEST(MirrorNames, RedirectsLeadToTheirEnd) {
    MirrorNames names;
    names.add(url_of("http://a.test/end"), "text/html");
    names.add_redirect(url_of("http://a.test/1"), url_of("http://a.test/2"));
    names.add_redirect(url_of("http://a.test/2"), url_of("http://a.test/end#x"));
    names.add_redirect(url_of("http://a.test/loop"), url_of("http://a.test/loop"));

    EXPECT_EQ(names.find(url_of("http://a.test/1#y")), "a.test/end.html");
    EXPECT_EQ(names.find(url_of("http://a.test/loop")), std::nullopt);
    EXPECT_EQ(names.find(url_of("http://a.test/none")), std::nullopt);
}

TEST(MirrorNames, ReferencesAreRelative) {
    EXPECT_EQ(relative_reference("a.test/x/y.html", "a.test/x/z.html"), "z.html");
    EXPECT_EQ(relative_reference("a.test/x/y.html", "a.test/z.html"), "../z.html");
    EXPECT_EQ(relative_reference("a.test/y.html", "b.test/q/z%20.html"), "../b.test/q/z%2520.html");
    EXPECT_EQ(relative_reference("a.test/y.html", "a.test/y.html"), "y.html");
}

std::string bracketed(std::string_view reference) {
    return "[" + std::string(reference) + "]";
}

TEST(MirrorRewrite, EveryReferenceOfAPageIsReplacedAndNothingElse) {
    const std::string_view page =
        "<!DOCTYPE html><base href='/deep/'><a title=\"a.html\" HREF = "
        "a.html?x=1&amp;y=2>a.html</a>"
        "<img src=\"p.png\" srcset=\"p1.png 1x, p2.png 2x\" alt='p.png'>"
        "<link rel=stylesheet href=s.css integrity=\"sha256-abc\">"
        "<meta http-equiv=Refresh content=\"5; url=next.html\">"
        "<style type=\"a>b\">body{background:url( 'q.png' )}</style>"
        "<p style='background:url(r.png)'>url(no.png)</p>"
        "<script>var a = '<a href=no.html>';</script><textarea><a href=no.html></textarea>"
        "<!-- <a href=no.html> --><svg><use xlink:href='#u'/></svg><a name=x>";

    EXPECT_EQ(rewrite_html(page, "own.html", bracketed),
              "<!DOCTYPE html><base href='own.html'><a title=\"a.html\" HREF = "
              "[a.html?x=1&amp;y=2]>a.html</a>"
              "<img src=\"[p.png]\" srcset=\"[p1.png] 1x, [p2.png] 2x\" alt='p.png'>"
              "<link rel=stylesheet href=[s.css] integrity=\"none\">"
              "<meta http-equiv=Refresh content=\"5; url=[next.html]\">"
              "<style type=\"a>b\">body{background:url( '[q.png]' )}</style>"
              "<p style='background:url([r.png])'>url(no.png)</p>"
              "<script>var a = '<a href=no.html>';</script><textarea><a href=no.html></textarea>"
              "<!-- <a href=no.html> --><svg><use xlink:href='[#u]'/></svg><a name=x>");
}

TEST(MirrorRewrite, StyleSheetsKeepTheirForm) {
    EXPECT_EQ(rewrite_css("@import \"a.css\"; @import url(b.css); x{background:url(  \"c d.png\" ) "
                          "no-repeat,url(e\\).png)} /* url(no) */ @font-face{src:url('f')",
                          bracketed),
              "@import \"[a.css]\"; @import url([b.css]); x{background:url(  \"[c%20d.png]\" ) "
              "no-repeat,url([e%29.png])} /* url(no) */ @font-face{src:url('[f]')");
}

TEST(MirrorRewrite, AnyBytesWillDo) {
    const std::string_view page = "<a href='x.html' style=\"url(\"><style>url(<a href=\"";
    for (std::size_t size = 0; size <= page.size(); ++size) {
        rewrite_html(page.substr(0, size), "own.html", bracketed);
        rewrite_css(page.substr(size), bracketed);
    }
}

}  // namespace
}  // namespace weft::crawl

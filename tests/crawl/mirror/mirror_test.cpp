#include <set>

#include <gtest/gtest.h>

#include "base/bytes.h"
#include "base/random.h"
#include "crawl/mirror/mirror_names.h"
#include "crawl/mirror/mirror_rewrite.h"
#include "web/html/css.h"
#include "web/markup/html_tokenizer.h"
#include "web/markup/html_tree_state.h"

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
    MirrorNames names(1);
    const auto add = [&](std::string_view url, std::string_view type = "") {
        return names.add(url_of(url), type);
    };

    EXPECT_EQ(add("http://a.test/data.gz"), "a.test/data.gz");
    EXPECT_NE(add("http://a.test/DATA.gz"), "a.test/DATA.gz");  // Case alone.
    EXPECT_EQ(add("http://a.test/data.gz/x.gz").find("a.test/data.gz/"),
              std::string::npos);  // A folder.
    EXPECT_EQ(add("http://a.test/dir.gz/x.gz"), "a.test/dir.gz/x.gz");
    EXPECT_NE(add("http://a.test/dir.gz"), "a.test/dir.gz");  // A file where a folder is.
    EXPECT_EQ(add("http://a.test/p", "text/html"), "a.test/p.html");
    EXPECT_NE(add("http://a.test/p.html", "text/html"), "a.test/p.html");
    EXPECT_NE(add("https://a.test/dir.gz/x.gz"), "a.test/dir.gz/x.gz");  // Another scheme.
    EXPECT_EQ(add("http://a.test/data.gz"), "a.test/data.gz");           // The same again.
    EXPECT_EQ(names.size(), 8u);
}

// A site that took both names of a URL, which it can compute, aborted the program.
TEST(MirrorNames, NoUrlIsWithoutANameWhateverTheSiteTakes) {
    MirrorNames names(1);
    std::set<std::string> taken;
    std::string target = "http://a.test/x";
    for (int i = 0; i < 50; ++i) {
        // Where it would go if its own place was taken, and everything in that place's way.
        const std::string& path = names.add(url_of(target), "");
        EXPECT_TRUE(taken.insert(path).second) << path;
        const std::string_view name = std::string_view(path).substr(path.find('/') + 1);
        target = "http://a.test/" + std::string(name) + "/x";
        EXPECT_TRUE(taken.insert(names.add(url_of(target), "")).second);
        target = "http://A.test/" + std::string(name) + "?" + std::to_string(i);
    }
    std::string deep;
    for (int i = 0; i < 50; ++i) deep += "/abcdefghijklmnopqrst";
    const std::string fallback = mirror_path(url_of("http://b.test" + deep), "");
    const std::string name = fallback.substr(fallback.find('/') + 1);
    for (const std::string& path :
         {name, name + "/x", std::string("~0"), std::string("~0.bin"), std::string("~1.bin/y")}) {
        names.add(url_of("http://b.test/" + path), "application/octet-stream");
    }
    EXPECT_TRUE(taken.insert(names.add(url_of("http://b.test" + deep), "")).second);
    EXPECT_FALSE(names.find(url_of("http://b.test" + deep))->empty());
}

// A text called a.html ran its scripts once it was opened in the mirror.
TEST(MirrorNames, H102EndingsAreThoseOfTheType) {
    EXPECT_EQ(path_of("http://a.test/a.html", "text/plain"), "a.test/a.html.txt");
    EXPECT_EQ(path_of("http://a.test/a.HTM", "image/png"), "a.test/a.HTM.png");
    EXPECT_EQ(path_of("http://a.test/a.svg", ""), "a.test/a.svg.bin");
    EXPECT_EQ(path_of("http://a.test/a.rss", "application/rss+xml"), "a.test/a.rss.xml");
    EXPECT_EQ(path_of("http://a.test/a", "text/x-new"), "a.test/a.txt");
    EXPECT_EQ(path_of("http://a.test/a.py", "text/x-python"), "a.test/a.py");
    EXPECT_EQ(path_of("http://a.test/a.jpg?w=1", "image/jpeg"), "a.test/a.jpg@w=1.jpg");
}

TEST(MirrorNames, RedirectsLeadToTheirEnd) {
    MirrorNames names(1);
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
              "\"[a.html?x=1&amp;y=2]\">a.html</a>"
              "<img src=\"[p.png]\" srcset=\"[p1.png] 1x, [p2.png] 2x\" alt='p.png'>"
              "<link rel=stylesheet href=\"[s.css]\" integrity=\"none\">"
              "<meta http-equiv=Refresh content=\"5; url=[next.html]\">"
              "<style type=\"a>b\">body{background:url( \"[q.png]\" )}</style>"
              "<p style='background:url(&quot;[r.png]&quot;)'>url(no.png)</p>"
              "<script>var a = '<a href=no.html>';</script><textarea><a href=no.html></textarea>"
              "<!-- <a href=no.html> --><svg><use xlink:href='[#u]'/></svg><a name=x>");
}

// What a browser makes of a page: its tags with their attributes, and what is text. Values of
// references are left out, for they are what a mirror changes.
class Structure final : public web::HtmlSink {
public:
    static std::string of(std::string_view page) {
        Structure structure;
        structure.tokenizer_.feed(page);
        structure.tokenizer_.finish();
        return structure.text_;
    }

    web::HtmlText start_tag(const web::HtmlTag& tag) override {
        text_ += "<" + tag.name();
        for (std::size_t i = 0; i < tag.attribute_count(); ++i) {
            const web::HtmlAttribute attribute = tag.attribute(i);
            text_ += " " + to_lower(attribute.name);
            if (is_inert(attribute.name)) text_ += "=" + std::string(attribute.value);
        }
        text_ += tag.is_self_closing ? "/>" : ">";
        const web::Placement placement = tree_.start_tag(tag);
        hides_text_ = tag.element == web::Element::style || tag.element == web::Element::noscript;
        return placement.text;
    }
    void end_tag(const web::HtmlTag& tag) override {
        text_ += "</" + tag.name() + ">";
        tree_.end_tag(tag);
        hides_text_ = false;
    }
    void text(std::string_view piece) override {
        if (!hides_text_) text_ += piece;
        tree_.text(piece);
    }
    void comment(std::string_view piece) override { text_ += "<!--" + std::string(piece) + "-->"; }
    void doctype(const web::HtmlDoctype&) override { tree_.doctype(); }
    bool is_in_foreign_content() override { return tree_.is_in_foreign_content(); }

private:
    static bool is_inert(std::string_view name) { return to_lower(name).starts_with("o"); }

    std::string text_;
    bool hides_text_ = false;
    web::HtmlTokenizer tokenizer_{*this};
    web::HtmlTreeState tree_{web::HtmlTreeState::Scripting::on};
};

// Decoded values were put back without quotes: text became attributes.
TEST(MirrorRewrite, H102ABrowserFindsTheSameTagsAsBefore) {
    constexpr std::string_view kPieces[] = {"<a href=",
                                            "<img src=\"",
                                            "<p style='",
                                            "<style>",
                                            "</style>",
                                            "<svg>",
                                            "<title>",
                                            "</title>",
                                            "<noscript>",
                                            "</noscript>",
                                            "<math><mtext>",
                                            "<base href=",
                                            "<!--",
                                            "-->",
                                            "<![CDATA[",
                                            "]]>",
                                            "<script>",
                                            "</script>",
                                            "<textarea>",
                                            "</textarea>",
                                            "url(",
                                            "url('",
                                            ")",
                                            "\"",
                                            "'",
                                            ">",
                                            "<",
                                            " ",
                                            "\n",
                                            "x.html",
                                            "&#34;",
                                            "&#62;",
                                            "&gt;",
                                            "&#32;onload=y",
                                            "\\3c ",
                                            "\\22 ",
                                            "srcset=",
                                            ",",
                                            "=",
                                            "/",
                                            "mailto:x&#32;onload=z",
                                            "<meta "
                                            "http-equiv=refresh content=",
                                            "0;url=",
                                            "onerror=w",
                                            "`",
                                            "<table>",
                                            "<select>",
                                            "</svg>"};
    Random random(20261116);
    for (int round = 0; round < 20'000; ++round) {
        std::string page;
        for (std::uint64_t i = 3 + random.below(20); i > 0; --i) {
            page += kPieces[random.below(std::size(kPieces))];
        }
        const std::string copy = rewrite_html(page, "own.html", [](std::string_view reference) {
            return "\"'<>` &=/" + std::string(reference);
        });
        ASSERT_EQ(Structure::of(copy), Structure::of(page)) << page << "\nbecame\n" << copy;
    }
}

TEST(MirrorRewrite, H102NoReferenceEndsAStyleSheet) {
    const auto hostile = [](std::string_view) { return "a\"b'c\\d\ne)f</style>g&h"; };

    for (const std::string_view sheet : {"x{y:url(z)}", "x{y:url('z')}", "@import \"z\";"}) {
        const std::string copy = rewrite_css(sheet, hostile);
        EXPECT_EQ(copy.find_first_of("<>&'\n"), std::string::npos) << copy;
        const auto urls = web::read_css(copy);
        ASSERT_EQ(urls.size(), 1u) << copy;
        EXPECT_EQ(urls[0].value, "a\"b'c\\d\ne)f</style>g&h");
    }
}

TEST(MirrorRewrite, ASrcsetKeepsCommasOfItsUrls) {
    EXPECT_EQ(rewrite_html(
                  "<img srcset='a.png 1x, b.png 2x'>", "own.html",
                  [](std::string_view reference) { return "," + std::string(reference) + ",,"; }),
              "<img srcset='%2Ca.png,%2C 1x, %2Cb.png,%2C 2x'>");
}

TEST(MirrorRewrite, XmlIsReadAsXml) {
    EXPECT_EQ(rewrite_html("<title/><a href='b'/><script>'<a href=\"b\">'</script><a href=b>"
                           "<![CDATA[>]]><a href='b'>",
                           "own.html", bracketed, Markup::xml),
              "<title/><a href='[b]'/><script>'<a href=\"b\">'</script><a href=b>"
              "<![CDATA[>]]><a href='[b]'>");
}

TEST(MirrorRewrite, StyleSheetsKeepTheirForm) {
    EXPECT_EQ(rewrite_css("@import \"a.css\"; @import url(b.css); x{background:url(  \"c d.png\" ) "
                          "no-repeat,url(e\\).png)} /* url(no) */ @font-face{src:url('f')",
                          bracketed),
              "@import \"[a.css]\"; @import url(\"[b.css]\"); x{background:url(  "
              "\"[c\\20 d.png]\" ) no-repeat,url(\"[e\\29 .png]\")} /* url(no) */ "
              "@font-face{src:url(\"[f]\")");
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

#include "web/markup/simple_tag.h"

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "web/html/html.h"

namespace weft::web {
namespace {

// Room behind the tag, so that only its form decides.
std::string with_room(std::string_view tag) {
    return std::string(tag) + std::string(kSimpleTagRoom, '.');
}

// The attributes as "name=value;", or "no" if the tag is not simple.
std::string simple(std::string_view source) {
    const std::string text = with_room(source);
    SimpleTag tag;
    const char* const after = read_simple_tag(text.data(), text.data() + text.size(), tag);
    if (!after) return "no";
    EXPECT_EQ(after - text.data(), static_cast<std::ptrdiff_t>(source.size()));
    std::string read = std::string(name_of(tag.element)) + ":";
    const HtmlTag whole(tag.element, text.data(), {}, tag.spans());
    for (std::size_t i = 0; i < whole.attribute_count(); ++i) {
        read += whole.attribute(i).name;
        read += '=';
        read += whole.attribute(i).value;
        read += ';';
    }
    return tag.is_self_closing ? read + "/" : read;
}

TEST(SimpleTag, TheUsualFormsAreRead) {
    EXPECT_EQ(simple("<td>"), "td:");
    EXPECT_EQ(simple("<br/>"), "br:/");
    EXPECT_EQ(simple("<img src='a b' alt=\"\" />"), "img:src=a b;alt=;/");
    EXPECT_EQ(simple("<a class=x\n  href=\"/p?q=1&amp;r\"title=t hidden>"),
              "a:class=x;href=/p?q=1&amp;r;title=t;hidden=;");
    EXPECT_EQ(simple("<textarea>"), "textarea:");  // Eight letters.
}

TEST(SimpleTag, AnyOtherFormIsLeftToTheStates) {
    for (const char* tag :
         {"<TD>", "<blockquote>", "<x-y>", "<td\n>", "<td/ >", "< td>", "<!-- x -->", "<?x>",
          "<a =b>", "<a b= c>", "<a b =c>", "<a b\x01=c>", "<a b=>", "<a b/c>", "<>"}) {
        EXPECT_EQ(simple(tag), "no") << tag;
    }
}

TEST(SimpleTag, AttributesAndBytesHaveABound) {
    std::string at_bound = "<p";
    for (std::size_t i = 0; i < SimpleTag::kAttributeCountMax; ++i) at_bound += " a";
    EXPECT_NE(simple(at_bound + ">"), "no");
    EXPECT_EQ(simple(at_bound + " a>"), "no");

    const auto tag_of = [](std::ptrdiff_t bytes) {
        const std::string head = "<p a='";
        return head + std::string(static_cast<std::size_t>(bytes) - head.size() - 2, 'x') + "'>";
    };
    // The last bytes are kept for reading ahead.
    EXPECT_NE(simple(tag_of(SimpleTag::kBytesMax - kSimpleTagRoom)), "no");
    EXPECT_EQ(simple(tag_of(SimpleTag::kBytesMax + 1)), "no");
}

TEST(SimpleTag, AnEndTagIsThatOfTheElementOrNot) {
    const std::string text = with_room("td>");
    EXPECT_EQ(end_of_end_tag(text.data(), Element::td), text.data() + 3);
    EXPECT_EQ(end_of_end_tag(text.data(), Element::tr), nullptr);
    EXPECT_EQ(end_of_end_tag(with_room("td >").data(), Element::td), nullptr);
    EXPECT_EQ(end_of_end_tag(with_room("tdx>").data(), Element::td), nullptr);
    EXPECT_EQ(end_of_end_tag(with_room("blockquote>").data(), Element::blockquote), nullptr);
}

TEST(SimpleTag, CommentsEndAsInTheStandard) {
    const auto rest_of = [](std::string_view text) -> std::string_view {
        const char* const after = skip_simple_comment(text.data(), text.data() + text.size());
        return after ? text.substr(static_cast<std::size_t>(after - text.data())) : "no";
    };
    EXPECT_EQ(rest_of("<!-- a > b -- c -->rest"), "rest");
    EXPECT_EQ(rest_of("<!--x--->rest"), "rest");
    EXPECT_EQ(rest_of("<!--x--!>rest-->"), "no");
    EXPECT_EQ(rest_of("<!-->rest-->"), "no");
    EXPECT_EQ(rest_of("<!--->rest-->"), "no");
    EXPECT_EQ(rest_of("<!--x->y>rest"), "no");
    EXPECT_EQ(rest_of("<!doctype x-->"), "no");
}

// Parts of made pages, with a bar between two.
constexpr std::string_view kParts =
    "<p>|</p>|<b>|</b>|<i class=x>|</i>|<a href=/l>|</a>|<div id=d>|</div>|<ul>|</ul>|<li>|"
    "</li>|<dl>|<dt>|<dd>|</dl>|<table>|</table>|<tbody>|<tr>|</tr>|<td background=/bg>|"
    "</td>|<th>|</th>|<caption>|<svg>|</svg>|<a href='/s'/>|<desc>|</desc>|<math>|</math>|"
    "<h1>|</h1>|<h2>|</h2>|<select>|<option>|</select>|<button>|</button>|<form action=/f>|"
    "</form>|<input src=/i>|<hr>|<br/>|<p/>|<template>|</template>|<noscript>|</noscript>|"
    "<!-- c -->|<!-->|--!>|text| |<pre>|</pre>|<object data=/o>|</object>|<nobr>|</nobr>|"
    "<img src=/g style='background:url(/u)'>|</body>|</html>|<title>|</title>|<span>|"
    "</span>|<frameset>|<code class=k>|</code>|<q cite=/q>|</q>";

std::vector<std::string_view> parts() {
    std::vector<std::string_view> split;
    for (std::string_view rest = kParts;;) {
        const std::size_t end = rest.find('|');
        split.push_back(rest.substr(0, end));
        if (end == std::string_view::npos) return split;
        rest.remove_prefix(end + 1);
    }
}

std::string summary(const HtmlPage& page) {
    std::string text;
    for (const HtmlLink& link : page.links) {
        text += fmt::format("{} {} {} '{}' {} {}{}\n", link.element, link.attribute, link.value,
                            link.text, link.offset, link.is_in_template, link.is_in_noscript);
    }
    for (const std::string_view anchor : page.anchors) text += fmt::format("#{}\n", anchor);
    return text;
}

// Pieces shorter than kSimpleTagRoom are always read by the states, so the two must agree.
TEST(SimpleTag, PagesAreTheSameByTheStatesAlone) {
    const HtmlOptions options{
        .wants_style_links = true, .wants_link_text = true, .wants_anchors = true};
    const std::vector<std::string_view> all = parts();
    HtmlReader reader(options);
    std::mt19937 random(7);
    for (int round = 0; round < 3000; ++round) {
        std::string page = "<body>x";
        const std::size_t count = 5 + random() % 60;
        for (std::size_t i = 0; i < count; ++i) page += all[random() % all.size()];
        page += std::string(kSimpleTagRoom, ' ');
        reader.feed(page);
        const std::string whole = summary(reader.finish());
        for (std::string_view rest = page; !rest.empty(); rest.remove_prefix(1)) {
            reader.feed(rest.substr(0, 1));
        }
        ASSERT_EQ(whole, summary(reader.finish())) << page;
    }
}

}  // namespace
}  // namespace weft::web

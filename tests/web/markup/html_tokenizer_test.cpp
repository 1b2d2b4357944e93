#include "web/markup/html_tokenizer.h"

#include <functional>
#include <string_view>

#include "base/limits.h"
#include "web/markup/html_tree_state.h"

namespace weft::web {
namespace {

constexpr std::size_t kPieceBytes = 65'536;

// A whole parser that keeps nothing but counts.
class Counter final : public HtmlSink {
public:
    HtmlText start_tag(const HtmlTag& tag) override {
        ++start_tags;
        attributes += tag.attribute_count();
        last_name_bytes = tag.raw_name().size();
        return tree_.start_tag(tag).text;
    }
    void end_tag(const HtmlTag& tag) override { tree_.end_tag(tag); }
    void text(std::string_view piece) override {
        text_bytes += piece.size();
        tree_.text(piece);
    }
    void comment(std::string_view text) override { comment_bytes += text.size(); }
    void doctype(const HtmlDoctype&) override { tree_.doctype(); }
    bool is_in_foreign_content() override { return tree_.is_in_foreign_content(); }

    // Feeds `head`, then `unit` over and over until `byte_count` bytes are out.
    void run(std::string_view head, std::string_view unit, std::size_t byte_count) {
        tokenizer.feed(head);
        std::string piece;
        while (piece.size() < kPieceBytes) piece += unit;
        for (std::size_t fed = 0; fed < byte_count; fed += piece.size()) tokenizer.feed(piece);
        tokenizer.finish();
    }

    std::uint64_t step_count() const { return tokenizer.step_count() + tree_.step_count(); }

    HtmlTokenizer tokenizer{*this};
    std::size_t start_tags = 0;
    std::size_t attributes = 0;
    std::size_t last_name_bytes = 0;
    std::size_t text_bytes = 0;
    std::size_t comment_bytes = 0;

private:
    HtmlTreeState tree_;
};

std::uint64_t steps(std::string_view head, std::string_view unit, std::size_t byte_count) {
    Counter counter;
    counter.run(head, unit, byte_count);
    return counter.step_count();
}

struct Bomb {
    std::string_view head;
    std::string_view unit;
};

void expect_linear(const std::vector<Bomb>& bombs, std::size_t byte_count) {
    for (const auto& [head, unit] : bombs) {
        const auto once = static_cast<double>(steps(head, unit, byte_count));
        const auto twice = static_cast<double>(steps(head, unit, 2 * byte_count));

        EXPECT_LE(twice, 2.2 * once + 100) << head << unit;
    }
}

TEST(HtmlTokenizer, H62OneEndlessTokenIsReadInLinearTime) {
    expect_linear(
        {
            {"<", "a"},
            {"<a ", "b"},
            {"<a ", "b "},
            {"<a ", "b=c "},
            {"<a ", "b='c'"},
            {"<a href=\"", "x"},
            {"<a href=\"", "&amp;"},
            {"<a href=\"", "<a href='x'>"},
            {"<a href=", "x"},
            {"<!--", "x"},
            {"<!--", "-"},
            {"<!--", "--!"},
            {"<!--", "<!--"},
            {"<!doctype ", "x"},
            {"<![CDATA[", "]"},
            {"<?", "x"},
            {"<script>", "x"},
            {"<script>", "</scrip"},
            {"<script>", "<!--<script>"},
            {"<title>", "</titl"},
            {"<style>", "<"},
            {"<plaintext>", "</plaintext>"},
            {"<svg><![CDATA[", "]]"},
            {"", "<"},
            {"", "</"},
            {"", "<!"},
            {"", "&"},
            {"", "&am"},
            {"&#", "0"},
            {"&#x", "f"},
        },
        1 << 18);
}

TEST(HtmlTokenizer, H62AHundredMegabyteTagCostsNoMoreThanItsBounds) {
    Counter counter;

    counter.run("<a href=x b='", "y", 100 << 20);

    EXPECT_EQ(counter.start_tags, 0u);  // The quote was never closed.
    EXPECT_LT(counter.step_count(), 10'000u);
}

TEST(HtmlTokenizer, H63AMillionNestedTagsCostTheSameEach) {
    expect_linear(
        {
            {"", "<div>"},
            {"", "<b>"},
            {"", "<b><p>"},
            {"", "<b x=1><i><p></b>"},
            {"", "<a><div>"},
            {"", "<p><b>x</p>"},
            {"", "<table><tr><td>"},
            {"", "<table>"},
            {"", "<svg>"},
            {"<svg>", "<g>"},
            {"<svg>", "<foreignObject><math><mi>"},
            {"", "<template>"},
            {"", "<template><tr>"},
            {"", "<object><b>"},
            {"", "<ul><li>"},
            {"<select>", "<div><option>"},
            {"", "<form><button>"},
            {"", "<x></y>"},
            {"<x><x><x><x>", "</y>"},
            {"", "<ruby><rt>"},
        },
        1 << 16);
}

TEST(HtmlTokenizer, H63WorkPerTagIsBoundedWhateverIsOpen) {
    for (const std::string_view unit :
         {"<b x=1><i y=2><p></b>", "<div><p></body>", "<b><div></b>"}) {
        const std::size_t byte_count = 1 << 16;
        const std::size_t tag_count = byte_count / 4;

        EXPECT_LT(steps("", unit, byte_count), tag_count * 4 * limits::kOpenElementDepthMax)
            << unit;
    }
}

TEST(HtmlTokenizer, H73AttributesPastTheLimitAreLeftOut) {
    Counter counter;
    std::string tag = "<a";
    for (std::size_t i = 0; i < limits::kAttributeCountMax + 1; ++i) tag += " b=c";

    counter.tokenizer.feed(tag + ">");

    EXPECT_EQ(counter.attributes, limits::kAttributeCountMax);
}

TEST(HtmlTokenizer, AnAttributeMayBeAsLongAsTheLimitAndNotAByteLonger) {
    const std::string longest(limits::kAttributeBytesMax, 'x');
    Counter counter;

    counter.tokenizer.feed("<a b='" + longest + "' c='" + longest + "x'>");

    EXPECT_EQ(counter.attributes, 1u);
}

// The values end where the tag's limit is, a byte before, and a byte behind, cut or not.
TEST(HtmlTokenizer, AttributesThatEndPastTheTagLimitAreLeftOut) {
    const std::string filler(limits::kAttributeBytesMax, 'x');
    std::string head = "<a";
    while (head.size() + filler.size() + 7 < limits::kTagBytesMax - 100)
        head += " b='" + filler + "'";
    const std::size_t room = limits::kTagBytesMax - head.size() - 4;  // Behind ` c='`.
    for (const std::size_t extra : {0u, 1u}) {
        const std::string tag = head + " c='" + std::string(room - 1 + extra, 'y') + "' d=e>";
        for (const std::size_t cut : {std::size_t{0}, std::size_t{5}, tag.size() - 8}) {
            Counter counter;
            counter.tokenizer.feed(std::string_view(tag).substr(0, cut));
            counter.tokenizer.feed(std::string_view(tag).substr(cut));

            EXPECT_EQ(counter.start_tags, 1u);
            EXPECT_EQ(counter.attributes, 16u - 1 + (extra == 0 ? 1 : 0)) << cut;
        }
    }
}

TEST(HtmlTokenizer, ANameIsCutAtTheTagLimit) {
    Counter counter;

    counter.tokenizer.feed("<" + std::string(limits::kTagBytesMax + 5, 'x') + " a=b>");

    EXPECT_EQ(counter.last_name_bytes, limits::kTagBytesMax - 1);
    EXPECT_EQ(counter.attributes, 0u);
}

TEST(HtmlTokenizer, ACommentIsCutAtTheTagLimit) {
    Counter counter;

    counter.run("<!--", "x", 4 * limits::kTagBytesMax);

    EXPECT_EQ(counter.comment_bytes, limits::kTagBytesMax - 4);
}

TEST(HtmlTokenizer, TextIsSkippedWhenNobodyWantsIt) {
    Counter counter;
    counter.tokenizer.want_text(false);

    counter.tokenizer.feed("x<p>y&amp;<script>z</script>");

    EXPECT_EQ(counter.text_bytes, 0u);
    EXPECT_EQ(counter.start_tags, 2u);
}

}  // namespace
}  // namespace weft::web

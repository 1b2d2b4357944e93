#include "web/robots/xml_reader.h"

#include <gtest/gtest.h>

#include "base/limits.h"

namespace weft::web {
namespace {

// Writes down what it is told.
class Recorder final : public XmlHandler {
public:
    void on_start(const XmlTag& tag, std::size_t) override { log += fmt::format("<{}>", tag.name); }
    void on_end(std::string_view name, std::size_t) override { log += fmt::format("</{}>", name); }
    void on_text(std::string_view text) override { log += text; }
    void on_doctype() override { log += "<!>"; }

    std::string log;
};

std::string read(std::string_view text, std::size_t step = 1'000) {
    Recorder recorder;
    XmlReader reader(recorder);
    for (; !text.empty(); text.remove_prefix(std::min(step, text.size()))) {
        reader.feed(text.substr(0, step));
    }
    reader.finish();
    if (reader.fault()) recorder.log += fmt::format(" ! {}", describe(*reader.fault()));
    return recorder.log;
}

}  // namespace

TEST(XmlReader, ReadsElementsTextAndReferences) {
    EXPECT_EQ(read("<?xml version='1.0'?><a x='>'><b/>1 &lt; 2 &#38; &#x41;<!-- <c> --></a>\n"),
              "<a><b></b>1 < 2 & A</a>");
    EXPECT_EQ(read("<a><![CDATA[<b>&amp;]]]></a>"), "<a><b>&amp;]</a>");
}

TEST(XmlReader, DtdIsPassedOverUnread) {
    EXPECT_EQ(read("<!DOCTYPE a [<!ENTITY e \"]>\"> <!-- don't ]> --> ]><a>&e;</a>"), "<!><a></a>");
}

TEST(XmlReader, GoesOnAfterFaults) {
    EXPECT_EQ(read("<a>x & y</a>"), "<a>x & y</a> ! an & that starts no reference");
    EXPECT_EQ(read("<a>&nbsp;</a>"), "<a>&nbsp;</a> ! an entity that is not built in");
    EXPECT_EQ(read("<a>&#0;&#xD800;</a>"), "<a>&#0;&#xD800;</a> ! an entity that is not built in");
    EXPECT_EQ(read("<a><b>1</a>"), "<a><b>1</b></a> ! an end tag that ends nothing");
    EXPECT_EQ(read("<a></b>1</a>"), "<a>1</a> ! an end tag that ends nothing");
    EXPECT_EQ(read("<a>1 < 2</a>"), "<a>1 < 2</a> ! markup that is not XML");
    EXPECT_EQ(read("<a><b <c>1</c></a>"), "<a><c>1</c></a> ! markup that is not XML");
    EXPECT_EQ(read("<a>1"), "<a>1</a> ! it ends before its root element does");
    EXPECT_EQ(read("<a/>x"), "<a></a> ! text outside of the root element");
}

TEST(XmlReader, CutsDoNotMatter) {
    const std::string_view text =
        "<?pi ? ?><!DOCTYPE a [<!ENTITY e ']>'>]><a b=\"'>\"><!-- - -- ---><![CDATA[ ]] ]]]]>"
        "&amp;&#x10FFFF;&bad &x;<c d='e'/ ></a ><!junk>";

    for (std::size_t step = 1; step < text.size(); ++step) EXPECT_EQ(read(text, step), read(text));
}

TEST(XmlReader, DepthAndTagLengthAreBounded_H82) {
    std::string deep, flat;
    for (std::size_t i = 0; i < limits::kXmlDepthMax; ++i) {
        flat += "<a>";
        deep = "<a>" + deep + "</a>";
    }
    const std::string deeper = flat + "<b><c>x</c></b>" + deep.substr(flat.size());

    EXPECT_EQ(read(deep), deep);
    EXPECT_EQ(read(deeper), flat + "x" + deep.substr(flat.size()));
    EXPECT_EQ(read("<a " + std::string(limits::kTagBytesMax, 'x') + "/>"),
              "<a></a> ! a tag longer than the limit");
}

TEST(XmlTag, AttributesAreDecoded) {
    const XmlTag tag{.name = "a", .attributes = " b = 'x&amp;y' c=\"\" d=e f", .is_empty = false};

    EXPECT_EQ(tag.attribute("b"), "x&y");
    EXPECT_EQ(tag.attribute("c"), "");
    EXPECT_EQ(tag.attribute("d"), "e");
    EXPECT_EQ(tag.attribute("f"), "");
    EXPECT_EQ(tag.attribute("g"), std::nullopt);
}

}  // namespace weft::web

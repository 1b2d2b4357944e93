#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "suites/conformance.h"
#include "web/markup/html_reference.h"
#include "web/markup/html_tokenizer.h"

namespace weft::web {
namespace {

using nlohmann::json;

// Writes tokens the way html5lib-tests does.
class TokenList final : public HtmlSink {
public:
    explicit TokenList(bool is_foreign) : is_foreign_(is_foreign) {}

    HtmlText start_tag(const HtmlTag& tag) override {
        json attributes = json::object();
        std::string scratch;
        for (std::size_t i = 0; i < tag.attribute_count(); ++i) {
            const HtmlAttribute attribute = tag.attribute(i);
            std::string name;
            for (const char c : attribute.name)
                name += c == '\0' ? "\xEF\xBF\xBD" : std::string(1, c);
            attributes.emplace(to_lower(name), decode_attribute(attribute.value, scratch));
        }
        json token = {"StartTag", tag.name(), attributes};
        if (tag.is_self_closing) token.push_back(true);
        tokens.push_back(token);
        return HtmlText::data;
    }
    void end_tag(const HtmlTag& tag) override { tokens.push_back({"EndTag", tag.name()}); }
    void text(std::string_view text) override {
        const bool goes_on = !tokens.empty() && tokens.back()[0] == "Character";
        if (!goes_on) tokens.push_back({"Character", ""});
        tokens.back()[1] = tokens.back()[1].get<std::string>() + std::string(text);
    }
    void comment(std::string_view text) override { tokens.push_back({"Comment", text}); }
    void doctype(const HtmlDoctype& d) override {
        const auto value = [](const std::optional<std::string>& s) {
            return s ? json(*s) : json();
        };
        tokens.push_back(
            {"DOCTYPE", value(d.name), value(d.public_id), value(d.system_id), !d.forces_quirks});
    }
    bool is_in_foreign_content() override { return is_foreign_; }

    json tokens = json::array();

private:
    bool is_foreign_;
};

HtmlText text_of(const std::string& state) {
    if (state == "RCDATA state") return HtmlText::rcdata;
    if (state == "RAWTEXT state") return HtmlText::rawtext;
    if (state == "Script data state") return HtmlText::script_data;
    if (state == "PLAINTEXT state") return HtmlText::plaintext;
    if (state == "CDATA section state") return HtmlText::cdata;
    return HtmlText::data;
}

// Tests with lone surrogates have no UTF-8 and are left out.
std::optional<json> unescaped(const json& value) {
    std::string text = value.dump();
    for (std::size_t at; (at = text.find("\\\\u")) != std::string::npos;) text.erase(at, 1);
    json result = json::parse(text, nullptr, false);
    return result.is_discarded() ? std::nullopt : std::optional(result);
}

json tokens_of(std::string_view input, HtmlText start, const std::string& tag,
               const std::vector<std::size_t>& cuts) {
    TokenList list(start == HtmlText::cdata);
    HtmlTokenizer tokenizer(list);
    tokenizer.start_in(start, tag);
    std::size_t begin = 0;
    for (const std::size_t cut : cuts) {
        tokenizer.feed(std::string(input.substr(begin, cut - begin)));
        begin = cut;
    }
    tokenizer.feed(std::string(input.substr(begin)));
    tokenizer.finish();
    return list.tokens;
}

void run(const json& test, const std::string& state) {
    const bool is_escaped = test.value("doubleEscaped", false);
    const auto input_json = is_escaped ? unescaped(test["input"]) : test["input"];
    const auto output = is_escaped ? unescaped(test["output"]) : test["output"];
    if (!input_json || !output) return;
    const auto input = input_json->get<std::string>();
    const HtmlText start = text_of(state);
    const std::string tag = test.value("lastStartTag", "");

    EXPECT_EQ(tokens_of(input, start, tag, {}), *output) << test["description"] << " " << state;
    std::vector<std::size_t> every;
    for (std::size_t cut = 0; cut <= input.size(); ++cut) {
        every.push_back(cut);
        EXPECT_EQ(tokens_of(input, start, tag, {cut}), *output)
            << test["description"] << " cut at " << cut;
    }
    EXPECT_EQ(tokens_of(input, start, tag, every), *output) << test["description"] << " bytes";
}

TEST(HtmlTokenizerSuite, TokensAreThoseOfTheStandardHoweverTheInputIsCut) {
    WEFT_NEEDS_SUITE("html_tokenizer");
    suites::Tally tally("html_tokenizer");
    for (const auto& file :
         std::filesystem::directory_iterator(suites::conformance_dir() / "html_tokenizer")) {
        if (file.path().extension() != ".test") continue;
        for (const json& test : suites::read_json(file.path())["tests"]) {
            const json states = test.value("initialStates", json::array({"Data state"}));
            for (const json& state : states) run(test, state);
            tally.note();
        }
    }
}

}  // namespace
}  // namespace weft::web

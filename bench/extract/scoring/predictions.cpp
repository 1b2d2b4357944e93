#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "extract/extractor.h"
#include "extract/select/selector_matcher.h"
#include "web/tree/html_tree_builder.h"

// predictions DIR: what weft makes of the pages of DIR/SET/html, a JSON line a page, in the form
// that the score.py of the sets reads. DIR/SET/truth.jsonl names the pages and their URLs.
namespace weft::bench {
namespace {

using Json = nlohmann::json;
using extract::Extract;
using extract::Extractor;
using extract::TextForm;
using std::filesystem::path;

// The truth of the selectors has the first 20 values, and of each the first 120 characters.
constexpr std::size_t kValuesMax = 20;
constexpr std::size_t kValueCharsMax = 120;

std::string read_file(const path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

std::vector<Json> read_truth(const path& set) {
    std::vector<Json> rows;
    std::ifstream in(set / "truth.jsonl", std::ios::binary);
    for (std::string line; std::getline(in, line);) rows.push_back(Json::parse(line));
    return rows;
}

void print(const Json& row) {
    std::cout << row.dump(-1, ' ', false, Json::error_handler_t::replace) << '\n';
}

// The main text of whole pages. `type` is the Content-Type that they are read with.
void predict_pages(const path& dir, const std::string& set, const extract::Wishes& wishes,
                   std::string_view type) {
    Extractor extractor(wishes);
    for (const Json& truth : read_truth(dir / set)) {
        const std::string id = truth["id"];
        const std::string html = read_file(dir / set / "html" / (id + ".html"));
        const std::string url =
            truth.value("url", Json("")).is_string() ? truth.value("url", "") : "";
        const Extract& page = extractor.read({.html = html, .content_type = type, .url = url});
        print({{"id", id},
               {"set", set},
               {"text", page.text},
               {"title", page.fields.title},
               {"byline", page.fields.byline},
               {"published", page.fields.published},
               {"lang", page.fields.lang},
               {"site", page.fields.site},
               {"excerpt", page.fields.description}});
    }
}

void predict_markdown(const path& dir) {
    Extractor extractor({.text = TextForm::markdown, .whole_page = true});
    for (const Json& truth : read_truth(dir / "commonmark")) {
        const std::string html = truth["html"];
        const Extract& page =
            extractor.read({.html = html, .content_type = "text/html; charset=utf-8"});
        print({{"id", truth["id"]}, {"set", "commonmark"}, {"text", page.text}});
    }
}

// The first characters, with white space of Unicode collapsed.
std::string shown(std::string_view value) {
    std::string out;
    std::size_t count = 0;
    bool has_space = false;
    for (std::size_t i = 0; i < value.size() && count < kValueCharsMax;) {
        std::size_t size = 1;
        while (i + size < value.size() && (value[i + size] & 0xC0) == 0x80) ++size;
        const std::string_view letter = value.substr(i, size);
        i += size;
        if (letter <= " " || letter == "\u00A0" || letter == "\u0085" ||
            (letter >= "\u2000" && letter <= "\u200A") || letter == "\u2028" ||
            letter == "\u2029" || letter == "\u202F" || letter == "\u3000") {
            has_space = !out.empty();
            continue;
        }
        if (has_space && ++count < kValueCharsMax) out += ' ';
        has_space = false;
        if (count++ < kValueCharsMax) out += letter;
    }
    return out;
}

void predict_selectors(const path& dir) {
    std::map<std::string, std::vector<Json>> by_page;
    for (const Json& row : read_truth(dir / "selectors")) by_page[row["page"]].push_back(row);
    web::HtmlTreeBuilder builder;
    for (const auto& [page, rows] : by_page) {
        const std::string html = read_file(dir / "readability" / "html" / (page + ".html"));
        const web::HtmlTree& tree = builder.parse(html);
        for (const Json& row : rows) {
            const auto selector = extract::parse_selector(row["selector"].get<std::string>());
            if (!selector) continue;
            extract::SelectorMatcher matcher({*selector});
            matcher.read(tree);
            std::size_t count = 0;
            std::vector<std::string> values;
            for (const std::uint32_t node : matcher.matches(0)) {
                std::string value;
                if (!append_part(tree, node, *selector, nullptr, value)) continue;
                if (count++ < kValuesMax) values.push_back(shown(value));
            }
            print({{"id", row["id"]}, {"set", "selectors"}, {"count", count}, {"values", values}});
        }
    }
}

// Microdata is in the form of the HTML standard, as the W3C's part of the set wants it.
void predict_structured(const path& dir) {
    Extractor extractor({.structured = true, .keeps_reserved = true});
    for (const Json& truth : read_truth(dir / "structured")) {
        const std::string id = truth["id"];
        const std::string html = read_file(dir / "structured" / "html" / (id + ".html"));
        const Extract& page =
            extractor.read({.html = html, .url = "http://www.example.com/microdata/"});
        Json row = page.structured.empty() ? Json::object() : Json::parse(page.structured);
        row["id"] = id;
        row["set"] = "structured";
        print(row);
    }
}

}  // namespace
}  // namespace weft::bench

int main(int count, char** arguments) {
    using namespace weft::bench;
    if (count != 2) {
        std::fputs("Usage: predictions DIR   where DIR has SET/truth.jsonl and SET/html\n", stderr);
        return 2;
    }
    const path dir = arguments[1];
    constexpr std::string_view kUtf8 = "text/html; charset=utf-8";
    const weft::extract::Wishes plain = {.detects_language = false, .keeps_reserved = true};
    predict_pages(dir, "aeb", plain, kUtf8);
    predict_pages(dir, "wcxb", plain, kUtf8);
    predict_pages(dir, "segments", plain, "");
    // Readability keeps the captions of pictures.
    predict_pages(dir, "readability",
                  {.keeps_captions = true, .detects_language = false, .keeps_reserved = true},
                  kUtf8);
    predict_markdown(dir);
    predict_selectors(dir);
    predict_structured(dir);
}

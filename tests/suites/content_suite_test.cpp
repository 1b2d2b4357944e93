#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "extract/extractor.h"
#include "suites/tar_zst.h"

// Pages whose main content people have marked, each set with the metric of its benchmark. The bars
// are what others reach on the same pages: rs-trafilatura has 0.968 on aeb, trafilatura 0.924 on
// segments, readability-lxml 0.875 on readability, rs-trafilatura 0.859 on all of wcxb.
namespace weft::extract {
namespace {

using suites::Json;
using Bag = std::map<std::string, int>;

// Words as runs of letters and digits. Of what is beyond ASCII, the signs of Latin 1 and general
// punctuation are between words.
std::vector<std::string> words_in(std::string_view text) {
    std::vector<std::string> words(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        const std::size_t sign = c == '\xC2' ? 2 : text.substr(i).starts_with("\xE2\x80") ? 3 : 0;
        const bool is_word =
            sign == 0 && (static_cast<unsigned char>(c) >= 0x80 || c == '_' || is_alnum(c));
        if (is_word) {
            words.back() += to_lower(c);
        } else {
            if (!words.back().empty()) words.emplace_back();
            if (sign > 0) i += sign - 1;
        }
    }
    words.pop_back();
    return words;
}

Bag bag_of(std::string_view text, std::size_t run) {
    const std::vector<std::string> words = words_in(std::string(text) + " ");
    Bag bag;
    for (std::size_t i = 0; i + run <= words.size(); ++i) {
        std::string key;
        for (std::size_t k = i; k < i + run; ++k) key += words[k] + " ";
        ++bag[key];
    }
    return bag;
}

int size_of(const Bag& bag) {
    int size = 0;
    for (const auto& [key, count] : bag) size += count;
    return size;
}

// The harmonic mean of precision and recall.
double f1(const Bag& have, const Bag& want) {
    int hit = 0;
    for (const auto& [key, count] : have) {
        if (const auto found = want.find(key); found != want.end())
            hit += std::min(count, found->second);
    }
    const int all = size_of(have) + size_of(want);
    return all == 0 ? 1.0 : 2.0 * hit / all;
}

std::string collapsed_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool is_space = static_cast<unsigned char>(c) <= ' ';
        if (is_space && (out.empty() || out.back() == ' ')) continue;
        out += is_space ? ' ' : c;
    }
    return out;
}

struct Page {
    Json truth;
    std::string text;
};

std::vector<Page> extract_set(const std::string& set, Wishes wishes, std::string_view type) {
    auto files = suites::read_tar_zst(suites::conformance_path("extract/" + set + ".tar.zst"));
    wishes.detects_language = false;
    wishes.keeps_reserved = true;
    Extractor extractor(wishes);
    std::vector<Page> pages;
    for (Json& row : suites::json_lines(files.at(set + "/truth.jsonl"))) {
        const std::string url = row.contains("url") && row["url"].is_string() ? row["url"] : "";
        const std::string& html = files[set + "/html/" + row["id"].get<std::string>() + ".html"];
        const Extract& page = extractor.read({.html = html, .content_type = type, .url = url});
        pages.push_back({std::move(row), page.text});
    }
    return pages;
}

constexpr std::string_view kUtf8 = "text/html; charset=utf-8";

double mean_f1(const std::vector<Page>& pages, std::size_t run) {
    double sum = 0;
    for (const Page& page : pages)
        sum += f1(bag_of(page.text, run), bag_of(suites::text(page.truth["text"]), run));
    return sum / static_cast<double>(pages.size());
}

TEST(ContentSuite, ArticlesAreThoseOfTheBenchmark) {
    WEFT_NEEDS_SUITE("extract/aeb.tar.zst");
    const double score = mean_f1(extract_set("aeb", {}, kUtf8), 4);

    RecordProperty("f1", std::to_string(score));
    EXPECT_GE(score,
              0.96);  // The mean of the pages' F1, a little lower than the benchmark's 0.974.
}

TEST(ContentSuite, WordsOfManyKindsOfPagesAreFound) {
    WEFT_NEEDS_SUITE("extract/wcxb.tar.zst");
    const double score = mean_f1(extract_set("wcxb", {}, kUtf8), 1);

    RecordProperty("f1", std::to_string(score));
    EXPECT_GE(score, 0.885);
}

TEST(ContentSuite, SegmentsAreThereOrNotAsPeopleWant) {
    WEFT_NEEDS_SUITE("extract/segments.tar.zst");
    int hit = 0, wrong = 0, missed = 0;
    for (const Page& page : extract_set("segments", {}, "")) {
        const std::string have = collapsed_text(page.text);
        for (const Json& segment : page.truth["with"]) {
            const bool is_there = have.contains(collapsed_text(suites::text(segment)));
            (is_there ? hit : missed) += 1;
        }
        for (const Json& segment : page.truth["without"])
            wrong += have.contains(collapsed_text(suites::text(segment))) ? 1 : 0;
    }
    const double score = 2.0 * hit / (2 * hit + wrong + missed);

    RecordProperty("f1", std::to_string(score));
    EXPECT_GE(score, 0.92);
}

}  // namespace
}  // namespace weft::extract

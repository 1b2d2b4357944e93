#include <string>
#include <string_view>

#include <benchmark/benchmark.h>

#include "web/charset/decode_text.h"
#include "web/charset/encode_text.h"
#include "web/charset/sniff_encoding.h"
#include "web/charset/utf8.h"  // tidy: allow layer: measured itself

// Bytes a second of input, in pieces as they come from a connection.
namespace weft::web {

namespace {

constexpr std::size_t kPageBytes = 1 << 20;
constexpr std::size_t kPieceBytes = 16 << 10;

constexpr std::string_view kAsciiHtml =
    "<li class=\"item\"><a "
    "href=\"/archive/2024/05/index.html?page=2&amp;sort=new\">Older</a></li>\n";
constexpr std::string_view kMixedHtml =
    "<p class=\"lead\">織物は経糸と緯糸を交差させて作る。</p><p>Crème brûlée, naïve façade — "
    "«déjà vu»</p>\n<a href=\"/wiki/織物\" title=\"織物\">織物</a><br>\n";
constexpr std::string_view kJapanese =
    "織物は、経糸と緯糸を組み合わせて作る布地である。布を織る機械を織機と呼ぶ。";

std::string page_of(std::string_view line) {
    std::string page;
    while (page.size() < kPageBytes) page += line;
    return page;
}

void feed(benchmark::State& state, Encoding encoding, const std::string& page) {
    std::string text;
    for (auto _ : state) {
        TextDecoder decoder(encoding);
        for (std::size_t i = 0; i < page.size(); i += kPieceBytes) {
            text.clear();
            decoder.feed(std::string_view(page).substr(i, kPieceBytes), text);
            benchmark::DoNotOptimize(text.data());
        }
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(page.size()));
}

void feed_view(benchmark::State& state, Encoding encoding, const std::string& page) {
    std::string scratch;
    for (auto _ : state) {
        TextDecoder decoder(encoding);
        for (std::size_t i = 0; i < page.size(); i += kPieceBytes) {
            benchmark::DoNotOptimize(
                decoder.feed_view(std::string_view(page).substr(i, kPieceBytes), scratch));
        }
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(page.size()));
}

void utf8_ascii_view(benchmark::State& state) {
    feed_view(state, Encoding::utf_8, page_of(kAsciiHtml));
}
void utf8_mixed_view(benchmark::State& state) {
    feed_view(state, Encoding::utf_8, page_of(kMixedHtml));
}
void utf8_japanese_view(benchmark::State& state) {
    feed_view(state, Encoding::utf_8, page_of(kJapanese));
}
void utf8_ascii_copied(benchmark::State& state) {
    feed(state, Encoding::utf_8, page_of(kAsciiHtml));
}
void utf8_mixed_copied(benchmark::State& state) {
    feed(state, Encoding::utf_8, page_of(kMixedHtml));
}
void utf8_garbage(benchmark::State& state) {
    feed(state, Encoding::utf_8, std::string(kPageBytes, '\xFF'));
}
void windows_1252(benchmark::State& state) {
    feed(state, Encoding::windows_1252,
         encode_text(Encoding::windows_1252, page_of("Crème brûlée, naïve façade — «déjà vu» ")));
}
void shift_jis_ascii(benchmark::State& state) {
    feed(state, Encoding::shift_jis, page_of(kAsciiHtml));
}
void shift_jis_mixed(benchmark::State& state) {
    feed(state, Encoding::shift_jis, encode_text(Encoding::shift_jis, page_of(kMixedHtml)));
}
void shift_jis_japanese(benchmark::State& state) {
    feed(state, Encoding::shift_jis, encode_text(Encoding::shift_jis, page_of(kJapanese)));
}
void gb18030_chinese(benchmark::State& state) {
    feed(state, Encoding::gb18030, encode_text(Encoding::gb18030, page_of(kJapanese)));
}
void encode_shift_jis_query(benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(encode_text(Encoding::shift_jis, kJapanese));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(kJapanese.size()));
}

void validate_portable(benchmark::State& state) {
    const std::string page = page_of(kMixedHtml);
    for (auto _ : state) benchmark::DoNotOptimize(detail::valid_utf8_prefix_portable(page));
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(page.size()));
}

void sniff_meta(benchmark::State& state) {
    const std::string page =
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n" +
        page_of(kMixedHtml);
    for (auto _ : state) benchmark::DoNotOptimize(sniff_encoding(page, "text/html"));
}
void sniff_nothing(benchmark::State& state) {
    const std::string page =
        "<!DOCTYPE html>\n<html>\n<head>\n<title>x</title></head><body>" + page_of(kMixedHtml);
    for (auto _ : state) benchmark::DoNotOptimize(sniff_encoding(page, "text/html"));
}

}  // namespace

BENCHMARK(utf8_ascii_view);
BENCHMARK(utf8_mixed_view);
BENCHMARK(utf8_japanese_view);
BENCHMARK(utf8_ascii_copied);
BENCHMARK(utf8_mixed_copied);
BENCHMARK(utf8_garbage);
BENCHMARK(validate_portable);
BENCHMARK(windows_1252);
BENCHMARK(shift_jis_ascii);
BENCHMARK(shift_jis_mixed);
BENCHMARK(shift_jis_japanese);
BENCHMARK(gb18030_chinese);
BENCHMARK(encode_shift_jis_query);
BENCHMARK(sniff_meta);
BENCHMARK(sniff_nothing);

}  // namespace weft::web

BENCHMARK_MAIN();

#include <string>
#include <string_view>

#include <xxhash.h>

#include "bench/figure.h"
#include "bench/process.h"
#include "crawl/scope/trap_watch.h"
#include "web/html/fingerprint.h"

// What knowing a page's content again costs: parts of a crawl's page, each on its own. The simhash
// is taken only with --near-duplicates; an archive adds the SHA-1 of what was received.
namespace weft::bench {
namespace {

constexpr int kRounds = 2'000;

std::string text_of(std::size_t bytes) {
    constexpr std::string_view kWords[] = {"weft ", "warp ", "thread ", "loom ", "woven ", "yarn "};
    std::string text;
    for (std::size_t i = 0; text.size() < bytes; ++i) text += kWords[i * i % std::size(kWords)];
    text.resize(bytes);
    return text;
}

// Microseconds of CPU for one call; what it gives is used, so that none is left out.
template <class Work>
double microseconds(Work work) {
    std::uint64_t sum = 0;
    const double seconds = best_cpu_seconds(3, [&] {
        for (int i = 0; i < kRounds; ++i) sum += work();
    });
    if (sum == 1) fmt::print(stderr, "\n");
    return seconds * 1e6 / kRounds;
}

void measure(std::string_view page, std::size_t bytes) {
    const std::string text = text_of(bytes);
    figure(fmt::format("{}: content digest (XXH3)", page),
           microseconds([&] { return XXH3_64bits(text.data(), text.size()); }), "us");
    figure(fmt::format("{}: skeleton for traps", page), microseconds([&] {
               crawl::Skeleton skeleton;
               skeleton.add(text);
               return skeleton.finish();
           }),
           "us");
    figure(fmt::format("{}: simhash (--near-duplicates)", page), microseconds([&] {
               web::TextFingerprint fingerprint;
               fingerprint.add(text);
               return fingerprint.finish();
           }),
           "us");
}

}  // namespace
}  // namespace weft::bench

int main() {
    weft::bench::measure("tiny pages", 1'000);
    weft::bench::measure("realistic pages", 25'000);
}

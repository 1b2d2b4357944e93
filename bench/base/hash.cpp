#include "base/hash.h"

#include <string>

#include "bench/figure.h"

int main() {
    const std::string page(25'000, 'x');
    constexpr int kPages = 4'000;
    std::uint64_t sum = 0;

    const double fast = weft::bench::best_cpu_seconds(5, [&] {
        for (int i = 0; i < kPages; ++i) sum += weft::hash64(page, sum);
    });
    const double digest = weft::bench::best_cpu_seconds(3, [&] {
        weft::MessageDigest sha1(weft::DigestAlgorithm::sha1);
        for (int i = 0; i < kPages; ++i) sha1.update(page);
        sum += static_cast<unsigned char>(sha1.finish()[0]);
    });

    const double gigabytes = static_cast<double>(page.size()) * kPages / 1e9;
    weft::bench::figure("hash64 of a page", gigabytes / fast, "GB/s", ">=5");
    weft::bench::figure("sha1 of a page", gigabytes / digest, "GB/s", ">=0.5");
    return sum == 0 ? 1 : 0;
}

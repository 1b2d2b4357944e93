// Every file of a crawl's folder is damaged at many places, with and without a right checksum, and
// everything that reads a folder reads it. None may abort, hang or take memory without bound: what
// is wrong is an Error that says so.
#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "archive/index/cdxj.h"
#include "base/hash.h"
#include "base/random.h"
#include "crawl/folder/earlier_crawl.h"
#include "crawl/folder/page_index.h"
#include "crawl/made_folder.h"
#include "crawl/politeness/kept_robots.h"
#include "crawl/repair/repair.h"
#include "frontier/store/codec.h"
#include "frontier/store/store_snapshot.h"

namespace weft::crawl {
namespace {

using aio::Co;
using namespace made;

// With two checkpoints and retries, so that the frontier has all its kinds of files.
const Contents& whole_folder() {
    static const Contents folder = [] {
        MadeSite site;
        aio::SimulatedLoop loop;
        FolderOptions options = made_options();
        loop.run(crawl_made_site(loop, site, made_config(), options, true, false, 6));
        for (const std::size_t count : {4u, 5u}) {
            loop.run([](FolderOptions owned) -> Co<> {
                const auto opened = co_await CrawlFolder::open(made_config(), std::move(owned));
                co_await opened->frontier().checkpoint();
                co_await opened->finish();
            }(options));
            loop.run(crawl_made_site(loop, site, made_config(), options, false, false, count));
        }
        return read_tree(loop.files(), "crawl");
    }();
    return folder;
}

template <class Call>
void try_it(Call call) {
    try {
        call();
    } catch (const Error&) {
    }
}

void read_all_ways(const Contents& folder, bool repairs) {
    aio::SimulatedLoop loop;
    write_tree(loop.files(), folder);
    aio::FileSystem& files = loop.files();
    const web::Url url = web::Url::parse("http://a.test/7").value();
    const frontier::Candidate sought{
        .url = url.href(), .key = url.href(), .host = "a.test", .referrer = {}};
    try_it([&] { find_page(files, "crawl", url, false); });
    try_it([&] { find_kept_robots(files, "crawl", url); });
    try_it([&] { frontier::find_in_store(files, "crawl/state/frontier", sought); });
    try_it([&] { frontier::counts_in_store(files, "crawl/state/frontier"); });
    try_it([&] {
        const auto earlier = EarlierCrawl::open(files, "crawl");
        if (const auto entry = earlier->find(url.href())) earlier->read_answer(*entry);
    });
    MadeSite site;
    if (repairs) {
        try_it(
            [&] { loop.run([]() -> Co<> { co_await repair(made_config(), made_options()); }()); });
    }
    try_it([&] {
        loop.run(
            crawl_made_site(loop, site, made_config(), made_options(), false, true, kAllPages));
    });
}

// The index blocks of a hosts run, the images that they name, and the pages of its dues.
void mend_host_run(std::string& bytes, std::size_t footer) {
    const std::string_view all = bytes;
    const auto sum = [&](std::uint64_t at, std::size_t size, std::uint64_t sum_at,
                         std::uint64_t seed) {
        if (size == 0 || at > footer || size > footer - at || sum_at + 8 > footer) return;
        const std::uint64_t value = hash64(all.substr(at, size), seed);
        std::memcpy(bytes.data() + sum_at, &value, sizeof value);
    };
    frontier::Decoder decoder(all.substr(footer));
    decoder.fixed64();
    frontier::Decoder fences(decoder.bytes());
    decoder.bytes();
    frontier::Decoder segments(decoder.bytes());
    while (!fences.is_empty()) {
        fences.fixed64();
        const std::uint64_t block = std::min<std::uint64_t>(fences.fixed64(), footer);
        frontier::Decoder places(all.substr(block));
        for (int i = 0; i < 256; ++i) {
            places.fixed64();
            const std::uint64_t image = places.fixed64();
            sum(image + 8, places.fixed32(), image, 0);
        }
        sum(block, 5'128, block + 5'128, 0);
    }
    while (!segments.is_empty()) {
        std::uint64_t page = segments.fixed64();
        for (std::uint64_t left = segments.fixed64() / 128 + 1; left > 0 && page < footer; --left) {
            sum(page, 2'048, page + 2'048, page);
            page += 2'056;
        }
    }
}

// The checksums of the frontier's files are no secret: whoever makes a file can make them too.
void mend_checksums(const std::string& path, std::string& bytes) {
    const auto put = [&](std::size_t at, std::uint64_t value) {
        std::memcpy(bytes.data() + at, &value, sizeof value);
    };
    const auto get = [&](std::size_t at) {
        std::uint64_t value = 0;
        std::memcpy(&value, bytes.data() + at, sizeof value);
        return value;
    };
    const std::string_view all = bytes;
    if (path.ends_with("/manifest") && bytes.size() > 8) {
        put(bytes.size() - 8, hash64(all.substr(0, bytes.size() - 8)));
    } else if (path.contains("/log-") && bytes.size() >= 32) {
        put(24, hash64(all.substr(0, 24)));
        const std::uint64_t store = get(8);
        const std::uint64_t number = get(16);
        for (std::size_t at = 32; at + 24 <= bytes.size();) {
            std::uint32_t size = 0;
            std::memcpy(&size, bytes.data() + at + 12, sizeof size);
            if (size > bytes.size() - at - 24) break;
            put(at + 4, hash64(all.substr(at + 12, size + 12), store ^ (number << 40) ^ at));
            at += 24 + size;
        }
    } else if ((path.contains("/seen-") || path.contains("/hosts-")) && bytes.size() > 24) {
        const std::uint64_t footer = get(bytes.size() - 24);
        if (footer > bytes.size() - 24) return;
        // Blocks of fingerprints come first in a seen run.
        for (std::size_t at = 0; path.contains("/seen-") && at + 4096 <= footer; at += 4096) {
            put(at + 4088, hash64(all.substr(at, 4088), at));
        }
        put(bytes.size() - 16, hash64(all.substr(footer, bytes.size() - 24 - footer), footer));
        try_it([&] {
            if (path.contains("/hosts-")) mend_host_run(bytes, footer);
        });
    }
}

std::size_t damage(const std::string& part, std::size_t count, bool has_checksums, bool repairs) {
    std::size_t tried = 0;
    Random random(7);
    for (const auto& [path, bytes] : whole_folder()) {
        if (!path.contains(part) || bytes.empty()) continue;
        for (std::size_t i = 0; i < count; ++i) {
            Contents folder = whole_folder();
            std::string& damaged = folder[path];
            const std::size_t at = random.below(damaged.size());
            switch (random.below(4)) {
                case 0: damaged[at] = static_cast<char>(random.below(256)); break;
                case 1: damaged[at] = static_cast<char>(0xff); break;
                case 2: damaged.erase(at, 1 + random.below(20)); break;
                default: damaged.insert(at, damaged.substr(0, random.below(40))); break;
            }
            if (has_checksums) mend_checksums(path, damaged);
            read_all_ways(folder, repairs);
            ++tried;
        }
    }
    return tried;
}

// A crafted frontier log aborted the program.
TEST(DamagedFolder, AFrontierOfAnyBytesIsRead) {
    EXPECT_GT(damage("/frontier/", 60, true, false), 200u);
    EXPECT_GT(damage("/frontier/", 15, false, false), 50u);
}

// What waits in a crafted frontier need not be a URL; the crawl took it for one and aborted.
TEST(DamagedFolder, AFrontierWhoseUrlIsNoneIsAnErrorThatNamesIt) {
    MadeSite site;
    aio::SimulatedLoop loop;
    try {
        loop.run([](aio::SimulatedLoop& simulation, MadeSite& made) -> Co<> {
            const auto folder = co_await CrawlFolder::create(made_config(), made_options());
            std::vector<frontier::Candidate> crafted;
            crafted.push_back({.url = "no\tURL", .key = "k", .host = "a.test", .referrer = {}});
            co_await folder->frontier().push(std::move(crafted));
            co_await folder->finish();
            co_await crawl_made_site(simulation, made, made_config(), made_options(), false, true,
                                     kAllPages);
        }(loop, site));
        FAIL() << "the crawl took it for a URL";
    } catch (const Error& error) {
        EXPECT_TRUE(std::string(error.what()).contains("which is not a URL")) << error.what();
        EXPECT_TRUE(std::string(error.what()).contains("weft repair")) << error.what();
    }
}

TEST(DamagedFolder, LogsAndIndexesOfAnyBytesAreRead) {
    EXPECT_GT(damage("/pages/", 60, false, false), 100u);
}

TEST(DamagedFolder, AnArchiveOfAnyBytesIsRead) {
    EXPECT_GT(damage("/archive/", 12, false, false), 50u);
}

TEST(DamagedFolder, AnyBytesCanBeRepaired) {
    EXPECT_GT(damage("crawl/", 3, true, true), 30u);
}

TEST(DamagedFolder, FilesOfAnyLengthAreRead) {
    for (const auto& [path, bytes] : whole_folder()) {
        for (const std::size_t size : {std::size_t{0}, std::size_t{1}, bytes.size() / 2,
                                       bytes.size() - std::min<std::size_t>(1, bytes.size())}) {
            Contents folder = whole_folder();
            folder[path].resize(size);
            read_all_ways(folder, false);
        }
    }
}

}  // namespace
}  // namespace weft::crawl

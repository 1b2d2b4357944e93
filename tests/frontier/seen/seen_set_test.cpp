#include "frontier/seen/seen_set.h"

#include <set>

#include <gtest/gtest.h>

#include "aio/files/memory_files.h"
#include "base/random.h"
#include "frontier/seen/seen_table.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {
namespace {

struct Less {
    bool operator()(const Fingerprint& a, const Fingerprint& b) const { return a < b; }
};
using Truth = std::set<Fingerprint, Less>;

Fingerprint print(std::uint64_t number) {
    return fingerprint_of(fmt::format("http://a.test/{}", number), 5);
}

}  // namespace

TEST(SeenTable, HoldsWhatWasPutInAndNothingElseInOrder) {
    SeenTable table;
    Truth truth;
    Random random(3);
    for (int i = 0; i < 30'000; ++i) {
        const Fingerprint each = print(random.below(40'000));
        EXPECT_EQ(table.insert(each), truth.insert(each).second);
    }

    EXPECT_EQ(table.size(), truth.size());
    for (std::uint64_t i = 0; i < 40'000; ++i) {
        EXPECT_EQ(table.contains(print(i)), truth.contains(print(i)));
    }
    std::vector<Fingerprint> in_order;
    table.for_each([&](const Fingerprint& each) { in_order.push_back(each); });
    EXPECT_TRUE(std::ranges::equal(in_order, truth));
}

TEST(SeenTable, TellsApartFingerprintsThatShareAHalf) {
    SeenTable table;
    for (std::uint32_t low = 1; low < 100; ++low) EXPECT_TRUE(table.insert({42, low}));

    for (std::uint32_t low = 1; low < 200; ++low) {
        EXPECT_EQ(table.contains({42, low}), low < 100) << low;
    }
    EXPECT_FALSE(table.contains({42, 0}));
}

TEST(SeenTable, TakesLessThanNineteenBytesEach) {
    SeenTable table;
    for (std::uint64_t i = 0; i < 500'000; ++i) table.insert(print(i));

    EXPECT_LT(table.memory_bytes(), 19u * 500'000);
}

TEST(SeenTable, TakesNoMoreThanItSaysForManyInAscendingOrder) {
    constexpr std::size_t kCount = 1'000'000;
    SeenTable table;
    table.reserve(kCount);
    for (std::uint64_t i = 1; i <= kCount; ++i) {
        table.insert({i * (UINT64_MAX / kCount), static_cast<std::uint32_t>(i)});
    }

    EXPECT_EQ(table.size(), kCount);
    EXPECT_LE(table.memory_bytes(), SeenTable::memory_bytes_for(kCount));
    EXPECT_LT(SeenTable::memory_bytes_for(kCount), 19 * kCount);
}

// The table grew until there was no memory: a forged run can hold more of them that share the last
// place than there is room for.
TEST(SeenSet, FingerprintsThatCrowdAsNoCrawlsDoAreAnError) {
    aio::MemoryFiles files;
    SeenRunWriter writer(files, "seen-000001", BloomShape::of(200));
    for (std::uint32_t low = 1; low <= 200; ++low) writer.add({UINT64_MAX, low});
    writer.finish();
    SeenSet seen(files, ".", 10'000'000);
    const std::vector<RunName> runs{{.number = 1, .level = 0, .count = 200}};

    EXPECT_THROW(seen.open(runs), StoreError);
}

TEST(SeenSet, IsExactWhateverFitsIntoMemory) {
    // Nothing; a part of the packed ones; all of them packed; all as they are.
    for (const std::size_t memory :
         {std::size_t{0}, std::size_t{20'000}, std::size_t{60'000}, std::size_t{10'000'000}}) {
        aio::MemoryFiles files;
        Truth truth;
        std::uint64_t number = 1;
        auto seen = std::make_unique<SeenSet>(files, ".", memory);
        Random random(memory + 1);
        for (int round = 0; round < 100; ++round) {
            for (int i = 0; i < 40; ++i) {
                const Fingerprint each = print(random.below(6'000));
                const bool is_new = !seen->contains(each) && seen->insert(each);
                EXPECT_EQ(is_new, truth.insert(each).second);
            }
            seen->write_run(number++);
            seen->after_checkpoint();
            if (seen->merge_step(1'000, number)) seen->remove_old();
            if (round % 17 == 16) {
                const std::vector<RunName> names = seen->run_names();
                seen = std::make_unique<SeenSet>(files, ".", memory);
                seen->open(names);
            }
        }

        EXPECT_EQ(seen->is_spilled(), memory < 10'000'000);
        for (std::uint64_t i = 0; i < 6'000; ++i) {
            EXPECT_EQ(seen->contains(print(i)), truth.contains(print(i)));
        }
    }
}

TEST(SeenSet, KeepsToItsMemoryAsItGrowsFarBeyondIt) {
    constexpr std::size_t kMemory = 400'000;
    aio::MemoryFiles files;
    SeenSet seen(files, ".", kMemory);
    std::uint64_t number = 1;
    for (std::uint64_t i = 0; i < 200'000; ++i) {
        ASSERT_FALSE(seen.contains(print(i)));
        ASSERT_TRUE(seen.insert(print(i)));
        if (i % 1'000 != 999) continue;
        seen.write_run(number++);
        seen.after_checkpoint();
        if (seen.merge_step(100'000, number)) seen.remove_old();
        ASSERT_LT(seen.memory_bytes(), kMemory + kMemory / 8) << i;
    }

    for (std::uint64_t i = 0; i < 400'000; i += 7) {
        ASSERT_EQ(seen.contains(print(i)), i < 200'000) << i;
    }
}

TEST(SeenSet, MergesRunsSoThatFewAreLeft) {
    aio::MemoryFiles files;
    SeenSet seen(files, ".", 1'000'000);
    std::uint64_t number = 1;
    for (std::uint64_t i = 0; i < 300; ++i) {
        seen.insert(print(i));
        seen.write_run(number++);
        seen.after_checkpoint();
        if (seen.merge_step(100'000, number)) seen.remove_old();
    }

    EXPECT_LE(seen.run_names().size(), 3u * 8);
    EXPECT_EQ(files.list(".").size(), 2 * seen.run_names().size());  // Each with its filter.
}

}  // namespace weft::frontier

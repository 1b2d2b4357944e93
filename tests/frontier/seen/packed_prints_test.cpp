#include "frontier/seen/packed_prints.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace weft::frontier {
namespace {

constexpr std::uint64_t kPrintCount = 20'000;

std::vector<Fingerprint> prints(std::uint64_t begin, std::uint64_t end) {
    std::vector<Fingerprint> made;
    for (std::uint64_t i = begin; i < end; ++i) {
        made.push_back(fingerprint_of(fmt::format("http://a.test/{}", i), 5));
    }
    std::ranges::sort(made, [](const Fingerprint& a, const Fingerprint& b) { return a < b; });
    return made;
}

void append_all(PackedPrints& packed, const std::vector<Fingerprint>& all) {
    for (const Fingerprint& each : all) packed.append(each);
    packed.end();
}

// Of those that it covers it holds all, and none of the others.
void expect_holds(const PackedPrints& packed, const std::vector<Fingerprint>& in,
                  const std::vector<Fingerprint>& out) {
    std::size_t covered = 0;
    for (const Fingerprint& each : in) {
        if (!packed.covers(each)) continue;
        ++covered;
        EXPECT_TRUE(packed.contains(each));
    }
    EXPECT_EQ(packed.size(), covered);
    for (const Fingerprint& each : out) {
        EXPECT_FALSE(packed.covers(each) && packed.contains(each));
    }
}

}  // namespace

TEST(PackedPrints, HoldsWhatWasAppendedAndMergedAndNothingElse) {
    PackedPrints packed(1'000'000);
    append_all(packed, prints(0, kPrintCount / 2));
    for (std::uint64_t i = kPrintCount / 2; i < kPrintCount; i += 500)
        packed.merge(prints(i, i + 500));

    EXPECT_EQ(packed.size(), kPrintCount);
    expect_holds(packed, prints(0, kPrintCount), prints(kPrintCount, 2 * kPrintCount));
}

TEST(PackedPrints, TakesHalfOfWhatAFingerprintTakesInATable) {
    PackedPrints packed(9 * kPrintCount);
    append_all(packed, prints(0, kPrintCount));

    EXPECT_EQ(packed.step_count(), PackedPrints::kStepCount);
    EXPECT_LE(packed.memory_bytes(), 9 * kPrintCount);
}

TEST(PackedPrints, CoversLessWhereThereIsNoRoom) {
    PackedPrints appended(4 * kPrintCount);
    append_all(appended, prints(0, kPrintCount));
    PackedPrints merged(4 * kPrintCount);
    for (std::uint64_t i = 0; i < kPrintCount; i += 1'000) merged.merge(prints(i, i + 1'000));

    for (const PackedPrints* packed : {&appended, &merged}) {
        EXPECT_LT(packed->step_count(), PackedPrints::kStepCount / 2);
        EXPECT_GT(packed->step_count(), PackedPrints::kStepCount / 3);
        EXPECT_LE(packed->memory_bytes(), 4 * kPrintCount);
        expect_holds(*packed, prints(0, kPrintCount), prints(kPrintCount, 2 * kPrintCount));
    }
}

TEST(PackedPrints, GivesBackWhatItIsToldNotToCover) {
    PackedPrints packed(20'000'000);  // Large enough for memory of its own.
    append_all(packed, prints(0, kPrintCount));
    packed.cover(10);
    packed.merge(prints(kPrintCount, kPrintCount + 100));
    expect_holds(packed, prints(0, kPrintCount + 100), prints(2 * kPrintCount, 3 * kPrintCount));
    packed.cover(0);

    EXPECT_EQ(packed.memory_bytes(), 0u);
    EXPECT_FALSE(packed.covers(prints(0, 1).front()));
}

TEST(PackedPrints, TellsApartFingerprintsThatShareAHalf) {
    PackedPrints packed(1'000'000);
    for (std::uint32_t low = 1; low < 100; ++low) packed.append({42, low << 24});
    packed.end();

    for (std::uint32_t low = 1; low < 200; ++low) {
        EXPECT_EQ(packed.contains({42, low << 24}), low < 100) << low;
    }
}

}  // namespace weft::frontier

#include "archive/index/sha1_lanes.h"

#include <array>
#include <vector>

#include <gtest/gtest.h>

#include "archive/index/digest.h"
#include "base/random.h"

namespace weft::archive {
namespace {

std::string any_bytes(std::size_t size) {
    Random random(1);
    std::string bytes(size, '\0');
    for (char& c : bytes) c = static_cast<char>(random());
    return bytes;
}

std::string label_of(const Sha1Message& message) {
    const std::array parts = {message.first, message.second};
    return sha1_label(parts);
}

TEST(Sha1Lanes, GiveWhatOnePassEachGivesWhateverTheLengths) {
    const std::string bytes = any_bytes(4'096);
    for (std::size_t head_bytes = 0; head_bytes < 140; ++head_bytes) {
        for (std::size_t body_bytes = 0; body_bytes < 300; ++body_bytes) {
            const std::string_view head(bytes.data(), head_bytes);
            const std::string_view body(bytes.data() + 1'000, body_bytes);
            std::array<Sha1Message, 2> both{{{head, body}, {body, ""}}};

            label_by_sha1(both);

            ASSERT_EQ(both[0].label, label_of(both[0])) << head_bytes << " " << body_bytes;
            ASSERT_EQ(both[1].label, label_of(both[1])) << body_bytes;
        }
    }
}

TEST(Sha1Lanes, AnyNumberOfMessagesOfAnyLengthsGetTheirOwnLabels) {
    const std::string bytes = any_bytes(20'000);
    Random random(2);
    for (std::size_t count = 0; count < 40; ++count) {
        std::vector<Sha1Message> messages(count);
        for (Sha1Message& message : messages) {
            message.first = std::string_view(bytes).substr(random() % 100, random() % 700);
            message.second = std::string_view(bytes).substr(random() % 100, random() % 19'000);
        }

        label_by_sha1(messages);

        for (const Sha1Message& message : messages) ASSERT_EQ(message.label, label_of(message));
    }
}

TEST(Sha1Lanes, GiveTheStandardsExample) {
    std::array<Sha1Message, 3> messages{{{"a", "bc"}, {"", "abc"}, {"abc", ""}}};

    label_by_sha1(messages);

    for (const Sha1Message& message : messages) {
        EXPECT_EQ(message.label, "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5");
    }
}

}  // namespace
}  // namespace weft::archive

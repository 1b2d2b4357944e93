#include "base/scratch.h"

#include <array>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

using Room = std::array<char, 1024>;
struct Text;  // A tag that is first named inside a function is that function's own.

// A view that outlives its Scratch: what must never be.
std::string_view stale_view() {
    const Scratch<Room, struct StaleRoom> room;
    std::memcpy(room->data(), "secret", 6);
    return {room->data(), 6};
}

}  // namespace

TEST(Scratch, KeepsItsMemoryAndStartsEmpty) {
    std::size_t capacity = 0;
    const char* place = nullptr;
    {
        const Scratch<std::string, Text> text;
        text->assign(10'000, 'x');
        capacity = text->capacity();
        place = text->data();
    }
    const Scratch<std::string, Text> text;
    EXPECT_TRUE(text->empty());
    EXPECT_EQ(text->capacity(), capacity);
    EXPECT_EQ(text->data(), place);
}

TEST(Scratch, EachTagAndEachThreadHasItsOwn) {
    const Scratch<Room, struct OneRoom> one;
    const Scratch<Room, struct OtherRoom> other;
    EXPECT_NE(one->data(), other->data());
    const char* elsewhere = nullptr;
    std::thread([&] {
        const Scratch<Room, struct OneRoom> mine;
        mine->fill('x');
        elsewhere = mine->data();
    }).join();
    EXPECT_NE(one->data(), elsewhere);
}

TEST(Scratch, MemoryOfAThreadThatEndedCanBeUsedAgain) {
    for (int i = 0; i < 20; ++i) {
        std::thread([] {
            const Scratch<std::vector<int>, struct Numbers> numbers;
            numbers->assign(100, 1);
        }).join();
        std::thread([] {
            std::vector<char> mine(4096, 'x');
            std::array<char, 4096> stack;
            std::memcpy(stack.data(), mine.data(), stack.size());
            EXPECT_EQ(stack.back(), 'x');
        }).join();
    }
}

TEST(Scratch, TakenTwiceAborts) {
    const Scratch<Room, struct TwiceRoom> room;
    EXPECT_DEATH((Scratch<Room, struct TwiceRoom>()), "in use already");
}

TEST(Scratch, H135WhatPointedIntoItIsDeadWithIt) {
    if (!kChecksScratch) GTEST_SKIP() << "this build does not check";
    const auto read_stale = [] {
        const std::string copy(stale_view());
        if (copy != "secret") std::abort();  // Without AddressSanitizer it is only overwritten.
    };
    EXPECT_DEATH(read_stale(), "");
}

}  // namespace weft

#include "crawl/network_watch.h"

#include <gtest/gtest.h>

namespace weft::crawl {
namespace {

using http::Failure;

constexpr TimePoint kStart{};

// Whether so many failures in a row, from so many hosts, are taken for a lost network.
bool is_lost(Failure failure, int count, std::uint64_t hosts, Duration apart = 1s) {
    NetworkWatch watch;
    watch.on_answer();
    for (int i = 0; i < count; ++i) {
        watch.on_failure(failure, static_cast<std::uint64_t>(i) % hosts, kStart + i * apart);
    }
    return watch.is_lost();
}

}  // namespace

TEST(NetworkWatch, NoWayToAnybodyIsALostNetwork) {
    EXPECT_FALSE(is_lost(Failure::connect_unreachable, 4, 1));
    EXPECT_TRUE(is_lost(Failure::connect_unreachable, 5, 1));
    EXPECT_FALSE(is_lost(Failure::dns_failed, 14, 3));
    EXPECT_TRUE(is_lost(Failure::dns_failed, 15, 3));
    EXPECT_TRUE(is_lost(Failure::dns_timeout, 20, 1'000));
}

TEST(NetworkWatch, AHostThatDoesNotAnswerIsDownAndNoMore) {
    EXPECT_FALSE(is_lost(Failure::connect_timeout, 1'000, 1));
    EXPECT_FALSE(is_lost(Failure::connect_timeout, 1'000, 3));
    EXPECT_TRUE(is_lost(Failure::connect_timeout, 20, 4));
    EXPECT_FALSE(is_lost(Failure::connect_timeout, 20, 20, 10ms)) << "all at once: too early";
}

TEST(NetworkWatch, AnAnswerSaysThatTheNetworkIsThere) {
    NetworkWatch watch;
    watch.on_answer();
    for (int i = 0; i < 100; ++i) {
        watch.on_failure(Failure::connect_unreachable, 1, kStart);
        if (i % 4 == 3) watch.on_answer();
    }
    EXPECT_FALSE(watch.is_lost());
}

TEST(NetworkWatch, WhatNeverWasThereIsNotLost) {
    NetworkWatch watch;
    for (int i = 0; i < 100; ++i) watch.on_failure(Failure::connect_unreachable, 1, kStart);
    EXPECT_FALSE(watch.is_lost());
}

}  // namespace weft::crawl

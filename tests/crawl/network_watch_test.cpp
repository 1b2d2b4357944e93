#include "crawl/network_watch.h"

#include <gtest/gtest.h>

#include "aio/simulated_clock.h"
#include "aio/simulated_network.h"

namespace weft::crawl {
namespace {

using http::Failure;

constexpr TimePoint kStart{};
constexpr std::string_view kPeer = "192.0.2.1:443";

// A machine with its cable in, or out.
class Cable {
public:
    explicit Cable(bool is_in = true) {
        if (!is_in) network_.host("here").reach(aio::Reach::unreachable);
    }

    const aio::Network& view() const { return *view_; }

private:
    aio::SimulatedClock clock_;
    aio::SimulatedNetwork network_{clock_, 1};
    std::unique_ptr<aio::Network> view_ = network_.seen_from("here");
};

// Whether so many failures in a row, from so many hosts, are taken for a lost network.
bool is_lost(Failure failure, int count, std::uint64_t hosts, Duration apart = 1s) {
    const Cable cable;
    NetworkWatch watch;
    watch.on_answer(kPeer);
    for (int i = 0; i < count; ++i) {
        watch.on_failure(failure, static_cast<std::uint64_t>(i) % hosts, cable.view(),
                         kStart + i * apart);
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

TEST(NetworkWatch, NoRouteToWhoAnsweredLastIsALostNetworkAtOnce) {
    const Cable in;
    const Cable out(false);
    NetworkWatch watch;
    watch.on_answer("[2001:db8::1]:80");
    EXPECT_FALSE(watch.on_failure(Failure::first_byte_timeout, 1, in.view(), kStart));
    EXPECT_TRUE(watch.on_failure(Failure::first_byte_timeout, 1, out.view(), kStart));
    watch.on_answer(kPeer);
    EXPECT_FALSE(watch.is_lost());
    EXPECT_TRUE(watch.on_failure(Failure::connect_unreachable, 1, out.view(), kStart));
}

TEST(NetworkWatch, AHostThatDoesNotAnswerIsDownAndNoMore) {
    EXPECT_FALSE(is_lost(Failure::connect_timeout, 1'000, 1));
    EXPECT_FALSE(is_lost(Failure::connect_timeout, 1'000, 3));
    EXPECT_TRUE(is_lost(Failure::connect_timeout, 20, 4));
    EXPECT_FALSE(is_lost(Failure::connect_timeout, 20, 20, 10ms)) << "all at once: too early";
}

TEST(NetworkWatch, AnAnswerSaysThatTheNetworkIsThere) {
    const Cable cable;
    NetworkWatch watch;
    watch.on_answer(kPeer);
    for (int i = 0; i < 100; ++i) {
        watch.on_failure(Failure::connect_unreachable, 1, cable.view(), kStart);
        if (i % 4 == 3) watch.on_answer(kPeer);
    }
    EXPECT_FALSE(watch.is_lost());
}

TEST(NetworkWatch, SoDoesARefusalWhoeverItComesFrom) {
    const Cable in;
    const Cable out(false);
    NetworkWatch watch;
    watch.on_answer(kPeer);
    for (int i = 0; i < 100; ++i) {
        watch.on_failure(Failure::connect_unreachable, 1, in.view(), kStart);
        if (i % 4 == 3) watch.on_failure(Failure::connect_refused, 2, in.view(), kStart);
    }
    EXPECT_FALSE(watch.is_lost());
    EXPECT_FALSE(watch.on_failure(Failure::reset, 2, out.view(), kStart))
        << "the way to another one may still be there";
}

TEST(NetworkWatch, WhatNeverWasThereIsNotLost) {
    const Cable cable(false);
    NetworkWatch watch;
    for (int i = 0; i < 100; ++i) {
        watch.on_failure(Failure::connect_unreachable, 1, cable.view(), kStart);
    }
    EXPECT_FALSE(watch.is_lost());
}

}  // namespace weft::crawl

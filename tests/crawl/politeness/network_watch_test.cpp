#include "crawl/politeness/network_watch.h"

#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"

namespace weft::crawl {
namespace {

using aio::Co;
using aio::NameFault;
using aio::Reach;
using http::Failure;

constexpr TimePoint kStart{};

// Hosts "0.test", "1.test", ... of machines and domains of their own, each with a server, that have
// answered before. `break_it` says what has happened since.
template <class Break>
NetworkState ask(std::size_t count, Sign sign, Break break_it, bool have_names = true) {
    aio::SimulatedLoop loop;
    std::vector<std::unique_ptr<aio::Listener>> servers;
    std::vector<Witness> witnesses;
    for (std::size_t i = 0; i < count; ++i) {
        const std::string name = std::to_string(i) + ".test";
        witnesses.push_back({.name = have_names ? name : "",
                             .peer = loop.network().host(name).endpoint(80),
                             .domain_key = i});
        servers.push_back(loop.network().listen(name, 80));
    }
    break_it(loop.network());
    const Config config;
    return loop.run(ask_witnesses(witnesses, sign, config));
}

void break_all(aio::SimulatedNetwork& network, std::size_t count, Reach reach,
               NameFault fault = NameFault::none) {
    for (std::size_t i = 0; i < count; ++i) {
        network.host(std::to_string(i) + ".test").reach(reach);
        network.name(std::to_string(i) + ".test").fails(fault);
    }
}

}  // namespace

TEST(NetworkWatch, OneWitnessThatAnswersOrRefusesProvesTheNetwork) {
    for (const Reach reach : {Reach::normal, Reach::refusing}) {
        EXPECT_EQ(ask(8, Sign::silence,
                      [&](aio::SimulatedNetwork& network) {
                          break_all(network, 8, Reach::black_hole, NameFault::no_answer);
                          network.host("5.test").reach(reach);
                      }),
                  NetworkState::there);
    }
}

TEST(NetworkWatch, SilenceOfFourWitnessesIsALostNetwork) {
    const auto silence = [](aio::SimulatedNetwork& network) {
        break_all(network, 4, Reach::black_hole);
    };
    EXPECT_EQ(ask(4, Sign::silence, silence), NetworkState::gone);
    EXPECT_EQ(ask(3, Sign::silence, silence), NetworkState::there)
        << "the name servers answer, so three hosts are down";
}

TEST(NetworkWatch, SilenceOfFewerIsOneIfTheNameServersAreSilentToo) {
    for (const NameFault fault : {NameFault::no_answer, NameFault::server_failure}) {
        EXPECT_EQ(ask(1, Sign::silence,
                      [&](aio::SimulatedNetwork& network) {
                          break_all(network, 1, Reach::black_hole, fault);
                      }),
                  NetworkState::gone);
    }
}

TEST(NetworkWatch, WithoutNamesNoWayIsALossAndSilenceIsAHostThatIsDown) {
    for (const auto& [reach, state] : {std::pair(Reach::unreachable, NetworkState::gone),
                                       std::pair(Reach::black_hole, NetworkState::there)}) {
        EXPECT_EQ(ask(
                      1, Sign::silence,
                      [&](aio::SimulatedNetwork& network) { break_all(network, 1, reach); }, false),
                  state);
    }
}

TEST(NetworkWatch, ANameThatIsAnsweredProvesTheNameServers) {
    EXPECT_EQ(ask(3, Sign::unnamed,
                  [](aio::SimulatedNetwork& network) {
                      break_all(network, 3, Reach::normal, NameFault::server_failure);
                      network.name("2.test").fails(NameFault::no_such_name);
                  }),
              NetworkState::there)
        << "also when the answer is that there is no such name";
}

TEST(NetworkWatch, NameServersAreGoneWhenNoWitnessHasAName) {
    const auto break_names = [](Reach reach) {
        return [reach](aio::SimulatedNetwork& network) {
            break_all(network, 2, reach, NameFault::no_answer);
        };
    };
    EXPECT_EQ(ask(2, Sign::unnamed, break_names(Reach::normal)), NetworkState::names_gone);
    EXPECT_EQ(ask(2, Sign::unnamed, break_names(Reach::black_hole)), NetworkState::gone);
    EXPECT_EQ(ask(2, Sign::unnamed, break_names(Reach::normal), false), NetworkState::there)
        << "no name was ever answered: none is lost";
}

TEST(NetworkWatch, ASignOfLifeSinceTheFetchBeganIsAProof) {
    NetworkWatch watch;
    EXPECT_FALSE(watch.is_proven(Sign::silence, kStart, kStart));
    watch.on_heard(kStart + 100s);
    EXPECT_TRUE(watch.is_proven(Sign::silence, kStart + 99s, kStart + 105s));
    EXPECT_FALSE(watch.is_proven(Sign::silence, kStart + 101s, kStart + 105s));
    EXPECT_TRUE(watch.is_proven(Sign::silence, kStart + 101s, kStart + 101s))
        << "it lasts a second";
    EXPECT_FALSE(watch.is_proven(Sign::silence, kStart, kStart + 111s)) << "and ten at most";
    EXPECT_FALSE(watch.is_proven(Sign::unnamed, kStart + 99s, kStart + 100s))
        << "of name servers it says nothing";
}

TEST(NetworkWatch, TheFirstWitnessesStayAndOnlyOneOfADomainOrAnAddressIsKept) {
    NetworkWatch watch;
    auto add = [&, now = kStart](std::uint8_t number, std::uint64_t domain) mutable {
        EXPECT_TRUE(watch.wants_witness(now));
        watch.add({.name = std::to_string(number),
                   .peer = {aio::IpAddress::v4({192, 0, 2, number}), 80},
                   .domain_key = domain},
                  now);
        EXPECT_FALSE(watch.wants_witness(now));
        now += 1s;
    };
    add(1, 1);
    add(2, 2);
    add(2, 3);
    EXPECT_EQ(watch.witnesses().size(), 2u) << "one address";
    for (std::uint8_t i = 3; i < 200; ++i) add(i, i % 3 == 0 ? 3 : i);
    ASSERT_EQ(watch.witnesses().size(), NetworkWatch::kWitnessMax);
    EXPECT_EQ(watch.witnesses()[0].name, "1");
    EXPECT_EQ(watch.witnesses()[1].name, "2");
}

TEST(NetworkWatch, NoRouteToAnyWitnessIsCertain) {
    aio::SimulatedLoop loop;
    NetworkWatch watch;
    const std::unique_ptr<aio::Network> here = loop.network().seen_from("here");
    loop.network().host("here").reach(Reach::unreachable);
    EXPECT_FALSE(watch.has_no_route(*here)) << "what never was there is not lost";
    watch.add({.name = "", .peer = {aio::IpAddress::v4({192, 0, 2, 1}), 80}}, kStart);
    EXPECT_TRUE(watch.has_no_route(*here));
    loop.network().host("here").reach(Reach::normal);
    EXPECT_FALSE(watch.has_no_route(*here));
}

TEST(NetworkWatch, APeerIsReadAsThePageLogWritesIt) {
    EXPECT_EQ(parse_peer("192.0.2.1:443")->to_string(), "192.0.2.1:443");
    EXPECT_EQ(parse_peer("[2001:db8::1]:80")->to_string(), "[2001:db8::1]:80");
    for (const char* text : {"", ":80", "192.0.2.1", "192.0.2.1:", "192.0.2.1:65536", "a:1"}) {
        EXPECT_FALSE(parse_peer(text)) << text;
    }
}

}  // namespace weft::crawl

// Ways to write an address that a filter of names would let pass (H116-H118): none is connected to.
#include <gtest/gtest.h>

#include "aio/simulated/simulation.h"
#include "http/client/client.h"

namespace weft::http {
namespace {

using aio::Co;

constexpr const char* kSpellings[] = {
    // One machine, many numbers.
    "127.0.0.1",
    "127.0.0.1.",
    "127.1",
    "127.0.1",
    "127.00.00.01",
    "0177.0.0.1",
    "0177.0.0.01",
    "017700000001",
    "2130706433",
    "0x7f000001",
    "0x7F.1",
    "0x7f.0x0.0x0.0x1",
    "0x7f.0.1",
    "127.0.0x1",
    "0x0000000007f.0.0.1",
    "127.255.255.254",
    "%31%32%37.0.0.1",
    "127%2e0%2e0%2e1",
    "①②⑦.⓪.⓪.①",
    "127。0。0。1",
    "１２７.0.0.1",
    "0",
    "0.0.0.0",
    "0x0",
    "00",
    "0.0.0.0.",
    // Neighbours and metadata.
    "10.0.0.1",
    "012.0.0.1",
    "167772161",
    "192.168.1.1",
    "3232235777",
    "172.16.0.1",
    "0xac100001",
    "169.254.169.254",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "100.64.0.1",
    "198.18.0.1",
    "224.0.0.1",
    "240.0.0.1",
    "255.255.255.255",
    "4294967295",
    // The same in IPv6, and IPv4 inside it.
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::127.0.0.1]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::7f00:1]",
    "[64:ff9b:1::7f00:1]",
    "[2002:7f00:1::]",
    "[2002:a9fe:a9fe::1]",
    "[2001::80ff:fffe]",
    "[::ffff:169.254.169.254]",
    "[fc00::1]",
    "[fd12:3456::1]",
    "[fe80::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[2001:db8::1]",
    // Names that lead there.
    "localhost",
    "localhost.",
    "LOCALHOST",
    "inside.test",
    "mixed.test",
    "embedded.test",
};

Co<> expect_none_is_reached(Client& client) {
    std::size_t count = 0;
    for (const std::string host : kSpellings) {
        const auto url = web::Url::parse(fmt::format("http://{}/", host));
        EXPECT_TRUE(url) << host;
        if (!url) continue;
        ++count;
        ResponseSink sink;
        try {
            co_await client.fetch({.url = *url}, sink);
            ADD_FAILURE() << host << " was fetched";
        } catch (const FetchError& error) {
            EXPECT_EQ(error.failure(), Failure::address_denied) << host << ": " << error.what();
        }
    }
    EXPECT_GE(count, 60u);
}

}  // namespace

TEST(Spellings, H117NoneOfThemIsConnectedTo) {
    aio::SimulatedLoop loop;
    const aio::IpAddress loopback = aio::IpAddress::loopback();
    const aio::IpAddress metadata = *aio::IpAddress::parse("169.254.169.254");
    for (const char* name : {"localhost", "localhost.", "inside.test"}) {
        loop.network().name(name).addresses({loopback});
    }
    loop.network().name("mixed.test").addresses({metadata, *aio::IpAddress::parse("fe80::1")});
    loop.network().name("embedded.test").addresses({*aio::IpAddress::parse("::ffff:10.0.0.1")});
    Client client;

    loop.run(expect_none_is_reached(client));
}

TEST(Spellings, H118OfMixedAnswersOnlyThePublicOneIsConnectedTo) {
    aio::SimulatedLoop loop;
    auto listener = loop.network().listen("a.test", 80);
    const aio::IpAddress good = listener->local().address;
    loop.network().name("mixed.test").addresses({aio::IpAddress::loopback(), good});

    loop.run([](std::unique_ptr<aio::Listener> at) -> Co<> {
        const aio::IpAddress address = at->local().address;
        Client client;
        ResponseSink sink;
        try {
            co_await client.fetch(
                {.url = web::Url::parse("http://mixed.test/").value(), .total_timeout = 1s}, sink);
        } catch (const FetchError& error) {  // Nobody accepts; but connected it was.
            EXPECT_EQ(error.phase(), Phase::head) << error.what();
        }
        const auto transport = co_await at->accept();
        EXPECT_EQ(transport->local().address, address);
    }(std::move(listener)));
}

}  // namespace weft::http

#include "crawl/politeness/address.h"

#include <gtest/gtest.h>

#include "support/simulate.h"

namespace weft::crawl {

using aio::Co;

namespace {

aio::IpAddress parse_ip(std::string_view text) {
    return aio::IpAddress::parse(text).value();
}

// A host with an address of each family.
http::ClientOptions client_with_two_addresses() {
    http::ClientOptions client;
    client.fixed_addresses.push_back(
        {.host = "a.example", .port = 80, .addresses = {parse_ip("2600::1"), parse_ip("8.8.8.8")}});
    return client;
}

Co<std::optional<aio::IpAddress>> address_in(http::ClientOptions client) {
    const web::Url url = web::Url::parse("http://a.example/").value();
    co_return co_await address_of(url, client);
}

}  // namespace

// The address of the other family was counted: hosts of one machine were asked at once.
TEST(AddressOf, IsOfTheFamilyThatTheLocalAddressReaches) {
    aio::simulate([]() -> Co<> {
        http::ClientOptions client = client_with_two_addresses();
        client.bind_address = parse_ip("2600::99");
        const auto by_v6 = co_await address_in(client);
        EXPECT_EQ(by_v6, parse_ip("2600::1"));
        client.bind_address = parse_ip("9.9.9.9");
        const auto by_v4 = co_await address_in(client);
        EXPECT_EQ(by_v4, parse_ip("8.8.8.8"));
    });
}

TEST(AddressOf, IsNoneThatThePolicyDenies) {
    aio::simulate([]() -> Co<> {
        http::ClientOptions client = client_with_two_addresses();
        client.fixed_addresses[0].addresses = {parse_ip("10.0.0.1"), parse_ip("8.8.8.8")};
        const auto address = co_await address_in(client);
        EXPECT_EQ(address, parse_ip("8.8.8.8"));
    });
}

}  // namespace weft::crawl

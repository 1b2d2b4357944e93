#include "http/connect/special_address.h"

#include <gtest/gtest.h>

#include "http/connect/address_range.h"

namespace weft::http {
namespace {

using aio::IpAddress;
using Bytes = std::array<std::uint8_t, 16>;

std::size_t size_of(const IpAddress& address) {
    return address.is_v4() ? 4 : 16;
}

IpAddress made_of(const Bytes& bytes, bool is_v4) {
    return is_v4 ? IpAddress::v4({bytes[0], bytes[1], bytes[2], bytes[3]}) : IpAddress::v6(bytes);
}

// The address next to this one, if there is one.
std::optional<IpAddress> next_to(const IpAddress& address, int step) {
    Bytes bytes = address.bytes();
    for (std::size_t i = size_of(address); i-- > 0;) {
        bytes[i] = static_cast<std::uint8_t>(bytes[i] + step);
        if (bytes[i] != (step > 0 ? 0x00 : 0xFF)) return made_of(bytes, address.is_v4());
    }
    return std::nullopt;
}

IpAddress last_of(const AddressRange& network) {
    Bytes bytes = network.address.bytes();
    for (std::size_t bit = network.prefix_bits; bit < 8 * size_of(network.address); ++bit) {
        bytes[bit / 8] |= static_cast<std::uint8_t>(0x80 >> (bit % 8));
    }
    return made_of(bytes, network.address.is_v4());
}

IpAddress address(std::string_view text) {
    return *IpAddress::parse(text);
}

std::string_view name_of(std::string_view text) {
    const SpecialRange* range = special_range(address(text));
    return range ? range->name : "public";
}

// By hand from the registries, for what the program has is what is tested: each range, and whether
// the addresses before and after it are public.
struct Listed {
    const char* network;
    bool is_public_before;
    bool is_public_after;
};

constexpr Listed kIana[] = {
    {"0.0.0.0/8", false, true},
    {"0.0.0.0/32", false, false},
    {"10.0.0.0/8", true, true},
    {"100.64.0.0/10", true, true},
    {"127.0.0.0/8", true, true},
    {"169.254.0.0/16", true, true},
    {"172.16.0.0/12", true, true},
    {"192.0.0.0/24", true, true},
    {"192.0.0.0/29", true, false},
    {"192.0.0.8/32", false, false},
    {"192.0.0.9/32", false, false},
    {"192.0.0.10/32", false, false},
    {"192.0.0.170/32", false, false},
    {"192.0.0.171/32", false, false},
    {"192.0.2.0/24", true, true},
    {"192.88.99.0/24", true, true},
    {"192.88.99.2/32", false, false},
    {"192.168.0.0/16", true, true},
    {"198.18.0.0/15", true, true},
    {"198.51.100.0/24", true, true},
    {"203.0.113.0/24", true, true},
    {"224.0.0.0/4", true, false},
    {"240.0.0.0/4", false, false},
    {"255.255.255.255/32", false, false},
    {"::1/128", false, false},
    {"::/128", false, false},
    {"64:ff9b:1::/48", false, false},
    {"100::/64", false, false},
    {"100:0:0:1::/64", false, false},
    {"2001::/23", true, true},
    {"2001:1::/32", false, false},
    {"2001:1::1/128", false, false},
    {"2001:1::2/128", false, false},
    {"2001:1::3/128", false, false},
    {"2001:2::/48", false, false},
    {"2001:3::/32", false, false},
    {"2001:4:112::/48", false, false},
    {"2001:10::/28", false, false},
    {"2001:20::/28", false, false},
    {"2001:30::/28", false, false},
    {"2001:db8::/32", true, true},
    {"3fff::/20", true, true},
    {"5f00::/16", false, false},
    {"fc00::/7", false, false},
    {"fe80::/10", false, false},
    {"fec0::/10", false, false},
    {"ff00::/8", false, false},
    {"4000::/3", true, false},
    {"::/8", false, false},
    {"6000::/3", false, false},
    {"e000::/4", false, false},
};

}  // namespace

TEST(SpecialAddress, H116EveryRangeOfTheRegistriesIsKnownFromEndToEnd) {
    for (const Listed& listed : kIana) {
        const AddressRange network = *AddressRange::parse(listed.network);
        const IpAddress last = last_of(network);

        EXPECT_TRUE(special_range(network.address)) << listed.network;
        EXPECT_TRUE(special_range(last)) << listed.network << " " << last.to_string();
        const auto before = next_to(network.address, -1);
        if (before) {
            EXPECT_EQ(!special_range(*before), listed.is_public_before) << before->to_string();
        }
        const auto after = next_to(last, 1);
        if (after) {
            EXPECT_EQ(!special_range(*after), listed.is_public_after) << after->to_string();
        }
    }
}

// Those of the registries that are reachable from everywhere, and the borders of 2000::/3.
TEST(SpecialAddress, TheReachableRangesOfTheRegistriesArePublicFromEndToEnd) {
    for (const char* text : {"192.31.196.0/24", "192.52.193.0/24", "192.175.48.0/24",
                             "2620:4f:8000::/48", "2003::/18", "2000::/16", "3ffe::/16"}) {
        const AddressRange network = *AddressRange::parse(text);
        EXPECT_FALSE(special_range(network.address)) << text;
        EXPECT_FALSE(special_range(last_of(network))) << text;
    }
    EXPECT_TRUE(special_range(address("1fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")));
    EXPECT_FALSE(special_range(address("2000::")));
    EXPECT_FALSE(special_range(address("3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")));
    EXPECT_TRUE(special_range(address("4000::")));
}

// Mapped (::ffff:0:0/96), NAT64 (64:ff9b::/96) and 6to4 (2002::/16) addresses, at the ends of each
// IPv4 range and one past them.
TEST(SpecialAddress, H116WhatCarriesAnAddressHasTheBordersOfThatAddress) {
    for (const Listed& listed : kIana) {
        const AddressRange network = *AddressRange::parse(listed.network);
        if (!network.address.is_v4()) continue;
        const IpAddress last = last_of(network);
        for (const auto& inner : {next_to(network.address, -1), std::optional(network.address),
                                  std::optional(last), next_to(last, 1)}) {
            if (!inner) continue;
            const Bytes v4 = inner->bytes();
            Bytes mapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF};
            Bytes nat64{0, 0x64, 0xFF, 0x9B};
            Bytes six_to_four{0x20, 0x02};
            std::copy_n(v4.begin(), 4, mapped.begin() + 12);
            std::copy_n(v4.begin(), 4, nat64.begin() + 12);
            std::copy_n(v4.begin(), 4, six_to_four.begin() + 2);
            for (const Bytes& bytes : {mapped, nat64, six_to_four}) {
                EXPECT_EQ(special_range(IpAddress::v6(bytes)), special_range(*inner))
                    << IpAddress::v6(bytes).to_string();
            }
        }
    }
}

TEST(SpecialAddress, WhatIsReachableFromEverywhereIsPublic) {
    for (const char* text : {"1.1.1.1", "93.184.216.34", "192.31.196.1", "192.52.193.1",
                             "192.175.48.1", "2000::", "2001:200::1", "2606:2800:220:1::1",
                             "2620:4f:8000::1", "3ffe::1", "3fff:1000::"}) {
        EXPECT_EQ(name_of(text), "public") << text;
    }
}

TEST(SpecialAddress, H116AnAddressThatCarriesAnotherIsWhatThatOneIs) {
    EXPECT_EQ(name_of("::ffff:127.0.0.1"), "loopback");
    EXPECT_EQ(name_of("::ffff:8.8.8.8"), "public");
    EXPECT_EQ(name_of("::ffff:0:10.0.0.1"), "private");
    EXPECT_EQ(name_of("64:ff9b::169.254.169.254"), "link-local");
    EXPECT_EQ(name_of("64:ff9b::8.8.8.8"), "public");
    EXPECT_EQ(name_of("2002:a00:1::1"), "private");
    EXPECT_EQ(name_of("2002:808:808::"), "public");
    EXPECT_EQ(name_of("2002:a00:0::"), "private");
    EXPECT_EQ(name_of("2002:aff:ffff:ffff:ffff:ffff:ffff:ffff"), "private");
    EXPECT_EQ(name_of("2002:b00::"), "public");
    EXPECT_EQ(name_of("2001:0:808:808::80ff:fffe"), "loopback");  // The client, bits turned over.
    EXPECT_EQ(name_of("2001:0:a00:1::f7f7:f7f7"), "private");     // The server.
    EXPECT_EQ(name_of("2001:0:808:808::f7f7:f7f7"), "public");
}

TEST(SpecialAddress, H116WhatLiesInTheLocalTranslationPrefixIsNotGuessed) {
    // It was judged by its last 32 bits, but each network puts the address where it likes.
    for (const char* text : {"64:ff9b:1::8.8.8.8", "64:ff9b:1:a00:0:100:808:808",
                             "64:ff9b:1:ffff:ffff:ffff:ffff:ffff", "::8.8.8.8"}) {
        EXPECT_NE(name_of(text), "public") << text;
    }
}

TEST(SpecialAddress, EveryRangeHasANameAndIsItsOwn) {
    for (const SpecialRange& range : special_ranges()) {
        const auto network = AddressRange::parse(range.network);
        ASSERT_TRUE(network) << range.network;
        EXPECT_FALSE(range.name.empty());
        EXPECT_EQ(last_of(*network).is_v4(), network->address.is_v4());
    }
}

}  // namespace weft::http

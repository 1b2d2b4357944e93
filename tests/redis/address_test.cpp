#include "redis/address.h"

#include <gtest/gtest.h>

#include "redis/limits.h"

namespace weft::redis {

namespace {

AddressError error_of(std::string_view text) {
    const auto address = Address::parse(text);
    EXPECT_FALSE(address) << text;
    return address ? AddressError{} : address.error();
}

TEST(RedisAddress, HasNodesAUserAndAName) {
    const auto address =
        Address::parse("redis://ann:s%40p@10.0.0.1:7000,b.example,[::1]:7002/news");

    ASSERT_TRUE(address);
    EXPECT_FALSE(address->has_tls);
    EXPECT_EQ(address->user, "ann");
    EXPECT_EQ(address->password, "s@p");
    EXPECT_EQ(address->name, "news");
    const std::vector<Node> nodes = {{"10.0.0.1", 7000}, {"b.example", 6379}, {"::1", 7002}};
    EXPECT_EQ(address->nodes, nodes);
}

TEST(RedisAddress, WithTwoSMeansTls) {
    const auto address = Address::parse("REDISS://a.example");

    ASSERT_TRUE(address);
    EXPECT_TRUE(address->has_tls);
    EXPECT_TRUE(address->name.empty());
}

TEST(RedisAddress, MayHaveAPasswordAlone) {
    const auto address = Address::parse("redis://:a@b@host/");

    ASSERT_TRUE(address);
    EXPECT_TRUE(address->user.empty());
    EXPECT_EQ(address->password, "a@b");
}

TEST(RedisAddress, ShowsNoPassword) {
    const auto address = Address::parse("rediss://ann:secret@a.example,[::1]:1/news");

    ASSERT_TRUE(address);
    EXPECT_EQ(address->to_string(), "rediss://a.example:6379,[::1]:1/news");
}

TEST(RedisAddress, SaysWhatIsWrong) {
    EXPECT_EQ(error_of(""), AddressError::unknown_scheme);
    EXPECT_EQ(error_of("http://a.example"), AddressError::unknown_scheme);
    EXPECT_EQ(error_of("redis://"), AddressError::no_host);
    EXPECT_EQ(error_of("redis:///news"), AddressError::no_host);
    EXPECT_EQ(error_of("redis://a,"), AddressError::no_host);
    EXPECT_EQ(error_of("redis://a,,b"), AddressError::no_host);
    EXPECT_EQ(error_of("redis://:7000"), AddressError::no_host);
    EXPECT_EQ(error_of("redis://a b"), AddressError::bad_host);
    EXPECT_EQ(error_of("redis://[::1"), AddressError::bad_host);
    EXPECT_EQ(error_of("redis://[::1]7000"), AddressError::bad_host);
    EXPECT_EQ(error_of("redis://[a.example]"), AddressError::bad_host);
    EXPECT_EQ(error_of("redis://ann@a.example"), AddressError::user_without_password);
    EXPECT_EQ(error_of("redis://ann:@a.example"), AddressError::user_without_password);
    EXPECT_EQ(error_of("redis://a/b/c"), AddressError::bad_name);
    EXPECT_EQ(error_of("redis://a/b{c}"), AddressError::bad_name);
}

TEST(RedisAddress, HasAPortFrom1To65535) {
    EXPECT_EQ(Address::parse("redis://a:65535").value().nodes[0].port, 65'535);
    EXPECT_EQ(error_of("redis://a:65536"), AddressError::bad_port);
    EXPECT_EQ(error_of("redis://a:0"), AddressError::bad_port);
    EXPECT_EQ(error_of("redis://a:"), AddressError::bad_port);
    EXPECT_EQ(error_of("redis://a:7x"), AddressError::bad_port);
}

TEST(RedisAddress, IsBounded) {
    const std::string name(kAddressNameBytesMax, 'n');
    EXPECT_TRUE(Address::parse("redis://a/" + name));
    EXPECT_EQ(error_of("redis://a/" + name + "n"), AddressError::bad_name);

    std::string nodes = "redis://a";
    for (std::size_t i = 1; i < kAddressNodesMax; ++i) nodes += ",a";
    EXPECT_TRUE(Address::parse(nodes));
    EXPECT_EQ(error_of(nodes + ",a"), AddressError::too_many_nodes);

    std::string longest = "redis://:";
    longest += std::string(kAddressBytesMax - longest.size() - 2, 'p') + "@a";
    EXPECT_TRUE(Address::parse(longest));
    EXPECT_EQ(error_of(longest + "a"), AddressError::too_long);
}

}  // namespace

}  // namespace weft::redis

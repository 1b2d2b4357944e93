#include "redis/slots.h"

#include <gtest/gtest.h>

#include "redis/fake_redis.h"
#include "redis/reply_reader.h"

namespace weft::redis {

namespace {

const Node kAsked{"10.0.0.9", 7000};

Reply parsed(std::string_view bytes) {
    ReplyReader reader;
    std::vector<Reply> replies;
    EXPECT_TRUE(reader.read(bytes, replies));
    return replies.at(0);
}

std::string node(std::string_view host, int port) {
    return array({bulk(host), number(port), bulk("id"), array({bulk("hostname"), bulk("h")})});
}

TEST(RedisSlots, CrcIsXmodem) {
    EXPECT_EQ(crc16("123456789"), 0x31C3);  // The check value of the cluster specification.
    EXPECT_EQ(crc16(""), 0);
}

TEST(RedisSlots, OnlyTheTagOfAKeyCounts) {
    EXPECT_EQ(slot_of("foo"), 12'182);  // As CLUSTER KEYSLOT says.
    EXPECT_EQ(slot_of("{user1000}.following"), slot_of("user1000"));
    EXPECT_EQ(slot_of("foo{{bar}}zap"), slot_of("{bar"));
    EXPECT_EQ(slot_of("foo{bar}{zap}"), slot_of("bar"));
    EXPECT_NE(slot_of("foo{}{bar}"), slot_of("bar"));  // The first tag is empty: the whole key.
    EXPECT_EQ(slot_of("foo{bar"), crc16("foo{bar") % kSlotCount);
}

TEST(RedisSlots, AMapKnowsTheMasterOfEachSlot) {
    const Reply reply = parsed(
        array({array({number(0), number(8'000), node("10.0.0.1", 1), node("10.0.0.3", 3)}),
               array({number(8'001), number(16'382), node("10.0.0.2", 2), node("10.0.0.4", 4)})}));

    const auto map = SlotMap::read(reply, kAsked);

    ASSERT_TRUE(map);
    EXPECT_EQ(*map->master_of(0), (Node{"10.0.0.1", 1}));
    EXPECT_EQ(*map->master_of(8'000), (Node{"10.0.0.1", 1}));
    EXPECT_EQ(*map->master_of(8'001), (Node{"10.0.0.2", 2}));
    EXPECT_EQ(map->master_of(16'383), nullptr);
    EXPECT_FALSE(map->is_covered());
    EXPECT_EQ(map->masters().size(), 2U);
    EXPECT_EQ(map->replica_count_min(), 1U);
}

TEST(RedisSlots, ANodeThatDoesNotKnowItsAddressIsTheOneThatWasAsked) {
    for (const std::string_view host : {"$0\r\n\r\n", "$-1\r\n", "$1\r\n?\r\n"}) {
        const Reply reply = parsed(array({array(
            {number(0), number(16'383), array({std::string(host), number(7), bulk("id")})})}));
        const auto map = SlotMap::read(reply, kAsked);
        ASSERT_TRUE(map);
        EXPECT_EQ(*map->master_of(5), (Node{"10.0.0.9", 7}));
        EXPECT_TRUE(map->is_covered());
        EXPECT_EQ(map->replica_count_min(), 0U);
    }
}

TEST(RedisSlots, AReplyOfAnotherFormGivesAReason) {
    for (const std::string& bytes :
         {number(1), array({number(1)}), array({array({number(0), number(1)})}),
          array({array({number(0), number(16'384), node("a", 1)})}),
          array({array({number(-1), number(3), node("a", 1)})}),
          array({array({number(5), number(4), node("a", 1)})}),
          array({array({number(0), number(1), node("a", 65'536)})}),
          array({array({number(0), number(1), node("a", 0)})}),
          array({array({number(0), number(1), array({bulk("a")})})}),
          array({array({number(0), number(1), array({number(1), number(1)})})})}) {
        EXPECT_FALSE(SlotMap::read(parsed(bytes), kAsked)) << bytes;
    }
}

TEST(RedisSlots, MovedNamesASlotAndANode) {
    const auto moved = parse_moved("MOVED 3999 127.0.0.1:6381", kAsked);
    ASSERT_TRUE(moved);
    EXPECT_EQ(moved->slot, 3'999);
    EXPECT_EQ(moved->node, (Node{"127.0.0.1", 6381}));
    EXPECT_EQ(parse_moved("ASK 1 ::1:6381", kAsked)->node, (Node{"::1", 6381}));
    EXPECT_EQ(parse_moved("MOVED 1 :6381", kAsked)->node, (Node{"10.0.0.9", 6381}));

    for (const std::string_view text :
         {"MOVED", "MOVED 1", "MOVED 16384 a:1", "MOVED x a:1", "MOVED 1 a:65536",
          "MOVED 1 a:", "MOVED 1 a", "ERR 1 a:1", ""}) {
        EXPECT_FALSE(parse_moved(text, kAsked)) << text;
    }
}

}  // namespace

}  // namespace weft::redis

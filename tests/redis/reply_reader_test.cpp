#include "redis/reply_reader.h"

#include <gtest/gtest.h>

#include "redis/fake_redis.h"

namespace weft::redis {

namespace {

using Kind = Reply::Kind;

std::vector<Reply> read_all(std::string_view bytes) {
    ReplyReader reader;
    std::vector<Reply> replies;
    EXPECT_TRUE(reader.read(bytes, replies));
    return replies;
}

std::expected<void, ReplyError> read_with(const ReplyLimits& limits, std::string_view bytes) {
    ReplyReader reader(limits);
    std::vector<Reply> replies;
    return reader.read(bytes, replies);
}

TEST(RedisReply, IsReadInEveryForm) {
    const std::vector<Reply> replies =
        read_all(std::string("+OK\r\n:-7\r\n$3\r\na\0b\r\n", 19) +
                 "$-1\r\n*-1\r\n*0\r\n-MOVED 1 h:2\r\n*3\r\n:1\r\n*1\r\n$0\r\n\r\n+x\r\n");

    const std::vector<Reply> expected = {
        {.kind = Kind::status, .text = "OK"},
        {.kind = Kind::integer, .integer = -7},
        {.kind = Kind::text, .text = std::string("a\0b", 3)},
        {},
        {},
        {.kind = Kind::array},
        {.kind = Kind::error, .text = "MOVED 1 h:2"},
        {.kind = Kind::array,
         .elements = {{.kind = Kind::integer, .integer = 1},
                      {.kind = Kind::array, .elements = {{.kind = Kind::text}}},
                      {.kind = Kind::status, .text = "x"}}}};
    EXPECT_EQ(replies, expected);
    EXPECT_EQ(replies[6].code(), "MOVED");
    EXPECT_EQ(replies[0].code(), "");
}

TEST(RedisReply, IsTheSameInPiecesOfEverySize) {
    const std::string bytes = array({bulk("one"), array({number(2), bulk("")}), "$-1\r\n"}) +
                              "+OK\r\n" + bulk(std::string(3'000, 'x'));
    const std::vector<Reply> whole = read_all(bytes);
    for (std::size_t size = 1; size < 40; ++size) {
        ReplyReader reader;
        std::vector<Reply> replies;
        for (std::size_t at = 0; at < bytes.size(); at += size) {
            ASSERT_TRUE(reader.read(std::string_view(bytes).substr(at, size), replies));
        }
        EXPECT_EQ(replies, whole) << size;
    }
}

TEST(RedisReply, ThatIsNotRedisIsAnError) {
    for (const std::string_view bytes :
         {"HTTP/1.1 400 Bad Request\r\n", "\r\n", "$x\r\n", "*2147483648\r\n", ":\r\n", "$-2\r\n",
          "*-2\r\n", "$99999999999999999999\r\n", "\x16\x03\x01"}) {
        EXPECT_EQ(read_with({}, bytes), std::unexpected(ReplyError::not_redis)) << bytes;
    }
}

TEST(RedisReply, LengthIsBounded) {
    const std::string reply = bulk(std::string(100, 'x'));
    const ReplyLimits limits{.bytes_max = reply.size()};

    EXPECT_TRUE(read_with(limits, reply + reply + reply));
    EXPECT_EQ(read_with({.bytes_max = reply.size() - 1}, reply),
              std::unexpected(ReplyError::too_long));
    // A line without an end is held back no longer than that.
    EXPECT_EQ(read_with(limits, "+" + std::string(reply.size(), 'x')),
              std::unexpected(ReplyError::too_long));
    // So is an array whose elements never end.
    ReplyReader reader(limits);
    std::vector<Reply> replies;
    EXPECT_TRUE(reader.read("*1000\r\n", replies));
    bool has_ended = false;
    for (int i = 0; i < 1'000 && !has_ended; ++i) has_ended = !reader.read(":1\r\n", replies);
    EXPECT_TRUE(has_ended);
}

TEST(RedisReply, ElementsAreBoundedOverAllArraysTogether) {
    const std::string reply = array({array({number(1), number(2)}), array({number(3)})});

    EXPECT_TRUE(read_with({.elements_max = 5}, reply + reply));
    EXPECT_EQ(read_with({.elements_max = 4}, reply),
              std::unexpected(ReplyError::too_many_elements));
    // The announcement alone is enough, and takes no memory.
    EXPECT_EQ(read_with({}, fmt::format("*{}\r\n", kReplyElementsMax + 1)),
              std::unexpected(ReplyError::too_many_elements));
    EXPECT_TRUE(read_with({}, fmt::format("*{}\r\n", kReplyElementsMax)));
}

TEST(RedisReply, DepthIsBounded) {
    std::string reply = number(1);
    for (std::size_t i = 0; i < kReplyDepthMax; ++i) reply = array({reply});

    EXPECT_TRUE(read_with({}, reply));
    EXPECT_EQ(read_with({}, array({reply})), std::unexpected(ReplyError::too_deep));
}

}  // namespace

}  // namespace weft::redis

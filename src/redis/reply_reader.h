#pragma once

#include <expected>
#include <memory>
#include <string_view>
#include <vector>

#include "redis/limits.h"
#include "redis/reply.h"

struct redisReader;
struct redisReadTask;

namespace weft::redis {

enum class [[nodiscard]] ReplyError { not_redis, too_long, too_many_elements, too_deep };
std::string_view describe(ReplyError error);

struct ReplyLimits {
    std::size_t bytes_max = kReplyBytesMax;
    std::size_t elements_max = kReplyElementsMax;  // Of all arrays of a reply together.
    std::size_t depth_max = kReplyDepthMax;        // 1: an array of plain values.
};

// Makes replies of bytes that come in pieces, with hiredis' reader. It does no I/O. After an error
// the rest of the bytes cannot be understood: the reader must not be used again.
class ReplyReader {
public:
    explicit ReplyReader(const ReplyLimits& limits = {});
    ~ReplyReader();
    ReplyReader(const ReplyReader&) = delete;
    ReplyReader& operator=(const ReplyReader&) = delete;

    // Reads all of `bytes` and appends the replies that are complete.
    std::expected<void, ReplyError> read(std::string_view bytes, std::vector<Reply>& replies);

private:
    struct Build;  // hiredis calls it for each value.
    struct Free {
        void operator()(redisReader* reader) const;
    };

    std::expected<void, ReplyError> take_replies(std::vector<Reply>& replies);

    const ReplyLimits limits_;
    std::unique_ptr<redisReader, Free> reader_;
    // Of the reply that is not complete yet:
    std::size_t bytes_ = 0;
    std::size_t elements_ = 0;
    std::expected<void, ReplyError> trouble_;  // Which limit hiredis was stopped at.
};

}  // namespace weft::redis

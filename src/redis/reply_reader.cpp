#include "redis/reply_reader.h"

#include <algorithm>
#include <new>
#include <utility>

#include <hiredis/read.h>

namespace weft::redis {

std::string_view describe(ReplyError error) {
    switch (error) {
        case ReplyError::not_redis: return "the answer is not the protocol of Redis";
        case ReplyError::too_long: return "the reply is too long";
        case ReplyError::too_many_elements: return "the reply has too many elements";
        case ReplyError::too_deep: return "the reply has arrays in arrays, too deep";
    }
    std::unreachable();
}

// The root is allocated; every other value is built in its place, the last one of its parent. A
// parent gets room for a child when the child comes and not when its array is announced: ten bytes
// may announce a million elements. A place holds while its own children are read, because until
// then no sibling is added.
struct ReplyReader::Build {
    static Reply* add(const redisReadTask* task, Reply value) {
        if (!task->parent) return new Reply(std::move(value));
        auto* parent = static_cast<Reply*>(task->parent->obj);
        return &parent->elements.emplace_back(std::move(value));
    }

    static Reply::Kind kind_of(int type) {
        switch (type) {
            case REDIS_REPLY_STATUS: return Reply::Kind::status;
            case REDIS_REPLY_ERROR: return Reply::Kind::error;
            default: return Reply::Kind::text;
        }
    }

    static void* text(const redisReadTask* task, char* bytes, std::size_t count) {
        return add(task, {.kind = kind_of(task->type), .text = std::string(bytes, count)});
    }
    static void* integer(const redisReadTask* task, long long value) {
        return add(task, {.kind = Reply::Kind::integer, .integer = value});
    }
    static void* nil(const redisReadTask* task) { return add(task, {}); }

    // A null pointer stops hiredis.
    static void* array(const redisReadTask* task, int count) {
        auto& reader = *static_cast<ReplyReader*>(task->privdata);
        std::size_t depth = 1;
        for (const redisReadTask* above = task->parent; above; above = above->parent) ++depth;
        if (depth > reader.limits_.depth_max) {
            reader.trouble_ = std::unexpected(ReplyError::too_deep);
            return nullptr;
        }
        reader.elements_ += static_cast<std::size_t>(count);
        if (reader.elements_ > reader.limits_.elements_max) {
            reader.trouble_ = std::unexpected(ReplyError::too_many_elements);
            return nullptr;
        }
        return add(task, {.kind = Reply::Kind::array});
    }

    static void free(void* object) { delete static_cast<Reply*>(object); }

    // tidy: allow shared-state: never written; hiredis wants a pointer that is not const.
    static inline redisReplyObjectFunctions functions = {.createString = text,
                                                         .createArray = array,
                                                         .createInteger = integer,
                                                         .createNil = nil,
                                                         .freeObject = free};
};

void ReplyReader::Free::operator()(redisReader* reader) const {
    redisReaderFree(reader);
}

ReplyReader::ReplyReader(const ReplyLimits& limits)
    : limits_(limits), reader_(redisReaderCreateWithFunctions(&Build::functions)) {
    if (!reader_) throw std::bad_alloc();
    reader_->privdata = this;
}

ReplyReader::~ReplyReader() = default;

std::expected<void, ReplyError> ReplyReader::read(std::string_view bytes,
                                                  std::vector<Reply>& replies) {
    while (!bytes.empty()) {
        const std::size_t count = std::min(bytes.size(), limits_.bytes_max - bytes_);
        if (redisReaderFeed(reader_.get(), bytes.data(), count) != 0) throw std::bad_alloc();
        bytes.remove_prefix(count);
        bytes_ += count;
        const auto taken = take_replies(replies);
        if (!taken) return taken;
        if (bytes_ >= limits_.bytes_max) return std::unexpected(ReplyError::too_long);
    }
    return {};
}

std::expected<void, ReplyError> ReplyReader::take_replies(std::vector<Reply>& replies) {
    while (true) {
        void* object = nullptr;
        if (redisReaderGetReply(reader_.get(), &object) != 0) {
            if (!trouble_) return trouble_;
            return std::unexpected(ReplyError::not_redis);
        }
        if (!object) return {};
        const std::unique_ptr<Reply> reply(static_cast<Reply*>(object));
        replies.push_back(std::move(*reply));
        bytes_ = reader_->len - reader_->pos;  // What hiredis holds of the next one.
        elements_ = 0;
    }
}

}  // namespace weft::redis

#include "cluster/census.h"

#include <charconv>
#include <memory>

#include "aio/task/gather.h"
#include "redis/slots.h"

namespace weft::cluster {

using aio::Co;

namespace {

std::uint64_t number_of(const redis::Reply& reply) {
    std::uint64_t value = 0;
    if (reply.is_text()) {
        std::from_chars(reply.text.data(), reply.text.data() + reply.text.size(), value);
    }
    return value;
}

// The fields of all shards.
Co<std::vector<redis::Answer>> read_all(Sender& sender, const CrawlKeys& keys,
                                        const std::vector<std::string>& fields) {
    std::vector<Co<redis::Answer>> reads;
    for (std::uint16_t shard = 0; shard < kShardCount; ++shard) {
        reads.push_back(sender.post(read_fields(keys.shard(shard), fields)));
    }
    std::vector<redis::Answer> answers = co_await aio::gather(std::move(reads));
    for (const redis::Answer& answer : answers) {
        if (answer.reply.is_error()) throw CallError("redis: " + answer.reply.text);
        if (!answer.reply.is_array() || answer.reply.elements.size() != fields.size()) {
            throw CallError("redis: HMGET does not answer with a list");
        }
    }
    co_return answers;
}

}  // namespace

redis::Call read_fields(std::string_view key, const std::vector<std::string>& fields) {
    redis::Command command("HMGET");
    command.add(key);
    for (const std::string& field : fields) command.add(std::string_view(field));
    return {.slot = redis::slot_of(key), .command = std::move(command)};
}

Co<Totals> Census::scan(Sender& sender) {
    const std::vector<redis::Answer> answers =
        co_await read_all(sender, keys_, {"seen", "done", "over", "bytes"});
    Totals totals;
    auto counts = std::make_unique<Counts>();
    for (std::uint16_t shard = 0; shard < kShardCount; ++shard) {
        const std::vector<redis::Reply>& fields = answers[shard].reply.elements;
        (*counts)[shard] = {number_of(fields[0]), number_of(fields[1])};
        totals.seen += (*counts)[shard].first;
        totals.done += (*counts)[shard].second;
        totals.over_budget += number_of(fields[2]);
        totals.bytes += number_of(fields[3]);
    }
    is_over_ = totals.seen == totals.done && last_ && *last_ == *counts;
    last_ = *counts;
    co_return totals;
}

Co<std::optional<std::uint64_t>> pages_of(Sender& sender, CrawlKeys keys, std::string worker,
                                          bool owner_matters) {
    const std::vector<redis::Answer> answers =
        co_await read_all(sender, keys, {"own", "p:" + worker});
    std::uint64_t pages = 0;
    for (const redis::Answer& answer : answers) {
        const std::vector<redis::Reply>& fields = answer.reply.elements;
        if (owner_matters && fields[0].text.starts_with(worker + "/")) co_return std::nullopt;
        pages += number_of(fields[1]);
    }
    co_return pages;
}

}  // namespace weft::cluster

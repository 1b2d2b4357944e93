#include "cluster/crawl_record.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include "cluster/request.h"
#include "redis/slots.h"

namespace weft::cluster {

using aio::Co;

namespace {

std::string key_of_crawl(std::string_view name) {
    return fmt::format("weft:crawl:{}", name);
}

constexpr std::string_view kHead = "weft crawl\n";
constexpr std::string_view kSettingsLine = "settings\n";

}  // namespace

std::string CrawlRecord::to_text() const {
    return fmt::format("{}format {}\ncrawl {}\nseed {}\nsuffix_list {}\nbegun {}\n{}{}", kHead,
                       format, crawl, seed, suffix_list, begun, kSettingsLine, settings);
}

std::optional<CrawlRecord> CrawlRecord::parse(std::string_view text) {
    if (!text.starts_with(kHead)) return std::nullopt;
    text.remove_prefix(kHead.size());
    CrawlRecord record{.format = 0};
    while (!text.empty()) {
        if (text.starts_with(kSettingsLine)) {
            record.settings = text.substr(kSettingsLine.size());
            return record;
        }
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::string_view name = line.substr(0, line.find(' '));
        const std::string_view value = line.substr(std::min(name.size() + 1, line.size()));
        const auto read = [&](std::uint64_t& field) {
            std::from_chars(value.data(), value.data() + value.size(), field);
        };
        if (name == "format") read(record.format);
        if (name == "seed") read(record.seed);
        if (name == "crawl") record.crawl = value;
        if (name == "suffix_list") record.suffix_list = value;
        if (name == "begun") record.begun = value;
    }
    return std::nullopt;
}

Co<redis::Reply> ask(redis::Cluster& cluster, std::string key, redis::Command command,
                     bool is_write) {
    redis::Answer answer = co_await cluster.call(
        {.slot = redis::slot_of(key), .command = std::move(command), .is_write = is_write});
    if (answer.reply.is_error()) throw CallError("redis: " + answer.reply.text);
    co_return std::move(answer.reply);
}

Co<std::optional<CrawlRecord>> create_crawl(redis::Cluster& cluster, std::string name,
                                            CrawlRecord record) {
    const std::string key = key_of_crawl(name);
    const redis::Reply before =
        co_await ask(cluster, key, std::move(redis::Command("GET").add(key)));
    if (before.is_text()) co_return std::nullopt;
    redis::Command next("HINCRBY");
    next.add("weft:crawls").add("last").add(1);
    const redis::Reply number = co_await ask(cluster, "weft:crawls", std::move(next), true);
    record.crawl = fmt::format("w{}", number.integer);
    redis::Command set("SET");
    set.add(key).add(record.to_text()).add("NX");
    co_await ask(cluster, key, std::move(set), true);
    // The answer of SET does not tell if an earlier try, which was not confirmed, has written it.
    const redis::Reply now = co_await ask(cluster, key, std::move(redis::Command("GET").add(key)));
    if (now.text != record.to_text()) co_return std::nullopt;
    co_return record;
}

Co<std::optional<CrawlRecord>> find_crawl(redis::Cluster& cluster, std::string name) {
    const std::string key = key_of_crawl(name);
    const redis::Reply reply =
        co_await ask(cluster, key, std::move(redis::Command("GET").add(key)));
    if (!reply.is_text()) co_return std::nullopt;
    std::optional<CrawlRecord> record = CrawlRecord::parse(reply.text);
    if (!record) throw CallError(fmt::format("the key {} in Redis holds no crawl of weft", key));
    co_return record;
}

Co<CrawlState> state_of(redis::Cluster& cluster, CrawlKeys keys) {
    redis::Command command("HGET");
    command.add(keys.state()).add("state");
    const redis::Reply reply = co_await ask(cluster, keys.state(), std::move(command));
    if (reply.text == "over") co_return CrawlState::over;
    co_return reply.text == "stop" ? CrawlState::stopped : CrawlState::running;
}

Co<> set_state(redis::Cluster& cluster, CrawlKeys keys, CrawlState state) {
    redis::Command command("HSET");
    const char* const text = state == CrawlState::over      ? "over"
                             : state == CrawlState::stopped ? "stop"
                                                            : "run";
    command.add(keys.state()).add("state").add(std::string_view(text));
    co_await ask(cluster, keys.state(), std::move(command), true);
}

}  // namespace weft::cluster

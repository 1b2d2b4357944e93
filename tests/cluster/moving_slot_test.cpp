// Rule 3: while a slot moves, a function is done whole or refused whole.

#include <gtest/gtest.h>

#include "cluster/function_scene.h"

namespace weft::cluster {

namespace {

using aio::Co;

// A shard with hosts in every state, whose owner has them.
Co<Term> fill(FunctionScene& scene) {
    const Term term = co_await scene.claim_shard("w1/a");
    LinkBatch batch{.host_max = 500, .domain_max = 5};
    for (const char* host : {"a.test", "b.test"}) {
        batch.groups.push_back(links_of(host, 0, 80));
        batch.groups.push_back(links_of(host, 80, 3, 2));
    }
    co_await scene.call(push(scene.key, batch));
    CompletedUrl url = ended("a.test", QueuePlace{0, 0});
    url.retry_in = Milliseconds(0);
    url.retry_entry = "again";
    url.domain = "d.test";
    co_await scene.call(done(scene.key, term, 1, {url, ended("a.test", QueuePlace{0, 3})}, {}));
    co_return term;
}

std::vector<redis::Call> all_calls(const std::string& key, const Term& term) {
    const LinkBatch more{.host_max = 500,
                         .domain_max = 5,
                         .groups = {links_of("a.test", 90, 5), links_of("c.test", 0, 3, 1)}};
    CompletedUrl url = ended("a.test", QueuePlace{0, 1});
    url.domain = "d.test";
    CompletedUrl retried = ended("a.test", RetryPlace{"again"});
    return {push(key, more).call,
            done(key, term, 3, {url, retried}, more).call,
            done(key, term, 3, {url}, {}).call,
            due(key, term, {}).call,
            take(key, term, 4, {{.host = "a.test"}, {.host = "b.test"}}).call,
            rest(key, term, {{"a.test", Milliseconds(5)}}).call,
            change(key, term, {.host = "a.test", .ready_in = Milliseconds(5), .drop = true}).call,
            claim(key, "w1/b", Milliseconds(9)).call,
            renew(key, term, Milliseconds(9)).call,
            release(key, term).call};
}

redis::Arguments words_of(const redis::Call& call) {
    std::string bytes;
    call.command.append_to(bytes);
    redis::Arguments words;
    std::size_t at = bytes.find("\r\n") + 2;
    while (at < bytes.size()) {
        const std::size_t end = bytes.find("\r\n", at);
        std::size_t size = 0;
        std::from_chars(bytes.data() + at + 1, bytes.data() + end, size);
        words.push_back(bytes.substr(end + 2, size));
        at = end + 2 + size + 2;
    }
    return words;
}

// Each key in turn has moved away already. Without are_here() the functions write half of it: a
// list that is gone looks empty.
TEST(MovingSlot, NoFunctionIsDoneByHalf) {
    InLua::run([](FunctionScene& scene) -> Co<> {
        const Term term = co_await fill(scene);
        const LuaRedis::Memory whole = scene.lua->memory;
        const std::vector<std::string> names = scene.lua->key_names();
        EXPECT_GT(names.size(), 8U);
        std::size_t refused_count = 0;
        for (const redis::Call& call : all_calls(scene.key, term)) {
            const redis::Arguments words = words_of(call);
            const std::string undisturbed = scene.lua->answer(words);
            EXPECT_FALSE(undisturbed.starts_with("-")) << words[1] << undisturbed;
            const LuaRedis::Memory after = std::exchange(scene.lua->memory, whole);
            for (const std::string& name : names) {
                scene.lua->moved = {name};
                const std::string answer = scene.lua->answer(words);
                scene.lua->moved.clear();
                const bool is_refused = answer.starts_with("-MOVING") || answer.starts_with("-ASK");
                refused_count += is_refused ? 1 : 0;
                EXPECT_EQ(is_refused ? scene.lua->memory == whole : answer == undisturbed, true)
                    << words[1] << " without " << name << ": " << answer;
                if (!is_refused) EXPECT_TRUE(scene.lua->memory == after) << words[1] << name;
                scene.lua->memory = whole;
            }
        }
        EXPECT_GT(refused_count, 30U);
    });
}

}  // namespace

}  // namespace weft::cluster

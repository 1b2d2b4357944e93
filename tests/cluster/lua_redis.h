#pragma once

#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "redis/fake_redis.h"

struct lua_State;

namespace weft::cluster {

// A reply as Redis has it inside: what redis.call() gives, and what a function returns.
struct LuaValue {
    enum class Kind { nil, integer, text, status, error, array };
    Kind kind = Kind::nil;
    long long integer = 0;
    std::string text = {};
    std::vector<LuaValue> elements = {};
};

// The memory of one Redis server that runs our functions with the same Lua 5.1, on the clock of the
// running loop: the responder of a FakeRedis. It knows the commands that frontier.lua uses, as the
// documentation of Redis defines them; the tests that also run against a real server keep it
// honest.
class LuaRedis {
public:
    explicit LuaRedis(std::string_view library);
    ~LuaRedis();
    LuaRedis(const LuaRedis&) = delete;
    LuaRedis& operator=(const LuaRedis&) = delete;

    // The answer to a command of a client, as bytes.
    std::string answer(const redis::Arguments& command);

    // The keys that have moved to another node: commands that name one fail.
    std::set<std::string> moved;

    std::vector<std::string> key_names() const;

    // May be copied: a replica that was in step until now is a copy.
    struct Memory {
        std::map<std::string, std::map<std::string, std::string>> hashes;
        std::map<std::string, std::set<std::string>> sets;
        std::map<std::string, std::deque<std::string>> lists;
        std::map<std::string, std::map<std::string, double>> zsets;

        friend bool operator==(const Memory&, const Memory&) = default;
    };
    Memory memory;

    // Called by Lua.
    LuaValue call(const std::vector<std::string>& words);

private:
    LuaValue call_function(const redis::Arguments& command);

    LuaValue on_key(const std::vector<std::string>& words);
    LuaValue on_hash(const std::vector<std::string>& words);
    LuaValue on_set(const std::vector<std::string>& words);
    LuaValue on_list(const std::vector<std::string>& words);
    LuaValue on_zset(const std::vector<std::string>& words);
    LuaValue zadd(const std::vector<std::string>& words);
    LuaValue zrange_by_score(const std::vector<std::string>& words);

    struct Close {
        void operator()(lua_State* state) const;
    };
    std::unique_ptr<lua_State, Close> lua_;
};

}  // namespace weft::cluster

#include "cluster/lua_redis.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

#include <fmt/format.h>

extern "C" {
#include <lua5.1/lauxlib.h>
#include <lua5.1/lua.h>
#include <lua5.1/lualib.h>
}

#include "aio/loop/loop.h"

namespace weft::cluster {

namespace {

using Kind = LuaValue::Kind;
using Words = std::vector<std::string>;

LuaValue integer(auto value) {
    return {.kind = Kind::integer, .integer = static_cast<long long>(value)};
}
LuaValue text(std::string value) {
    return {.kind = Kind::text, .text = std::move(value)};
}
LuaValue error(std::string message) {
    return {.kind = Kind::error, .text = std::move(message)};
}

double number_of(std::string_view word) {
    if (word == "-inf") return -HUGE_VAL;
    if (word == "+inf") return HUGE_VAL;
    double value = 0;
    std::from_chars(word.data(), word.data() + word.size(), value);
    return value;
}
long long integer_of(std::string_view word) {
    return static_cast<long long>(number_of(word));
}
std::string score_text(double score) {
    return fmt::format("{:.17g}", score);
}

// As lua_tonumber, lua_tostring: what redis.call() takes and gives.
void push_value(lua_State* lua, const LuaValue& value) {
    switch (value.kind) {
        case Kind::nil: lua_pushboolean(lua, 0); return;
        case Kind::integer: lua_pushnumber(lua, static_cast<double>(value.integer)); return;
        case Kind::text: lua_pushlstring(lua, value.text.data(), value.text.size()); return;
        case Kind::status:
        case Kind::error:
            lua_newtable(lua);
            lua_pushlstring(lua, value.text.data(), value.text.size());
            lua_setfield(lua, -2, value.kind == Kind::error ? "err" : "ok");
            return;
        case Kind::array:
            lua_newtable(lua);
            for (std::size_t i = 0; i < value.elements.size(); ++i) {
                push_value(lua, value.elements[i]);
                lua_rawseti(lua, -2, static_cast<int>(i) + 1);
            }
    }
}

std::string string_at(lua_State* lua, int index) {
    std::size_t size = 0;
    const char* bytes = lua_tolstring(lua, index, &size);
    return bytes ? std::string(bytes, size) : std::string();
}

LuaValue value_at(lua_State* lua, int index);

LuaValue table_at(lua_State* lua, int index) {
    for (const char* field : {"err", "ok"}) {
        lua_getfield(lua, index, field);
        const bool is_there = lua_isstring(lua, -1) != 0;
        std::string message = string_at(lua, -1);
        lua_pop(lua, 1);
        if (!is_there) continue;
        return {.kind = field == std::string_view("err") ? Kind::error : Kind::status,
                .text = std::move(message)};
    }
    LuaValue list{.kind = Kind::array};
    for (int i = 1;; ++i) {
        lua_rawgeti(lua, index, i);
        const bool has_ended = lua_isnil(lua, -1);
        if (!has_ended) list.elements.push_back(value_at(lua, lua_gettop(lua)));
        lua_pop(lua, 1);
        if (has_ended) return list;
    }
}

LuaValue value_at(lua_State* lua, int index) {
    switch (lua_type(lua, index)) {
        case LUA_TNUMBER: return integer(lua_tonumber(lua, index));
        case LUA_TSTRING: return text(string_at(lua, index));
        case LUA_TTABLE: return table_at(lua, index);
        case LUA_TBOOLEAN: return lua_toboolean(lua, index) ? integer(1) : LuaValue{};
        default: return {};
    }
}

// Redis writes numbers that Lua gives to redis.call() with 17 digits.
std::string word_at(lua_State* lua, int index) {
    return lua_type(lua, index) == LUA_TNUMBER ? score_text(lua_tonumber(lua, index))
                                               : string_at(lua, index);
}

LuaValue call_from(lua_State* lua) {
    lua_getfield(lua, LUA_REGISTRYINDEX, "weft");
    auto* server = static_cast<LuaRedis*>(lua_touserdata(lua, -1));
    lua_pop(lua, 1);
    Words words;
    for (int i = 1; i <= lua_gettop(lua); ++i) words.push_back(word_at(lua, i));
    return server->call(words);
}

int redis_call(lua_State* lua) {
    {
        const LuaValue value = call_from(lua);
        push_value(lua, value);
        if (value.kind != Kind::error) return 1;
    }
    return lua_error(lua);  // Nothing with a destructor may live here: it jumps.
}

int redis_pcall(lua_State* lua) {
    push_value(lua, call_from(lua));
    return 1;
}

int make_error(lua_State* lua) {
    push_value(lua, error(string_at(lua, 1)));
    return 1;
}

int make_status(lua_State* lua) {
    push_value(lua, {.kind = Kind::status, .text = string_at(lua, 1)});
    return 1;
}

// register_function({function_name = ..., callback = ..., flags = ...})
int register_function(lua_State* lua) {
    lua_getfield(lua, 1, "function_name");
    lua_getfield(lua, 1, "callback");
    lua_settable(lua, LUA_REGISTRYINDEX);
    return 0;
}

void open_redis_table(lua_State* lua) {
    lua_newtable(lua);
    const std::pair<const char*, lua_CFunction> functions[] = {
        {"call", redis_call},
        {"pcall", redis_pcall},
        {"error_reply", make_error},
        {"status_reply", make_status},
        {"register_function", register_function}};
    for (const auto& [name, function] : functions) {
        lua_pushcfunction(lua, function);
        lua_setfield(lua, -2, name);
    }
    lua_setglobal(lua, "redis");
}

std::string bytes_of(const LuaValue& value) {
    switch (value.kind) {
        case Kind::nil: return "$-1\r\n";
        case Kind::integer: return redis::number(value.integer);
        case Kind::text: return redis::bulk(value.text);
        case Kind::status: return "+" + value.text + "\r\n";
        case Kind::error: return "-" + value.text + "\r\n";
        case Kind::array: break;
    }
    std::vector<std::string> elements;
    for (const LuaValue& element : value.elements) elements.push_back(bytes_of(element));
    return redis::array(elements);
}

}  // namespace

void LuaRedis::Close::operator()(lua_State* state) const {
    lua_close(state);
}

LuaRedis::LuaRedis(std::string_view library) : lua_(luaL_newstate()) {
    lua_State* lua = lua_.get();
    luaL_openlibs(lua);
    lua_pushlightuserdata(lua, this);
    lua_setfield(lua, LUA_REGISTRYINDEX, "weft");
    open_redis_table(lua);
    library.remove_prefix(library.find('\n'));  // #!lua name=weft1
    if (luaL_loadbuffer(lua, library.data(), library.size(), "weft1") != 0 ||
        lua_pcall(lua, 0, 0, 0) != 0) {
        throw std::runtime_error(string_at(lua, -1));
    }
}

LuaRedis::~LuaRedis() = default;

std::string LuaRedis::answer(const redis::Arguments& command) {
    if (command[0] == "FCALL" || command[0] == "FCALL_RO") return bytes_of(call_function(command));
    if (command[0] == "WAIT") return redis::number(2);
    if (command[0] == "HMGET" || command[0] == "HSET") return bytes_of(call(command));
    return "-ERR unknown command\r\n";
}

// FCALL name 1 key argument...
LuaValue LuaRedis::call_function(const redis::Arguments& command) {
    lua_State* lua = lua_.get();
    if (moved.contains(command[3])) return error("ASK 1 elsewhere.test:6379");
    lua_getfield(lua, LUA_REGISTRYINDEX, command[1].c_str());
    if (!lua_isfunction(lua, -1)) {
        lua_pop(lua, 1);
        return error("ERR Function not found");
    }
    LuaValue keys{.kind = Kind::array, .elements = {text(command[3])}};
    LuaValue arguments{.kind = Kind::array};
    for (std::size_t i = 4; i < command.size(); ++i) arguments.elements.push_back(text(command[i]));
    push_value(lua, keys);
    push_value(lua, arguments);
    const bool has_failed = lua_pcall(lua, 2, 1, 0) != 0;
    LuaValue result = value_at(lua, lua_gettop(lua));
    lua_pop(lua, 1);
    if (has_failed && result.kind != Kind::error) return error("ERR " + result.text);
    return result;
}

std::vector<std::string> LuaRedis::key_names() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : memory.hashes) names.push_back(name);
    for (const auto& [name, value] : memory.sets) names.push_back(name);
    for (const auto& [name, value] : memory.lists) names.push_back(name);
    for (const auto& [name, value] : memory.zsets) names.push_back(name);
    return names;
}

LuaValue LuaRedis::call(const Words& words) {
    if (words[0] == "TIME") {
        const auto now = aio::EventLoop::running().time().time_since_epoch();
        const auto us = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
        return {.kind = Kind::array,
                .elements = {text(std::to_string(1'700'000'000 + us / 1'000'000)),
                             text(std::to_string(us % 1'000'000))}};
    }
    const std::size_t key_count = words[0] == "EXISTS" ? words.size() - 1 : 1;
    for (std::size_t i = 1; i <= key_count; ++i) {
        if (moved.contains(words[i])) return error("TRYAGAIN some keys have moved");
    }
    switch (words[0][0]) {
        case 'H': return on_hash(words);
        case 'S': return on_set(words);
        case 'R':
        case 'L': return on_list(words);
        case 'Z': return on_zset(words);
        default: return on_key(words);
    }
}

LuaValue LuaRedis::on_key(const Words& words) {
    if (words[0] == "PEXPIRE") return integer(1);  // frontier.lua also looks at the times itself.
    long long found = 0;
    for (std::size_t i = 1; i < words.size(); ++i) {
        const std::string& key = words[i];
        found += memory.hashes.contains(key) || memory.sets.contains(key) ||
                 memory.lists.contains(key) || memory.zsets.contains(key);
        if (words[0] != "DEL") continue;
        memory.hashes.erase(key);
        memory.sets.erase(key);
        memory.lists.erase(key);
        memory.zsets.erase(key);
    }
    return integer(found);
}

LuaValue LuaRedis::on_hash(const Words& words) {
    const std::string& name = words[0];
    auto& hash = memory.hashes[words[1]];
    const auto field = [&hash](const std::string& key) {
        const auto found = hash.find(key);
        return found == hash.end() ? LuaValue{} : text(found->second);
    };
    LuaValue result{.kind = Kind::array};
    if (name == "HGET") {
        result = field(words[2]);
    } else if (name == "HMGET") {
        for (std::size_t i = 2; i < words.size(); ++i) result.elements.push_back(field(words[i]));
    } else if (name == "HGETALL") {
        for (const auto& [key, value] : hash) {
            result.elements.push_back(text(key));
            result.elements.push_back(text(value));
        }
    } else if (name == "HSET") {
        for (std::size_t i = 2; i + 1 < words.size(); i += 2) hash[words[i]] = words[i + 1];
        result = integer(words.size() / 2 - 1);
    } else if (name == "HINCRBY") {
        const long long sum = integer_of(hash[words[2]]) + integer_of(words[3]);
        hash[words[2]] = std::to_string(sum);
        result = integer(sum);
    } else {
        for (std::size_t i = 2; i < words.size(); ++i) hash.erase(words[i]);
        result = integer(1);
    }
    if (hash.empty()) memory.hashes.erase(words[1]);
    return result;
}

LuaValue LuaRedis::on_set(const Words& words) {
    auto& set = memory.sets[words[1]];
    LuaValue result;
    if (words[0] == "SADD") {
        long long added = 0;
        for (std::size_t i = 2; i < words.size(); ++i) added += set.insert(words[i]).second ? 1 : 0;
        result = integer(added);
    } else if (words[0] == "SISMEMBER") {
        result = integer(set.contains(words[2]));
    } else {
        result.kind = Kind::array;
        for (const std::string& member : set) result.elements.push_back(text(member));
    }
    if (set.empty()) memory.sets.erase(words[1]);
    return result;
}

LuaValue LuaRedis::on_list(const Words& words) {
    auto& list = memory.lists[words[1]];
    LuaValue result;
    if (words[0] == "RPUSH") {
        list.insert(list.end(), words.begin() + 2, words.end());
        result = integer(list.size());
    } else if (words[0] == "LPOP") {
        if (!list.empty()) {
            result = text(list.front());
            list.pop_front();
        }
    } else if (words[0] == "LSET") {
        const auto index = static_cast<std::size_t>(integer_of(words[2]));
        if (index >= list.size()) {
            result = error("ERR index out of range");
        } else {
            list[index] = words[3];
            result = {.kind = Kind::status, .text = "OK"};
        }
    } else if (words[0] == "LINDEX") {
        const auto index = static_cast<std::size_t>(integer_of(words[2]));
        if (index < list.size()) result = text(list[index]);
    } else {
        result.kind = Kind::array;
        const auto last = static_cast<std::size_t>(integer_of(words[3]));
        for (auto i = static_cast<std::size_t>(integer_of(words[2])); i <= last && i < list.size();
             ++i) {
            result.elements.push_back(text(list[i]));
        }
    }
    if (list.empty()) memory.lists.erase(words[1]);
    return result;
}

LuaValue LuaRedis::zadd(const Words& words) {
    auto& zset = memory.zsets[words[1]];
    const bool is_nx = words[2] == "NX";
    const bool is_xx = words[2] == "XX";
    for (std::size_t i = is_nx || is_xx ? 3 : 2; i + 1 < words.size(); i += 2) {
        const bool is_there = zset.contains(words[i + 1]);
        if ((is_nx && is_there) || (is_xx && !is_there)) continue;
        zset[words[i + 1]] = number_of(words[i]);
    }
    return integer(0);
}

namespace {

std::vector<std::pair<double, std::string>> in_order(const std::map<std::string, double>& zset) {
    std::vector<std::pair<double, std::string>> members;
    for (const auto& [member, score] : zset) members.emplace_back(score, member);
    std::ranges::sort(members);
    return members;
}

}  // namespace

// ZRANGEBYSCORE key min max WITHSCORES [LIMIT 0 count]
LuaValue LuaRedis::zrange_by_score(const Words& words) {
    LuaValue result{.kind = Kind::array};
    auto left = words.size() > 7 ? integer_of(words[7]) : static_cast<long long>(1) << 40;
    for (const auto& [score, member] : in_order(memory.zsets[words[1]])) {
        if (score < number_of(words[2]) || score > number_of(words[3])) continue;
        if (left-- <= 0) break;
        result.elements.push_back(text(member));
        result.elements.push_back(text(score_text(score)));
    }
    return result;
}

LuaValue LuaRedis::on_zset(const Words& words) {
    const std::string& name = words[0];
    auto& zset = memory.zsets[words[1]];
    LuaValue result{.kind = Kind::array};
    if (name == "ZADD") {
        result = zadd(words);
    } else if (name == "ZRANGEBYSCORE") {
        result = zrange_by_score(words);
    } else if (name == "ZREM") {
        result = integer(zset.erase(words[2]));
    } else if (name == "ZSCORE") {
        const auto found = zset.find(words[2]);
        result = found == zset.end() ? LuaValue{} : text(score_text(found->second));
    } else if (name == "ZCARD") {
        result = integer(zset.size());
    } else if (name == "ZREMRANGEBYSCORE") {
        result = integer(std::erase_if(
            zset, [&words](const auto& entry) { return entry.second <= number_of(words[3]); }));
    } else {  // ZRANGE key 0 last WITHSCORES
        const auto last = static_cast<std::size_t>(integer_of(words[3]));
        const auto members = in_order(zset);
        for (std::size_t i = 0; i <= last && i < members.size(); ++i) {
            result.elements.push_back(text(members[i].second));
            result.elements.push_back(text(score_text(members[i].first)));
        }
    }
    if (zset.empty()) memory.zsets.erase(words[1]);
    return result;
}

}  // namespace weft::cluster

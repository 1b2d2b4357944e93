#include "cluster/answer.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace weft::cluster::answer {

namespace {

using redis::Reply;

[[noreturn]] void throw_form(std::string_view what) {
    throw CallError(fmt::format(
        "the functions in Redis are not those of this version of weft: {} expected", what));
}

// STALE and GAP are answers; any other error is none.
std::optional<Refusal> refusal_of(const Reply& reply) {
    if (!reply.is_error()) return std::nullopt;
    if (reply.code() == "STALE") return Refusal{Refusal::Reason::stale, reply.text};
    if (reply.code() == "GAP") return Refusal{Refusal::Reason::gap, reply.text};
    throw CallError("redis: " + reply.text);
}

const std::vector<Reply>& list(const Reply& reply, std::size_t size_min = 0) {
    if (!reply.is_array() || reply.elements.size() < size_min) throw_form("a list");
    return reply.elements;
}

std::int64_t signed_number(const Reply& reply) {
    if (!reply.is_integer()) throw_form("a number");
    return reply.integer;
}

std::uint64_t number(const Reply& reply) {
    return static_cast<std::uint64_t>(std::max<std::int64_t>(signed_number(reply), 0));
}

Milliseconds length(const Reply& reply) {
    return Milliseconds(number(reply));
}

const std::string& text(const Reply& reply) {
    if (!reply.is_text()) throw_form("a text");
    return reply.text;
}

std::optional<Milliseconds> time_or_none(const Reply& reply) {
    const std::int64_t value = signed_number(reply);
    if (value < 0) return std::nullopt;
    return Milliseconds(value);
}

Verdict verdict(char letter) {
    if (letter != 'n' && letter != 'd' && letter != 'o') throw_form("n, d or o");
    return static_cast<Verdict>(letter);
}

std::vector<Verdict> verdicts(const Reply& reply) {
    std::vector<Verdict> list_of_them;
    for (const char letter : text(reply)) list_of_them.push_back(verdict(letter));
    return list_of_them;
}

// "y" ms entry, or class number entry.
WaitingUrl waiting_url(const Reply& kind, const Reply& place, const Reply& entry) {
    WaitingUrl url{.place = {}, .not_before = {}, .entry = text(entry)};
    if (kind.is_integer()) {
        url.place = QueuePlace{static_cast<std::uint8_t>(number(kind)), number(place)};
    } else if (text(kind) == "y") {
        url.place = RetryPlace{url.entry};
        url.not_before = length(place);
    } else {
        throw_form("a class or y");
    }
    return url;
}

HostEntries host_entries(const Reply& reply) {
    const std::vector<Reply>& parts = list(reply, 9);
    HostEntries host{.host = text(parts[0]),
                     .wait = length(parts[1]),
                     .admitted = number(parts[2]),
                     .done = number(parts[3]),
                     .pages = number(parts[4]),
                     .bytes = number(parts[5]),
                     .time = length(parts[6]),
                     .freed = number(parts[7]),
                     .urls = {}};
    const std::vector<Reply>& urls = list(parts[8]);
    if (urls.size() % 3 != 0) throw_form("three for each URL");
    for (std::size_t i = 0; i < urls.size(); i += 3) {
        host.urls.push_back(waiting_url(urls[i], urls[i + 1], urls[i + 2]));
    }
    return host;
}

Done done_of(const Reply& reply) {
    const std::vector<Reply>& parts = list(reply);
    if (parts.empty()) return {.was_done_before = true, .waiting = {}, .links = {}};
    Done done{.was_done_before = false, .waiting = {}, .links = verdicts(parts.back())};
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) done.waiting.push_back(number(parts[i]));
    return done;
}

}  // namespace

Result<std::vector<Verdict>> push(const redis::Answer& answer) {
    if (auto refusal = refusal_of(answer.reply)) return std::unexpected(*std::move(refusal));
    std::vector<Verdict> result = verdicts(answer.reply);
    for (const Reply& earlier : answer.unconfirmed) {
        const std::vector<Verdict> then = verdicts(earlier);
        for (std::size_t i = 0; i < std::min(result.size(), then.size()); ++i) {
            if (then[i] == Verdict::fresh) result[i] = Verdict::fresh;
        }
    }
    return result;
}

Result<Claimed> claim(const redis::Answer& answer) {
    if (auto refusal = refusal_of(answer.reply)) return std::unexpected(*std::move(refusal));
    const std::vector<Reply>& parts = list(answer.reply, 3);
    if (number(parts[0]) == 0) {
        return Claimed{.number = {}, .owner = text(parts[1]), .left = length(parts[2])};
    }
    list(answer.reply, 4);
    return Claimed{.number = number(parts[1]),
                   .seen = number(parts[2]),
                   .done = number(parts[3]),
                   .owner = {},
                   .left = {}};
}

Result<Due> due(const redis::Answer& answer) {
    if (auto refusal = refusal_of(answer.reply)) return std::unexpected(*std::move(refusal));
    const std::vector<Reply>& parts = list(answer.reply, 1);
    Due result{.next = time_or_none(parts[0]), .hosts = {}};
    for (std::size_t i = 1; i < parts.size(); ++i) result.hosts.push_back(host_entries(parts[i]));
    return result;
}

Result<std::vector<HostEntries>> take(const redis::Answer& answer) {
    if (auto refusal = refusal_of(answer.reply)) return std::unexpected(*std::move(refusal));
    std::vector<HostEntries> hosts;
    for (const Reply& part : list(answer.reply)) hosts.push_back(host_entries(part));
    return hosts;
}

Result<Done> done(const redis::Answer& answer) {
    if (auto refusal = refusal_of(answer.reply)) return std::unexpected(*std::move(refusal));
    Done result = done_of(answer.reply);
    // The try that was not confirmed did it, and nothing was lost since.
    if (result.was_done_before && !answer.unconfirmed.empty()) {
        for (const Reply& earlier : answer.unconfirmed) {
            Done then = done_of(earlier);
            if (!then.was_done_before) result = std::move(then);
        }
    }
    return result;
}

Result<Fate> fate(const redis::Answer& answer) {
    if (auto refusal = refusal_of(answer.reply)) return std::unexpected(*std::move(refusal));
    const std::vector<Reply>& parts = list(answer.reply, 2);
    return Fate{.taken = number(parts[0]), .goes_on = number(parts[1]) == 1};
}

Result<Look> look(const redis::Answer& answer) {
    if (auto refusal = refusal_of(answer.reply)) return std::unexpected(*std::move(refusal));
    const std::vector<Reply>& parts = list(answer.reply, 6);
    return Look{.is_known = number(parts[0]) == 1,
                .admitted = number(parts[1]),
                .done = number(parts[2]),
                .is_dropped = number(parts[3]) == 1,
                .wait = time_or_none(parts[4]),
                .owner = text(parts[5])};
}

Result<Grant> grant(const redis::Answer& answer) {
    if (auto refusal = refusal_of(answer.reply)) return std::unexpected(*std::move(refusal));
    const std::vector<Reply>& parts = list(answer.reply, 3);
    return Grant{
        .granted = number(parts[0]), .left = number(parts[1]), .held_by_others = number(parts[2])};
}

Result<std::vector<Heard>> beat(const redis::Answer& answer) {
    if (auto refusal = refusal_of(answer.reply)) return std::unexpected(*std::move(refusal));
    const std::vector<Reply>& parts = list(answer.reply);
    if (parts.size() % 3 != 0) throw_form("three for each worker");
    std::vector<Heard> workers;
    for (std::size_t i = 0; i < parts.size(); i += 3) {
        workers.push_back({text(parts[i]), length(parts[i + 1]), text(parts[i + 2])});
    }
    return workers;
}

Result<Ok> ok(const redis::Answer& answer) {
    if (auto refusal = refusal_of(answer.reply)) return std::unexpected(*std::move(refusal));
    if (text(answer.reply) != "OK") throw_form("OK");
    return Ok{};
}

Result<std::uint64_t> count(const redis::Answer& answer) {
    if (auto refusal = refusal_of(answer.reply)) return std::unexpected(*std::move(refusal));
    return number(answer.reply);
}

}  // namespace weft::cluster::answer

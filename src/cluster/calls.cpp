#include "cluster/calls.h"

#include <span>
#include <utility>

#include <fmt/format.h>

#include "cluster/answer.h"
#include "http/server/asset.h"
#include "redis/slots.h"

namespace weft::cluster {

std::span<const http::Asset> function_files();

std::string_view function_library() {
    return function_files().front().bytes;
}

std::vector<std::string> function_errors_to_repeat() {
    return {"MOVING"};
}

namespace {

using redis::Command;

enum class Kind {
    write,    // Counts only when replicas confirm it.
    passing,  // A write whose loss does no harm.
    read,
};

// Begins a call: further arguments are added to it.
Command function(std::string_view name, std::string_view key, Kind kind) {
    Command command(kind == Kind::read ? "FCALL_RO" : "FCALL");
    command.add(fmt::format("weft1_{}", name)).add(1).add(key);
    return command;
}

Command function(std::string_view name, std::string_view key, Kind kind, const Term& term) {
    Command command = function(name, key, kind);
    command.add(term.owner).add(term.number);
    return command;
}

void add_links(Command& command, const LinkBatch& links) {
    command.add(links.host_max).add(links.domain_max);
    for (const LinkGroup& group : links.groups) {
        command.add(group.host).add(group.domain).add(group.class_number).add(group.links.size());
        for (const Link& link : group.links) {
            // Signed, as Redis keeps a set of signed 64-bit numbers in 8 bytes each.
            command.add(static_cast<std::int64_t>(link.fingerprint)).add(link.entry);
        }
    }
}

void add_completion(Command& command, const CompletedUrl& url) {
    command.add(url.host).add(url.domain);
    if (const auto* place = std::get_if<QueuePlace>(&url.place)) {
        command.add(place->class_number).add(place->number);
    } else if (const auto* retry = std::get_if<RetryPlace>(&url.place)) {
        command.add("y").add(retry->entry);
    }
    command.add(url.retry_in ? url.retry_in->count() : -1).add(url.retry_entry);
    command.add(url.ready_in.count()).add(url.is_page ? 1 : 0).add(url.bytes);
    command.add(url.time.count()).add(url.frees_place ? 1 : 0);
}

template <class T>
Request<T> request(std::string_view key, Command command, Kind kind,
                   Result<T> (*read)(const redis::Answer&)) {
    return {.call = {.slot = redis::slot_of(key),
                     .command = std::move(command),
                     .is_write = kind == Kind::write},
            .read = read};
}

}  // namespace

Request<std::vector<Verdict>> push(std::string_view key, const LinkBatch& links) {
    Command command = function("push", key, Kind::write);
    add_links(command, links);
    return request(key, std::move(command), Kind::write, answer::push);
}

Request<Claimed> claim(std::string_view key, std::string_view owner, Milliseconds lease) {
    Command command = function("claim", key, Kind::write);
    command.add(owner).add(lease.count());
    return request(key, std::move(command), Kind::write, answer::claim);
}

Request<Ok> renew(std::string_view key, const Term& term, Milliseconds lease) {
    Command command = function("renew", key, Kind::write, term);
    command.add(lease.count());
    return request(key, std::move(command), Kind::write, answer::ok);
}

Request<Ok> release(std::string_view key, const Term& term) {
    return request(key, function("release", key, Kind::write, term), Kind::write, answer::ok);
}

Request<Due> due(std::string_view key, const Term& term, const DueOptions& options) {
    Command command = function("due", key, Kind::passing, term);
    command.add(options.within.count()).add(options.hosts_max).add(options.urls_max);
    return request(key, std::move(command), Kind::passing, answer::due);
}

Request<std::vector<HostEntries>> take(std::string_view key, const Term& term, std::size_t count,
                                       const std::vector<TakeFrom>& hosts) {
    Command command = function("take", key, Kind::read, term);
    command.add(count);
    for (const TakeFrom& host : hosts) {
        command.add(host.host);
        for (const std::uint64_t first : host.first) command.add(first);
    }
    return request(key, std::move(command), Kind::read, answer::take);
}

Request<Done> done(std::string_view key, const Term& term, std::uint64_t first,
                   const std::vector<CompletedUrl>& urls, const LinkBatch& links) {
    const bool has_links = !links.groups.empty();
    Command command = function(has_links ? "done" : "end", key, Kind::write, term);
    command.add(first).add(urls.size());
    for (const CompletedUrl& url : urls) add_completion(command, url);
    if (has_links) add_links(command, links);
    return request(key, std::move(command), Kind::write, answer::done);
}

Request<Ok> rest(std::string_view key, const Term& term, const std::vector<Resting>& hosts) {
    Command command = function("rest", key, Kind::passing, term);
    for (const Resting& host : hosts) command.add(host.host).add(host.ready_in.count());
    return request(key, std::move(command), Kind::passing, answer::ok);
}

Request<std::uint64_t> change(std::string_view key, const Term& term,
                              const HostDecision& decision) {
    Command command = function("change", key, Kind::write, term);
    command.add(decision.host).add(decision.ready_in ? decision.ready_in->count() : -1);
    command.add(decision.drop ? 1 : 0).add(decision.lent);
    return request(key, std::move(command), Kind::write, answer::count);
}

Request<Fate> fate(std::string_view key, std::uint64_t term_number) {
    Command command = function("fate", key, Kind::read);
    command.add(term_number);
    return request(key, std::move(command), Kind::read, answer::fate);
}

Request<Look> look(std::string_view key, std::string_view host, std::uint64_t fingerprint) {
    Command command = function("look", key, Kind::read);
    command.add(host).add(static_cast<std::int64_t>(fingerprint));
    return request(key, std::move(command), Kind::read, answer::look);
}

Request<Grant> grant(std::string_view key, std::string_view worker, const Wish& wish) {
    Command command = function("grant", key, Kind::write);
    command.add(worker).add(wish.max).add(wish.used).add(wish.held).add(wish.want);
    return request(key, std::move(command), Kind::write, answer::grant);
}

Request<Ok> bury(std::string_view key, std::string_view worker, std::uint64_t pages) {
    Command command = function("bury", key, Kind::write);
    command.add(worker).add(pages);
    return request(key, std::move(command), Kind::write, answer::ok);
}

Request<std::vector<Heard>> beat(std::string_view key, std::string_view worker,
                                 std::string_view text) {
    Command command = function("beat", key, Kind::passing);
    command.add(worker).add(text);
    return request(key, std::move(command), Kind::passing, answer::beat);
}

Request<Ok> leave(std::string_view key, std::string_view worker) {
    Command command = function("leave", key, Kind::passing);
    command.add(worker);
    return request(key, std::move(command), Kind::passing, answer::ok);
}

Request<std::uint64_t> meet(std::string_view key, std::string_view worker, Milliseconds lasting) {
    Command command = function("meet", key, Kind::passing);
    command.add(worker).add(lasting.count());
    return request(key, std::move(command), Kind::passing, answer::count);
}

}  // namespace weft::cluster

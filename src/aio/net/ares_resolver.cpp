#include "aio/net/ares_resolver.h"

#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include <ares.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include "aio/loop/loop.h"
#include "aio/task/errors.h"
#include "aio/task/task.h"
#include "base/escape.h"

namespace weft::aio {
namespace {

// A name server is not trusted: it may return any number of addresses and aliases.
constexpr std::size_t kAddressesPerNameMax = 16;
constexpr std::size_t kAliasesPerNameMax = 8;

// Only these mean that the name has no address. Everything else (timeouts, refusals, broken
// answers) may succeed later.
bool is_permanent(int status) {
    return status == ARES_ENOTFOUND || status == ARES_ENODATA || status == ARES_EBADNAME ||
           status == ARES_EFORMERR;
}

class AresResolver final : public Resolver, private Timer {
public:
    explicit AresResolver(const ResolverOptions& options) : loop_(EventLoop::running()) {
        static const int library = ares_library_init(ARES_LIB_INIT_ALL);
        ares_options settings{};
        settings.timeout = static_cast<int>(options.query_timeout / 1ms);
        settings.tries = 2;
        settings.sock_state_cb = [](void* self, ares_socket_t fd, int readable, int writable) {
            static_cast<AresResolver*>(self)->watch(fd, readable != 0, writable != 0);
        };
        settings.sock_state_cb_data = this;
        int status = library;
        if (status == ARES_SUCCESS) {
            status = ares_init_options(
                &channel_, &settings, ARES_OPT_SOCK_STATE_CB | ARES_OPT_TIMEOUTMS | ARES_OPT_TRIES);
        }
        if (status == ARES_SUCCESS && !options.servers.empty()) {
            status = ares_set_servers_ports_csv(channel_, options.servers.c_str());
        }
        if (status != ARES_SUCCESS) {
            if (channel_) ares_destroy(channel_);
            throw Error(fmt::format("cannot start the resolver: {}", ares_strerror(status)));
        }
    }

    ~AresResolver() override {
        // Ends the open queries, each with its callback.
        ares_destroy(channel_);
        loop_.disarm(*this);
    }

    Co<Resolution> resolve(std::string host) override {
        auto* query = new Query{create_future<Resolution>(), host};
        Future<Resolution> answer = query->answer;
        ares_addrinfo_hints hints{};
        hints.ai_family = AF_UNSPEC;
        hints.ai_socktype = SOCK_STREAM;
        // Without NOSORT c-ares opens a socket to each address only to sort them; connect_to_any()
        // has its own order.
        hints.ai_flags = ARES_AI_NOSORT;
        ares_getaddrinfo(
            channel_, host.c_str(), nullptr, &hints,
            [](void* argument, int status, int, ares_addrinfo* found) {
                const std::unique_ptr<Query> done(static_cast<Query*>(argument));
                finish(*done, status, found);
                if (found) ares_freeaddrinfo(found);
            },
            query);
        rearm();
        co_return co_await std::move(answer);
    }

private:
    struct Query {
        Future<Resolution> answer;
        std::string host;
    };

    // One of c-ares's sockets, watched by the loop.
    struct Watch final : IoHandler {
        Watch(AresResolver& the_owner, ares_socket_t the_fd) : owner(the_owner), fd(the_fd) {}
        void on_ready(Readiness readiness) noexcept override {
            ares_process_fd(owner.channel_, readiness.readable ? fd : ARES_SOCKET_BAD,
                            readiness.writable ? fd : ARES_SOCKET_BAD);
            owner.rearm();
        }
        AresResolver& owner;
        ares_socket_t fd;
    };

    static void finish(Query& query, int status, const ares_addrinfo* found) {
        if (query.answer.done()) return;  // The waiting task was cancelled.
        const std::string name = escape_for_terminal(query.host);
        if (status != ARES_SUCCESS) {
            const bool permanent = is_permanent(status);
            query.answer.set_exception(std::make_exception_ptr(ResolveError(
                permanent ? fmt::format("no address for {}: {}", name, ares_strerror(status))
                          : fmt::format("cannot resolve {}: {}", name, ares_strerror(status)),
                !permanent)));
            return;
        }
        if (alias_count(*found) > kAliasesPerNameMax) {
            query.answer.set_exception(std::make_exception_ptr(ResolveError(
                fmt::format("no address for {}: more than {} aliases", name, kAliasesPerNameMax),
                false)));
            return;
        }
        Resolution resolution = read(*found);
        if (resolution.addresses.empty()) {
            query.answer.set_exception(std::make_exception_ptr(
                ResolveError(fmt::format("no address for {}", name), false)));
        } else {
            query.answer.set_result(std::move(resolution));
        }
    }

    // Counts both families together, as each answer lists the same aliases.
    static std::size_t alias_count(const ares_addrinfo& found) {
        std::set<std::string_view> targets;
        for (const ares_addrinfo_cname* row = found.cnames; row; row = row->next) {
            if (row->name) targets.insert(row->name);
        }
        return targets.size();
    }

    static Resolution read(const ares_addrinfo& found) {
        Resolution resolution{{}, Duration::max()};
        for (const ares_addrinfo_node* node = found.nodes; node; node = node->ai_next) {
            if (resolution.addresses.size() == kAddressesPerNameMax) break;
            if (node->ai_family == AF_INET) {
                std::array<std::uint8_t, 4> bytes;
                std::memcpy(bytes.data(),
                            &reinterpret_cast<const sockaddr_in*>(node->ai_addr)->sin_addr, 4);
                resolution.addresses.push_back(IpAddress::v4(bytes));
            } else if (node->ai_family == AF_INET6) {
                std::array<std::uint8_t, 16> bytes;
                std::memcpy(bytes.data(),
                            &reinterpret_cast<const sockaddr_in6*>(node->ai_addr)->sin6_addr, 16);
                resolution.addresses.push_back(IpAddress::v6(bytes));
            } else {
                continue;
            }
            // The addresses are cached together, so the shortest lifetime counts.
            const Duration lifetime = std::chrono::seconds(std::max(0, node->ai_ttl));
            resolution.time_to_live = std::min(resolution.time_to_live, lifetime);
        }
        return resolution;
    }

    void watch(ares_socket_t fd, bool readable, bool writable) {
        const auto found = watches_.find(fd);
        if (!readable && !writable) {
            if (found == watches_.end()) return;
            loop_.unwatch(fd);
            // This may run inside the watch's own on_ready(): destroy it in the loop's next round.
            loop_.call_soon([closed = std::move(found->second)] {});
            watches_.erase(found);
            return;
        }
        const Interest interest{.read = readable, .write = writable};
        if (found != watches_.end()) {
            loop_.selector().modify(fd, interest);
            return;
        }
        auto watch = std::make_unique<Watch>(*this, fd);
        loop_.watch(fd, interest, *watch);
        watches_.emplace(fd, std::move(watch));
    }

    // c-ares has no timers of its own: it says how long the loop may wait until the next call.
    void rearm() noexcept {
        timeval wait{};
        if (!ares_timeout(channel_, nullptr, &wait)) {
            loop_.disarm(*this);
            return;
        }
        loop_.arm(*this, loop_.time() + std::chrono::seconds(wait.tv_sec) +
                             std::chrono::microseconds(wait.tv_usec));
    }

    void fire() noexcept override {
        ares_process_fd(channel_, ARES_SOCKET_BAD, ARES_SOCKET_BAD);
        rearm();
    }

    EventLoop& loop_;
    ares_channel channel_ = nullptr;
    std::map<ares_socket_t, std::unique_ptr<Watch>> watches_;
};

}  // namespace

std::unique_ptr<Resolver> make_ares_resolver(const ResolverOptions& options) {
    return std::make_unique<AresResolver>(options);
}

}  // namespace weft::aio

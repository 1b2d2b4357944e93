#include "aio/net/connect.h"

#include <cstdio>

#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>

#include "aio/loop/executor.h"
#include "aio/loop/loop.h"
#include "aio/net/network.h"
#include "aio/net/socket_address.h"
#include "aio/net/tls.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/task.h"
#include "aio/task/wait.h"
#include "base/assert.h"
#include "base/escape.h"
#include "base/units.h"

namespace weft::aio {
namespace {

Co<Stream> connect_from(std::optional<IpAddress> local, Endpoint endpoint) {
    std::unique_ptr<Transport> transport =
        co_await EventLoop::running().network().connect(endpoint, local);
    co_return Stream(std::move(transport));
}

Co<Stream> attempt(Endpoint endpoint, ConnectOptions options) {
    const Duration limit = options.attempt_timeout;
    try {
        co_return co_await wait_for(connect_from(options.local, endpoint), limit);
    } catch (const TimeoutError&) {
        throw TimeoutError(
            fmt::format("{} did not accept in {}", endpoint.to_string(), human_duration(limit)));
    }
}

// The attempts that are running. The destructor cancels them.
class Race {
public:
    Race() = default;
    Race(const Race&) = delete;
    Race& operator=(const Race&) = delete;
    ~Race() {
        for (const Task<Stream>& task : running_) {
            task.cancel();
            // Its failure does not matter any more.
            if (task.done() && !task.cancelled()) task.exception();
        }
    }

    void start(const Endpoint& endpoint, const ConnectOptions& options) {
        running_.push_back(create_task(attempt(endpoint, options), "connect"));
    }

    bool empty() const { return running_.empty(); }

    // Waits until an attempt has ended or `limit` has passed. Returns the first that succeeded; a
    // failure is stored.
    Co<std::optional<Stream>> next(std::optional<Duration> limit) {
        WaitResult<Stream> result = co_await wait(running_, ReturnWhen::first_completed, limit);
        for (const Task<Stream>& task : result.done) {
            if (!task.cancelled() && !task.exception()) co_return task.state()->take();
        }
        for (const Task<Stream>& task : result.done) failure_ = task.exception();
        running_ = std::move(result.pending);
        co_return std::nullopt;
    }

    std::exception_ptr failure() const { return failure_; }

private:
    std::vector<Task<Stream>> running_;
    std::exception_ptr failure_;
};

}  // namespace

std::vector<Endpoint> interleave_families(const std::vector<Endpoint>& endpoints) {
    std::vector<Endpoint> first;
    std::vector<Endpoint> other;
    for (const Endpoint& endpoint : endpoints) {
        const bool is_first = endpoint.address.is_v4() == endpoints.front().address.is_v4();
        (is_first ? first : other).push_back(endpoint);
    }
    std::vector<Endpoint> mixed;
    for (std::size_t i = 0; i < std::max(first.size(), other.size()); ++i) {
        if (i < first.size()) mixed.push_back(first[i]);
        if (i < other.size()) mixed.push_back(other[i]);
    }
    return mixed;
}

// The first connection ends the race; see RFC 8305, section 5.
Co<Stream> connect_to_any(std::vector<Endpoint> endpoints, ConnectOptions options) {
    WEFT_ASSERT(!endpoints.empty());
    // A single address needs no race, and no task of its own.
    if (endpoints.size() == 1) {
        co_return co_await attempt(endpoints.front(), options);
    }
    const std::vector<Endpoint> order = interleave_families(endpoints);
    Race race;
    std::size_t started = 0;
    while (started < order.size() || !race.empty()) {
        if (started < order.size()) race.start(order[started++], options);
        // After the last address there is nothing left to start: this loop waits until one attempt
        // succeeds or all have failed.
        do {
            const bool is_last = started == order.size();
            std::optional<Stream> stream =
                co_await race.next(is_last ? std::nullopt : std::optional(options.attempt_delay));
            if (stream) co_return *std::move(stream);
        } while (started == order.size() && !race.empty());
    }
    std::rethrow_exception(race.failure());
}

Co<Stream> open_connection(std::string host, std::uint16_t port, OpenOptions options) {
    std::vector<Endpoint> endpoints;
    if (const auto literal = IpAddress::parse(host)) {
        endpoints.push_back({*literal, port});
    } else {
        const Resolution found = co_await EventLoop::running().network().resolver().resolve(host);
        for (const IpAddress& address : found.addresses) endpoints.push_back({address, port});
    }
    Stream stream = co_await connect_to_any(std::move(endpoints), options.connect);
    if (options.tls) {
        TlsClientSession session{.host = host,
                                 .alpn = std::move(options.alpn),
                                 .resumption_key = fmt::format("{}:{}", host, port)};
        co_await stream.start_tls(std::move(options.tls), std::move(session));
    }
    co_return stream;
}

Co<std::vector<Endpoint>> getaddrinfo(std::string host, std::uint16_t port) {
    co_return co_await to_thread([host = std::move(host), port] {
        addrinfo hints{};
        hints.ai_socktype = SOCK_STREAM;
        addrinfo* found = nullptr;
        const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
        if (error != 0) {
            throw ResolveError(fmt::format("cannot resolve {}: {}", escape_for_terminal(host),
                                           ::gai_strerror(error)),
                               error == EAI_AGAIN);
        }
        const std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)> owned(found, ::freeaddrinfo);
        std::vector<Endpoint> endpoints;
        for (const addrinfo* row = found; row; row = row->ai_next) {
            detail::SocketAddress address(row->ai_addr, row->ai_addrlen);
            endpoints.push_back({address.endpoint().address, port});
        }
        return endpoints;
    });
}

}  // namespace weft::aio

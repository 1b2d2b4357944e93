#include "aio/net/caching_resolver.h"

#include <algorithm>
#include <list>
#include <string>
#include <unordered_map>
#include <variant>

#include "aio/loop/loop.h"
#include "aio/sync/shield.h"
#include "aio/task/errors.h"
#include "aio/task/task.h"

namespace weft::aio {
namespace {

constexpr Duration kTimeToLiveMin = 30s;
constexpr Duration kTimeToLiveMax = 24h;
constexpr Duration kNegativeTimeToLive = 30s;

class CachingResolver final : public Resolver {
public:
    CachingResolver(std::unique_ptr<Resolver> inner, std::size_t names_max)
        : inner_(std::move(inner)), names_max_(names_max) {}

    Co<Resolution> resolve(std::string host) override {
        const TimePoint now = EventLoop::running().time();
        auto found = entries_.find(host);
        if (found == entries_.end() || found->second.expires <= now) {
            if (found != entries_.end()) forget(found);
            Task<Resolution> asking = create_task(inner_->resolve(host), "resolve " + host);
            order_.push_back(host);
            CachedResolution entry{asking, TimePoint::max(), std::prev(order_.end())};
            found = entries_.emplace(host, std::move(entry)).first;
            // The query may outlive the resolver: the loop ends the task later.
            asking.add_done_callback([this, host, asking, alive = std::weak_ptr(alive_)] {
                if (!alive.expired()) note(host, asking);
            });
            if (entries_.size() > names_max_) forget(entries_.find(order_.front()));
            // A cancelled waiter must not end a query that others may wait for.
            co_return co_await shield(asking);
        }
        const Task<Resolution> answer = found->second.answer;
        co_return co_await shield(answer);
    }

    [[clang::coro_wrapper]] Co<Resolution> resolve_anew(std::string host) {
        return inner_->resolve(std::move(host));
    }

private:
    struct CachedResolution {
        Task<Resolution> answer;
        TimePoint expires;
        // Its place in the order of insertion.
        std::list<std::string>::iterator place;
    };
    using Entries = std::unordered_map<std::string, CachedResolution>;

    void forget(Entries::iterator entry) {
        order_.erase(entry->second.place);
        entries_.erase(entry);
    }

    // The answer has arrived: sets until when it is valid.
    void note(const std::string& host, const Task<Resolution>& asking) {
        const auto found = entries_.find(host);
        // The entry may have been dropped or replaced in the meantime.
        if (found == entries_.end() || found->second.answer.state() != asking.state()) return;
        const TimePoint now = EventLoop::running().time();
        if (asking.cancelled()) {
            forget(found);
        } else if (!asking.exception()) {
            const Duration lifetime = asking.result().time_to_live;
            found->second.expires = now + std::clamp(lifetime, kTimeToLiveMin, kTimeToLiveMax);
        } else {
            found->second.expires = now + kNegativeTimeToLive;
        }
    }

    std::unique_ptr<Resolver> inner_;
    std::size_t names_max_;
    Entries entries_;
    std::list<std::string> order_;
    std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
};

}  // namespace

[[clang::coro_wrapper]] Co<Resolution> resolve_anew(Resolver& resolver, std::string host) {
    if (auto* caching = dynamic_cast<CachingResolver*>(&resolver)) {
        return caching->resolve_anew(std::move(host));
    }
    return resolver.resolve(std::move(host));
}

std::unique_ptr<Resolver> make_caching_resolver(std::unique_ptr<Resolver> inner,
                                                std::size_t names_max) {
    return std::make_unique<CachingResolver>(std::move(inner), names_max);
}

}  // namespace weft::aio

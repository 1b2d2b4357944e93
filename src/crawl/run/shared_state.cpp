#include "crawl/run/shared_state.h"

#include <algorithm>

namespace weft::crawl {
namespace {

constexpr std::size_t kPerAddressDefault = 8;

}  // namespace

SharedState::SharedState(const Config& config, std::size_t crawler_count)
    : config_(config),
      hash_seed_(aio::EventLoop::running().random()()),
      addresses_(
          config.max_per_address.value_or(std::max(kPerAddressDefault, config.max_per_host))),
      content_(config),
      crawler_count_(crawler_count),
      missing_count_(crawler_count) {}

Room SharedState::room_now() const {
    if (!allowance_ && others_bytes_ == 0) return room_in(config_.crawl_budget, account_);
    Budget budget = config_.crawl_budget;
    if (allowance_) budget.page_count_max = allowance_;
    Account account = account_;
    account.bytes += others_bytes_;
    const Room room = room_in(budget, account);
    const bool may_grow = allowance_ && !is_allowance_final_;
    const bool has_bytes = !budget.bytes_max || account.bytes < *budget.bytes_max;
    return room == Room::spent && may_grow && has_bytes ? Room::taken : room;
}

Room SharedState::room() const {
    const std::lock_guard lock(mutex_);
    return room_now();
}

std::uint64_t SharedState::set_allowance(std::uint64_t page_count, bool is_final) {
    const std::lock_guard lock(mutex_);
    allowance_ = std::max(page_count, account_.page_count + account_.begun_count);
    is_allowance_final_ = is_final;
    return *allowance_;
}

std::uint64_t SharedState::begun_page_count() const {
    const std::lock_guard lock(mutex_);
    return account_.page_count + account_.begun_count;
}

void SharedState::set_others(std::size_t worker_count, std::uint64_t bytes) {
    const std::lock_guard lock(mutex_);
    worker_count_ = std::max<std::size_t>(1, worker_count);
    others_bytes_ = bytes;
}

Room SharedState::try_begin() {
    const std::lock_guard lock(mutex_);
    const Room room = room_now();
    if (room == Room::free) ++account_.begun_count;
    return room;
}

TimePoint SharedState::take_start(TimePoint now) {
    if (!config_.rate_max) return now;
    const std::lock_guard lock(mutex_);
    const auto step =
        std::chrono::duration<double>(static_cast<double>(worker_count_) / *config_.rate_max);
    // Unused starts do not add up: after a quiet time the rate holds from the first fetch on.
    const TimePoint start = std::max(now, next_start_);
    next_start_ = start + std::chrono::ceil<Duration>(step);
    return start;
}

void SharedState::end(const Cost& cost) {
    const std::lock_guard lock(mutex_);
    --account_.begun_count;
    account_.page_count += cost.is_page;
    account_.bytes += cost.bytes;
}

void SharedState::add(const Cost& cost) {
    const std::lock_guard lock(mutex_);
    account_.page_count += cost.is_page;
    account_.bytes += cost.bytes;
}

bool SharedState::has_spent_pages() const {
    const std::lock_guard lock(mutex_);
    const auto& pages = allowance_ ? allowance_ : config_.crawl_budget.page_count_max;
    return pages && account_.page_count >= *pages;
}

void SharedState::note_stop(StopReason reason) {
    const std::lock_guard lock(mutex_);
    if (stop_reason_ == StopReason::none) stop_reason_ = reason;
}

StopReason SharedState::stop_reason() const {
    const std::lock_guard lock(mutex_);
    return stop_reason_;
}

SharedState::Membership::Membership(SharedState& shared, Crawler& crawler)
    : shared_(shared), crawler_(crawler) {
    std::vector<std::function<void(Crawler&)>> missed;
    {
        const std::lock_guard lock(shared_.mutex_);
        shared_.members_.push_back({&aio::EventLoop::running(), &crawler});
        missed = shared_.lasting_;
        // Once the last crawler has joined, the news is needed no more.
        if (shared_.missing_count_ > 0 && --shared_.missing_count_ == 0) shared_.lasting_ = {};
    }
    // Without the lock, so that the news may use the SharedState.
    for (const auto& what : missed) what(crawler);
}

SharedState::Membership::~Membership() {
    const std::lock_guard lock(shared_.mutex_);
    std::erase_if(shared_.members_,
                  [this](const Member& member) { return member.crawler == &crawler_; });
}

bool SharedState::is_member(const Crawler& crawler) const {
    const std::lock_guard lock(mutex_);
    return std::ranges::find(members_, &crawler, &Member::crawler) != members_.end();
}

// The lock is held while the calls are posted to other loops: as long as a crawler is a member, its
// loop is alive. A posted call may run after its crawler has left, so it checks membership again.
void SharedState::tell(News news, const std::function<void(Crawler&)>& what) {
    std::vector<Crawler*> here;
    {
        const std::lock_guard lock(mutex_);
        if (news == News::lasting && missing_count_ > 0) lasting_.push_back(what);
        for (const Member& member : members_) {
            if (member.loop == &aio::EventLoop::running()) {
                here.push_back(member.crawler);
                continue;
            }
            member.loop->call_soon_threadsafe([this, what, crawler = member.crawler] {
                if (is_member(*crawler)) what(*crawler);
            });
        }
    }
    for (Crawler* crawler : here) what(*crawler);
}

}  // namespace weft::crawl

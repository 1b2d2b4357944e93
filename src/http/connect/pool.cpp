#include "http/connect/pool.h"

#include <utility>

#include "base/assert.h"
#include "base/hash.h"

namespace weft::http {

using aio::Co;
using aio::IpAddress;

namespace {

// Counts a task as waiting while this object exists, also if the wait is cancelled.
class Waiting {
public:
    explicit Waiting(std::size_t& count) : count_(count) { ++count_; }
    ~Waiting() {
        WEFT_ASSERT(count_ > 0);
        --count_;
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

private:
    std::size_t& count_;
};

}  // namespace

// One key. Exists while a task holds or awaits a turn, or a connection of this key is idle.
struct Pool::Host {
    explicit Host(std::size_t turns_max) : turns(turns_max) {}

    std::string key;
    aio::Semaphore turns;
    std::size_t user_count = 0;  // Tasks that hold or await a turn.
    Chain<PooledConnection, ByHost> idle;
};

// One IP address. Exists while a connection to it is open or a task waits to open one.
struct Pool::Address {
    Address(const IpAddress& the_address, std::size_t connections_max)
        : address(the_address), open(connections_max) {}

    IpAddress address;
    aio::Semaphore open;
    std::size_t user_count = 0;
    std::size_t waiting = 0;
    Chain<PooledConnection, ByAddress> idle;
};

std::size_t Pool::KeyHash::operator()(std::string_view key) const {
    return hash64(key, seed);
}

std::size_t Pool::AddressHash::operator()(const IpAddress& address) const {
    const auto& bytes = address.bytes();
    return hash64({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, seed);
}

// Strangers choose hosts and addresses. Secret seeds keep them from choosing collisions (H74).
Pool::Pool(const PoolLimits& limits)
    : limits_(limits),
      open_(limits.connections_max),
      hosts_(0, KeyHash{secret_seed()}),
      addresses_(0, AddressHash{secret_seed()}) {}

Pool::~Pool() {
    while (!idle_.empty()) close(idle_.first());
    WEFT_ASSERT(idle_count_ == 0);
}

Pool::Host& Pool::host_of(std::string_view key) {
    auto place = hosts_.find(key);
    if (place == hosts_.end()) {
        place = hosts_.emplace(key, std::make_unique<Host>(limits_.per_host_max)).first;
        place->second->key = key;
    }
    return *place->second;
}

// The Turn exists before its permit, so that the Host is counted as used, and kept, while we wait.
Co<Pool::Turn> Pool::enter(std::string key) {
    Turn turn(*this, host_of(key));
    turn.permit_ = co_await turn.host_->turns.acquire();
    co_return turn;
}

std::optional<Pool::Turn> Pool::try_enter(std::string_view key) {
    Turn turn(*this, host_of(key));
    std::optional<aio::Semaphore::Permit> permit = turn.host_->turns.try_acquire();
    if (!permit) return std::nullopt;
    turn.permit_ = *std::move(permit);
    return turn;
}

std::string_view Pool::Turn::key() const {
    return host_->key;
}

Co<Pool::Room> Pool::make_room() {
    // Closing the oldest idle connection returns its permit, which acquire() below then gets.
    if (open_.locked() && !idle_.empty()) close(idle_.first());
    Room room(*this);
    const Waiting waiting(room_waiting_);
    room.permit_ = co_await open_.acquire();
    co_return room;
}

Co<> Pool::reach(Room& room, IpAddress address) {
    if (room.address_ && room.address_->address == address) co_return;
    // Leave before the wait: a task must not hold one address while it waits for another.
    room.leave_address();
    std::unique_ptr<Address>& place = addresses_[address];
    if (!place) place = std::make_unique<Address>(address, limits_.per_address_max);
    room.address_ = place.get();
    ++room.address_->user_count;
    Address& there = *room.address_;
    if (there.open.locked() && !there.idle.empty()) close(there.idle.first());
    const Waiting waiting(there.waiting);
    room.address_permit_ = co_await there.open.acquire();
}

bool Pool::is_crowded(const IpAddress& address) const {
    const auto place = addresses_.find(address);
    if (place == addresses_.end()) return limits_.per_address_max == 0;
    return place->second->open.locked() && place->second->idle.empty();
}

std::unique_ptr<PooledConnection> Pool::take(const Turn& turn, TimePoint now) {
    while (!idle_.empty() && now - idle_.first()->idle_since_ > limits_.idle_time_max) {
        close(idle_.first());
    }
    // Dead connections on the way are closed.
    while (PooledConnection* newest = turn.host_->idle.last()) {
        withdraw(*newest);
        std::unique_ptr<PooledConnection> connection(newest);
        if (connection->is_alive()) return connection;
    }
    return nullptr;
}

bool Pool::is_wanted_elsewhere(const Turn& turn, const Room& room) const {
    const bool is_wanted_here = turn.host_->user_count > limits_.per_host_max;
    return !is_wanted_here && (room_waiting_ > 0 || (room.address_ && room.address_->waiting > 0));
}

void Pool::give(const Turn& turn, std::unique_ptr<PooledConnection> connection, TimePoint now) {
    if (!connection->is_reusable()) return;
    if (is_wanted_elsewhere(turn, connection->room_)) return;
    Host& host = *turn.host_;
    Address* address = connection->room_.address_;
    WEFT_ASSERT(!connection->host_);
    connection->idle_since_ = now;
    connection->host_ = &host;
    // From here on the chains own it; close() deletes it.
    PooledConnection* kept = connection.release();
    idle_.push(*kept);
    host.idle.push(*kept);
    if (address) address->idle.push(*kept);
    if (++idle_count_ > limits_.idle_max) close(idle_.first());
}

Pool::Host& Pool::withdraw(PooledConnection& connection) {
    WEFT_ASSERT(connection.host_ && idle_count_ > 0);
    Host& host = *std::exchange(connection.host_, nullptr);
    idle_.remove(connection);
    host.idle.remove(connection);
    if (Address* address = connection.room_.address_) address->idle.remove(connection);
    --idle_count_;
    return host;
}

void Pool::close(PooledConnection* connection) {
    Host& host = withdraw(*connection);
    delete connection;
    leave(host);
}

void Pool::leave(Host& host) noexcept {
    if (host.user_count > 0 || !host.idle.empty()) return;
    hosts_.erase(hosts_.find(std::string_view(host.key)));
}

void Pool::leave(Address& address) noexcept {
    WEFT_ASSERT(address.user_count > 0);
    if (--address.user_count == 0) addresses_.erase(addresses_.find(address.address));
}

Pool::Turn::Turn(Pool& pool, Host& host) : pool_(&pool), host_(&host) {
    ++host.user_count;
}

Pool::Turn::Turn(Turn&& other) noexcept
    : pool_(other.pool_),
      host_(std::exchange(other.host_, nullptr)),
      permit_(std::move(other.permit_)) {}

Pool::Turn& Pool::Turn::operator=(Turn&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(host_, other.host_);
    std::swap(permit_, other.permit_);
    return *this;
}

Pool::Turn::~Turn() {
    if (!host_) return;
    // The permit goes back first: leave() may destroy the Host and its semaphore.
    {
        const aio::Semaphore::Permit given_back = std::move(permit_);
    }
    WEFT_ASSERT(host_->user_count > 0);
    --host_->user_count;
    pool_->leave(*host_);
}

Pool::Room::Room(Room&& other) noexcept
    : pool_(other.pool_),
      address_(std::exchange(other.address_, nullptr)),
      permit_(std::move(other.permit_)),
      address_permit_(std::move(other.address_permit_)) {}

Pool::Room& Pool::Room::operator=(Room&& other) noexcept {
    std::swap(pool_, other.pool_);
    std::swap(address_, other.address_);
    std::swap(permit_, other.permit_);
    std::swap(address_permit_, other.address_permit_);
    return *this;
}

Pool::Room::~Room() {
    leave_address();
}

void Pool::Room::leave_address() noexcept {
    if (!address_) return;
    // The permit goes back first: leave() may destroy the Address and its semaphore.
    {
        const aio::Semaphore::Permit given_back = std::move(address_permit_);
    }
    pool_->leave(*std::exchange(address_, nullptr));
}

}  // namespace weft::http

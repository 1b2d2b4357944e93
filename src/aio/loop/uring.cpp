#include "aio/loop/uring.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>

#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "aio/task/errors.h"

namespace weft::aio::detail {
namespace {

int enter(int fd, unsigned submitted, unsigned awaited, unsigned flags, void* argument,
          std::size_t size) {
    return static_cast<int>(
        ::syscall(__NR_io_uring_enter, fd, submitted, awaited, flags, argument, size));
}

// The kernel writes and reads the ring indices at the same time, so they need acquire and release.
unsigned acquire(unsigned* shared) {
    return std::atomic_ref(*shared).load(std::memory_order_acquire);
}

void release(unsigned* shared, unsigned value) {
    std::atomic_ref(*shared).store(value, std::memory_order_release);
}

}  // namespace

Uring::Mapping::Mapping(int fd, std::size_t size, std::uint64_t offset)
    : memory_(::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, fd,
                     static_cast<off_t>(offset))),
      size_(size) {
    if (memory_ == MAP_FAILED) {
        memory_ = nullptr;
        throw_errno("cannot map an io_uring");
    }
}

Uring::Mapping& Uring::Mapping::operator=(Mapping&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(size_, other.size_);
    return *this;
}

Uring::Mapping::~Mapping() {
    if (memory_) ::munmap(memory_, size_);
}

Uring::Uring(unsigned request_count, unsigned completion_count) {
    params_.flags = IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
    params_.cq_entries = completion_count;
    fd_ = FileDescriptor(static_cast<int>(::syscall(__NR_io_uring_setup, request_count, &params_)));
    if (!fd_) throw_errno("cannot make an io_uring");
    // Needed: one mapping for both rings, no lost completions, timeouts in the call. The last
    // feature is a test for the kernel that brought repeating poll requests.
    constexpr unsigned needed =
        IORING_FEAT_SINGLE_MMAP | IORING_FEAT_NODROP | IORING_FEAT_EXT_ARG | IORING_FEAT_RSRC_TAGS;
    if ((params_.features & needed) != needed) {
        throw IoError("io_uring of an older kernel (5.13 or later is needed)",
                      std::make_error_code(std::errc::function_not_supported));
    }
    const std::size_t ring_bytes =
        std::max<std::size_t>(params_.sq_off.array + params_.sq_entries * sizeof(unsigned),
                              params_.cq_off.cqes + params_.cq_entries * sizeof(io_uring_cqe));
    rings_ = Mapping(fd_.get(), ring_bytes, IORING_OFF_SQ_RING);
    requests_ = Mapping(fd_.get(), params_.sq_entries * sizeof(io_uring_sqe), IORING_OFF_SQES);
    // Requests are always used in ring order, so the indirection array is the identity.
    auto* order = rings_.at<unsigned>(params_.sq_off.array);
    for (unsigned i = 0; i < params_.sq_entries; ++i) order[i] = i;
}

unsigned Uring::pending() const {
    return tail_ - acquire(rings_.at<unsigned>(params_.sq_off.head));
}

io_uring_sqe& Uring::request() {
    while (pending() == params_.sq_entries) {
        submit();
        // EBUSY (see submit()): fetches some completions, which next() gives later.
        for (auto more = fetch(); more; more = fetch()) fetched_.push_back(*more);
    }
    io_uring_sqe& entry = requests_.at<io_uring_sqe>(0)[tail_ & (params_.sq_entries - 1)];
    std::memset(&entry, 0, sizeof entry);
    ++tail_;
    return entry;
}

void Uring::submit() noexcept {
    release(rings_.at<unsigned>(params_.sq_off.tail), tail_);
    // EBUSY: the completion ring overflowed, and the kernel takes no more requests until some
    // completions are fetched.
    while (pending() > 0) {
        const int taken = enter(fd_.get(), pending(), 0, IORING_ENTER_GETEVENTS, nullptr, 0);
        if (taken < 0 && errno != EINTR) return;
    }
}

void Uring::wait(std::optional<Duration> timeout) {
    release(rings_.at<unsigned>(params_.sq_off.tail), tail_);
    __kernel_timespec limit{};
    io_uring_getevents_arg argument{};
    argument.sigmask_sz = _NSIG / 8;
    if (timeout) {
        limit.tv_sec = timeout->count() / 1'000'000'000;
        limit.tv_nsec = timeout->count() % 1'000'000'000;
        argument.ts = reinterpret_cast<std::uint64_t>(&limit);
    }
    const bool only_looks = timeout && *timeout == Duration::zero();
    const int taken =
        enter(fd_.get(), pending(), only_looks ? 0 : 1,
              IORING_ENTER_GETEVENTS | IORING_ENTER_EXT_ARG, &argument, sizeof argument);
    if (taken < 0 && errno != EINTR && errno != ETIME && errno != EBUSY && errno != EAGAIN) {
        throw_errno("io_uring_enter");
    }
}

std::optional<Uring::Completion> Uring::next() noexcept {
    if (fetched_.empty()) [[likely]]
        return fetch();
    const Completion completion = fetched_.front();
    fetched_.pop_front();
    return completion;
}

std::optional<Uring::Completion> Uring::fetch() noexcept {
    auto* shared_head = rings_.at<unsigned>(params_.cq_off.head);
    const unsigned head = *shared_head;  // The kernel only reads it.
    if (head == acquire(rings_.at<unsigned>(params_.cq_off.tail))) return std::nullopt;
    const io_uring_cqe& entry =
        rings_.at<io_uring_cqe>(params_.cq_off.cqes)[head & (params_.cq_entries - 1)];
    const Completion completion{entry.user_data, entry.res, (entry.flags & IORING_CQE_F_MORE) != 0};
    release(shared_head, head + 1);
    return completion;
}

}  // namespace weft::aio::detail

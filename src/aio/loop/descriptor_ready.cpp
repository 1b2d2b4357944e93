#include "aio/loop/descriptor_ready.h"

#include "aio/task/errors.h"

namespace weft::aio {

void DescriptorReady::Awaiter::line_up(EventLoop& loop) {
    loop.outside_descriptors().add(fd_, interest_, *this);
}

void DescriptorReady::Awaiter::leave_line() noexcept {
    task()->loop().outside_descriptors().remove(fd_, interest_, *this);
}

void OutsideDescriptors::add(int fd, Interest interest, LinedWaiter& waiter) {
    const auto found = watched_.find(fd);
    if (found == watched_.end()) {
        auto made = std::make_unique<Watched>(*this, fd);
        // watch() throws for a descriptor that cannot be watched; until then nothing refers to the
        // waiter.
        loop_.watch(fd, interest, *made);
        (interest.read ? made->readers : made->writers).push(waiter);
        watched_.emplace(fd, std::move(made));
        return;
    }
    Watched& watched = *found->second;
    const Interest all{.read = interest.read || !watched.readers.empty(),
                       .write = interest.write || !watched.writers.empty()};
    loop_.selector().modify(fd, all);
    (interest.read ? watched.readers : watched.writers).push(waiter);
}

void OutsideDescriptors::remove(int fd, Interest interest, LinedWaiter& waiter) noexcept {
    Watched& watched = *watched_.at(fd);
    (interest.read ? watched.readers : watched.writers).remove(waiter);
    update(watched);
}

void OutsideDescriptors::Watched::on_ready(Readiness readiness) noexcept {
    if (readiness.readable) readers.wake_all();
    if (readiness.writable) writers.wake_all();
    // May destroy this object.
    owner.update(*this);
}

void OutsideDescriptors::update(Watched& watched) noexcept {
    const Interest left{.read = !watched.readers.empty(), .write = !watched.writers.empty()};
    if (left.read || left.write) {
        try {
            loop_.selector().modify(watched.fd, left);
            return;
        } catch (const IoError&) {
            // The descriptor was closed during the wait: the waiters' next system call says so.
            watched.readers.wake_all();
            watched.writers.wake_all();
        }
    }
    loop_.unwatch(watched.fd);
    watched_.erase(watched.fd);
}

}  // namespace weft::aio

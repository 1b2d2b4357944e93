#pragma once

#include <cstddef>
#include <cstdlib>
#include <new>
#include <type_traits>
#include <utility>

#include <sys/mman.h>

#include "base/units.h"

namespace weft {

// An array that starts as zeros, for random access. A large array lies on huge pages where the
// system has them: with ten million fingerprints, most of the time of a probe was the search for
// its page (TLB misses).
//
// It owns its memory and can be moved, not copied.
template <class T>
    requires std::is_trivially_copyable_v<T>
class ZeroArray {
public:
    static constexpr std::size_t kHugePage = 2_MiB;

    // Arrays of at least this size are rounded up to whole huge pages. That wastes less than a
    // third of the size that was asked for.
    static constexpr std::size_t kLargeBytes = 3 * kHugePage;

    ZeroArray() = default;

    // Makes room for at least `size` elements; size() says how many there are.
    explicit ZeroArray(std::size_t size) : bytes_(size * sizeof(T)) {
        if (bytes_ < kLargeBytes) {
            data_ = static_cast<T*>(std::calloc(size, sizeof(T)));
            if (!data_ && size > 0) throw std::bad_alloc();
            return;
        }
        bytes_ = (bytes_ + kHugePage - 1) / kHugePage * kHugePage;
        data_ = static_cast<T*>(map_aligned(bytes_));
    }

    ZeroArray(ZeroArray&& other) noexcept
        : data_(std::exchange(other.data_, nullptr)), bytes_(std::exchange(other.bytes_, 0)) {}
    ZeroArray& operator=(ZeroArray&& other) noexcept {
        std::swap(data_, other.data_);
        std::swap(bytes_, other.bytes_);
        return *this;
    }
    ~ZeroArray() {
        if (bytes_ < kLargeBytes) {
            std::free(data_);
        } else {
            munmap(data_, bytes_);
        }
    }

    // For a caller that no longer needs the elements from `first` on. In a large array their whole
    // pages go back to the system, and these elements are zeros again; a small array does not
    // change.
    void release_from(std::size_t first) {
        constexpr std::size_t kPage = 4096;
        const std::size_t begin = (first * sizeof(T) + kPage - 1) / kPage * kPage;
        if (bytes_ < kLargeBytes || begin >= bytes_) return;
        madvise(reinterpret_cast<char*>(data_) + begin, bytes_ - begin, MADV_DONTNEED);
    }

    T& operator[](std::size_t i) { return data_[i]; }
    const T& operator[](std::size_t i) const { return data_[i]; }
    std::size_t size() const { return bytes_ / sizeof(T); }
    std::size_t memory_bytes() const { return bytes_; }

private:
    static void* map_aligned(std::size_t bytes) {
        // mmap() aligns to small pages only: map one huge page more, then cut off both ends.
        const std::size_t room = bytes + kHugePage;
        void* mapped =
            mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) throw std::bad_alloc();
        char* begin = static_cast<char*>(mapped);
        const std::size_t before = -reinterpret_cast<std::size_t>(begin) & (kHugePage - 1);
        if (before > 0) munmap(begin, before);
        munmap(begin + before + bytes, kHugePage - before);
        madvise(begin + before, bytes, MADV_HUGEPAGE);
        return begin + before;
    }

    T* data_ = nullptr;
    std::size_t bytes_ = 0;
};

}  // namespace weft

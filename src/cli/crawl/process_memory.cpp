#include "cli/crawl/process_memory.h"

#include <array>
#include <charconv>
#include <cstddef>
#include <string_view>

#include <unistd.h>

#include "aio/files/files.h"

// jemalloc's function. It is weak, as a build with sanitizers has another allocator.
extern "C" {
int mallctl(const char* name, void* old, std::size_t* old_size, void* fresh, std::size_t fresh_size)
    __attribute__((weak));

// jemalloc reads this when the process starts. Freed memory goes back to the system within a
// second, by a background thread, so that after a burst the process shrinks to what it needs. Four
// arenas, as each keeps some pages and few threads allocate much.
extern const char* malloc_conf;
const char* malloc_conf = "background_thread:true,dirty_decay_ms:1000,muzzy_decay_ms:0,narenas:4";

// How jemalloc speaks. Where memory is short it gets no thread either, asks for it again and again,
// and would say so on thousands of lines, among which our own word on the matter is lost.
extern void (*malloc_message)(void*, const char*);
void (*malloc_message)(void*, const char*) = [](void*, const char* text) {
    const std::string_view line(text);
    if (line.find("background thread creation failed") != std::string_view::npos) return;
    // tidy: allow banned-call: whatever allocates cannot be used in the allocator
    static_cast<void>(::write(STDERR_FILENO, line.data(), line.size()));
};
}

namespace weft::cli {
namespace {

// The second number of /proc/self/statm: the resident pages.
std::uint64_t resident_bytes(aio::File& statm) {
    std::array<char, 24> text{};  // The rest is not needed, and a full read needs no second one.
    const std::string_view numbers(text.data(), statm.read_at(0, text));
    const std::size_t begin = numbers.find(' ') + 1;
    std::uint64_t pages = 0;
    std::from_chars(numbers.data() + begin, numbers.data() + numbers.size(), pages);
    return pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
}

void release_free_memory() {
    constexpr const char* kPurgeAll = "arena.4096.purge";  // MALLCTL_ARENAS_ALL.
    if (mallctl) mallctl(kPurgeAll, nullptr, nullptr, nullptr, 0);
}

}  // namespace

std::shared_ptr<crawl::MemoryWatch> watch_memory(std::uint64_t bytes_max) {
    constexpr const char* kStatm = "/proc/self/statm";
    aio::SystemFiles files;
    if (!files.exists(kStatm)) return nullptr;  // The parts of the crawl have bounds of their own.
    std::shared_ptr<aio::File> statm = files.open(kStatm, aio::OpenMode::read);
    return std::make_shared<crawl::MemoryWatch>(
        bytes_max, [statm] { return resident_bytes(*statm); }, release_free_memory);
}

}  // namespace weft::cli

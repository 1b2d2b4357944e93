#include "cli/crawl/new_folder.h"

#include <system_error>

#include <fmt/format.h>

#include "aio/task/errors.h"
#include "base/escape.h"

namespace weft::cli {
namespace {

constexpr int kNamesMax = 10'000;

[[noreturn]] void fail(const std::filesystem::path& path, std::error_code error) {
    throw aio::IoError(fmt::format("cannot make the folder {} (--output names another)",
                                   escape_for_terminal(path.string())),
                       error);
}

}  // namespace

std::filesystem::path make_new_folder(const std::filesystem::path& wanted) {
    std::error_code error;
    const std::filesystem::path parent = wanted.parent_path();
    // tidy: allow banned-call: no loop runs yet
    if (!parent.empty()) std::filesystem::create_directories(parent, error);
    if (error) fail(parent, error);
    std::filesystem::path path = wanted;
    for (int number = 2; number <= kNamesMax; ++number) {
        // Atomic: of several processes that try at the same time, one makes it.
        // tidy: allow banned-call: no loop runs yet
        if (std::filesystem::create_directory(path, error)) return path;
        const bool is_taken = !error || error == std::errc::file_exists;
        if (!is_taken) fail(path, error);
        path = wanted;
        path += fmt::format("-{}", number);
    }
    fail(wanted, std::make_error_code(std::errc::file_exists));
}

}  // namespace weft::cli

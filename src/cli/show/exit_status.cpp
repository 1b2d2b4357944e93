#include "cli/show/exit_status.h"

#include <cstdio>
#include <cstdlib>
#include <new>
#include <system_error>

#include <fmt/format.h>
#include <sys/resource.h>

#include "aio/task/errors.h"
#include "archive/index/archive_error.h"
#include "base/error.h"
#include "base/hidden.h"
#include "cluster/request.h"
#include "frontier/store/store_error.h"
#include "redis/error.h"

namespace weft::cli {

namespace {

int tell(const std::exception& error, ExitStatus status) {
    fmt::print(stderr, "weft: error: {}\n", with_visible_controls(error.what()));
    return status;
}

// Redis wants a login, another one, or one that may do more.
bool is_login_error(std::string_view text) {
    return text.contains("WRONGPASS") || text.contains("NOPERM") || text.contains("NOAUTH");
}

// Says how much memory was used, what the limit is, and what to do. It uses stdio, not {fmt}, to
// avoid another allocation.
int tell_out_of_memory() {
    struct rusage usage{};
    struct rlimit limit{};
    ::getrusage(RUSAGE_SELF, &usage);
    const bool has_limit = ::getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
    std::fprintf(stderr,
                 "weft: error: out of memory: the process held %ld MiB, and the system gave "
                 "no more",
                 usage.ru_maxrss >> 10);
    if (has_limit) {
        std::fprintf(stderr, " (its address space is limited to %llu MiB)",
                     static_cast<unsigned long long>(limit.rlim_cur >> 20));
    }
    std::fputs(
        "; allow more (ulimit -v), or take less with --memory and --concurrency. What a crawl "
        "has committed is safe, and `weft resume` goes on\n",
        stderr);
    return exit_file;
}

// A thread that the system refuses: for want of room for its stack, or as there are too many.
int tell_no_thread() {
    std::fputs(
        "weft: error: the system gives no further thread; allow more memory (ulimit -v) or "
        "processes (ulimit -u), or take less with --threads 1. What a crawl has committed is "
        "safe, and `weft resume` goes on\n",
        stderr);
    return exit_file;
}

}  // namespace

bool has_address_space() {
    // With less, jemalloc cannot reserve what it needs for a new thread and crashes (seen with
    // jemalloc 5.3 at 48, 70 and 90 MiB).
    constexpr rlim_t kAddressSpaceMin = 256 << 20;
    struct rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= kAddressSpaceMin) return true;
    std::fprintf(stderr,
                 "weft: error: the address space of this process is limited to %llu MiB, and weft "
                 "needs %llu MiB: allow more memory (ulimit -v)\n",
                 static_cast<unsigned long long>(limit.rlim_cur >> 20),
                 static_cast<unsigned long long>(kAddressSpaceMin >> 20));
    return false;
}

int tell(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const aio::KeyboardInterrupt&) {
        return exit_forced;  // The command has nothing to finish first.
    } catch (const aio::ExceptionGroup& group) {
        return tell(group.exceptions().front());  // Users ask what failed, not in which task.
    } catch (const UsageError& usage) {
        return tell(usage, exit_usage);
    } catch (const frontier::StoreError& store) {
        return tell(store, exit_file);
    } catch (const redis::ServerError& refused) {
        return tell(refused, is_login_error(refused.what()) ? exit_auth : exit_file);
    } catch (const cluster::CallError& refused) {
        return tell(refused, is_login_error(refused.what()) ? exit_auth : exit_file);
    } catch (const redis::Unreachable& unreachable) {
        return tell(unreachable, exit_file);
    } catch (const redis::ConnectionLost& lost) {
        return tell(lost, exit_file);
    } catch (const aio::IoError& io) {
        return tell(io, exit_file);
    } catch (const std::bad_alloc&) {
        return tell_out_of_memory();
    } catch (const archive::ArchiveError& damaged) {
        return tell(damaged, exit_file);
    } catch (const std::system_error& error) {
        if (error.code() == std::errc::resource_unavailable_try_again) return tell_no_thread();
        // {fmt} throws it where standard output does not take a text: end_output() says so.
        return std::ferror(stdout) != 0 ? exit_done : tell(error, exit_internal);
    } catch (const std::exception& other) {
        return tell(other, exit_internal);
    }
}

void tell_where_nobody_catches() {
    static const std::terminate_handler abort_as_ever = std::get_terminate();
    std::set_terminate([] {
        try {
            if (std::current_exception()) throw;
        } catch (const std::bad_alloc&) {
            std::_Exit(tell_out_of_memory());
        } catch (...) {  // tidy: allow catch-all: for the handler before, which shows what it is
            abort_as_ever();
        }
        abort_as_ever();
    });
}

ExitStatus status_of(http::Failure failure) {
    using http::Failure;
    switch (failure) {
        case Failure::bad_request: return exit_usage;
        case Failure::proxy_auth: return exit_auth;
        case Failure::tls_certificate:
        case Failure::tls_not_tls:
        case Failure::tls_failed: return exit_tls;
        case Failure::not_http:
        case Failure::bad_response:
        case Failure::bad_encoding:
        case Failure::bad_redirect: return exit_protocol;
        default: return exit_unreachable;
    }
}

std::optional<http::Failure> failure_named(std::string_view name) {
    // no_resources is the last enumerator.
    for (int i = 0; i <= static_cast<int>(http::Failure::no_resources); ++i) {
        const auto failure = static_cast<http::Failure>(i);
        if (http::name(failure) == name) return failure;
    }
    return std::nullopt;
}

ExitStatus status_of_failure(std::string_view name) {
    const std::optional<http::Failure> failure = failure_named(name);
    return failure ? status_of(*failure) : exit_unreachable;
}

}  // namespace weft::cli

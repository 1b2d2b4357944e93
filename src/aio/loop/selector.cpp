#include "aio/loop/selector.h"

#include <cstdlib>

#include <fmt/format.h>

#include "aio/task/errors.h"
#include "base/error.h"
#include "base/escape.h"

namespace weft::aio {
namespace {

// A sandbox or an old kernel refuses io_uring often, so the message names the alternatives.
std::unique_ptr<Selector> make_uring_or_explain() {
    try {
        return make_uring_selector();
    } catch (const IoError& error) {
        throw UsageError(fmt::format(
            "the selector io_uring cannot be had here ({}); choose: epoll, poll, select",
            error.what()));
    }
}

}  // namespace

std::unique_ptr<Selector> make_selector(std::string_view name) {
    if (name == "epoll") return make_epoll_selector();
    if (name == "poll") return make_poll_selector();
    if (name == "select") return make_select_selector();
    if (name == "io_uring") return make_uring_or_explain();
    throw UsageError(fmt::format("there is no selector '{}'; choose: epoll, io_uring, poll, select",
                                 escape_for_terminal(name)));
}

std::unique_ptr<Selector> make_default_selector() {
    const char* forced = std::getenv("WEFT_SELECTOR");
    if (!forced || !*forced) return make_epoll_selector();
    try {
        return make_selector(forced);
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("WEFT_SELECTOR: {}", error.what()));
    }
}

}  // namespace weft::aio

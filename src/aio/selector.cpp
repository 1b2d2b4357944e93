#include "aio/selector.h"

#include <cstdlib>

#include <fmt/format.h>

#include "base/error.h"

namespace weft::aio {

std::unique_ptr<Selector> make_default_selector() {
    const char* forced = std::getenv("WEFT_SELECTOR");
    if (!forced || std::string_view(forced) == "epoll") return make_epoll_selector();
    throw UsageError(
        fmt::format("WEFT_SELECTOR={}: there is no such selector; choose: epoll", forced));
}

}  // namespace weft::aio

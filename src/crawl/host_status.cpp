#include "crawl/host_status.h"

#include <utility>

namespace weft::crawl {

std::string_view describe(HostWait wait) {
    switch (wait) {
        case HostWait::none: return "ready";
        case HostWait::pause: return "polite pause";
        case HostWait::crawl_delay: return "robots.txt asks for a delay";
        case HostWait::retry_after: return "it asked to come later";
        case HostWait::overload: return "it is overloaded";
        case HostWait::unreachable: return "it cannot be reached";
        case HostWait::robots: return "its robots.txt cannot be had";
    }
    std::unreachable();
}

}  // namespace weft::crawl

#include "crawl/visit/outcome.h"

#include <utility>

namespace weft::crawl {

std::string_view name(Ending ending) {
    switch (ending) {
        case Ending::fetched: return "fetched";
        case Ending::redirect: return "redirect";
        case Ending::denied: return "denied";
        case Ending::skipped: return "skipped";
        case Ending::failed: return "failed";
    }
    std::unreachable();
}

}  // namespace weft::crawl

// .netrc: any bytes give entries, and a machine that is named first is found.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "http/access/netrc.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft::http;
    const auto entries = parse_netrc({reinterpret_cast<const char*>(data), size});
    WEFT_ASSERT(entries.size() <= kNetrcEntriesMax);
    if (!entries.empty() && entries.front().machine) {
        WEFT_ASSERT(find_machine(entries, *entries.front().machine) == &entries.front());
    }
    return 0;
}

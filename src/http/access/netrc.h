#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::http {

// One machine of a .netrc file, as ftp, curl and wget read it.
struct NetrcEntry {
    std::optional<std::string> machine;  // None: `default`, for every machine not named before.
    std::string login;
    std::string password;
};

// All machines, in order. Words are separated by white space, may be in quotes with \ escapes, and
// `#` starts a comment where a word would; macros (`macdef`, up to an empty line) are passed over;
// unknown words too. Cannot fail: what makes no sense gives no entry. At most kNetrcEntriesMax.
inline constexpr std::size_t kNetrcEntriesMax = 10'000;
std::vector<NetrcEntry> parse_netrc(std::string_view text);

// The first entry for a host: of its name, or a default.
const NetrcEntry* find_machine(const std::vector<NetrcEntry>& entries, std::string_view host);

}  // namespace weft::http

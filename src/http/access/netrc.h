#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::http {

// One machine of a .netrc file, as ftp, curl and wget read it.
struct NetrcEntry {
    std::optional<std::string> machine;  // Not set: `default`, for every host not named before.
    std::string login;
    std::string password;
};

// All entries, in their order. Words are separated by white space and may be in quotes, with \ for
// escapes; a `#` at the start of a word begins a comment. Macros (`macdef`, up to an empty line)
// and unknown words are ignored. Cannot fail: text that makes no sense gives no entry. At most
// kNetrcEntriesMax entries.
inline constexpr std::size_t kNetrcEntriesMax = 10'000;
std::vector<NetrcEntry> parse_netrc(std::string_view text);

// The first entry that applies to a host: one with its name, or a default. Null if there is none.
const NetrcEntry* find_machine(const std::vector<NetrcEntry>& entries, std::string_view host);

}  // namespace weft::http

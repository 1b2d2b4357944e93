#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "frontier/frontier.h"

namespace weft::cluster {

enum class [[nodiscard]] EntryError { broken, too_long };
std::string_view describe(EntryError error);

// The classes of frontier.lua: 32 priorities each.
inline constexpr std::uint8_t kPrioritiesPerClass = 32;
std::uint8_t class_of(std::uint8_t priority);

// A queued URL as it lies in Redis, under the name of its host:
//
//   depth, trail, attempt   varints
//   way                     a byte: how URL and referrer are written
//   URL                     behind http://<host> or https://<host>; another URL in full
//   NUL, referrer           likewise, if the URL has one
//
// Memory is what a large crawl runs out of first, so the host is not written again.
std::string encode_entry(const frontier::Candidate& candidate, std::uint32_t attempt);

// Gives the visit without its id. The priority is that of the class: the exact one is not kept. The
// bytes come from outside: an entry that is cut, or longer than URLs may be, is an error.
std::expected<frontier::Visit, EntryError> decode_entry(std::string_view entry,
                                                        std::string_view host,
                                                        std::uint8_t class_number);

}  // namespace weft::cluster

#pragma once

#include <cstddef>

#include "base/clock.h"
#include "base/units.h"

// The bounds on what a Redis server may send and on how long it may take. Tests check each value at
// the bound and one past it.
namespace weft::redis {

// One reply. The longest that weft asks for is CLUSTER SLOTS of a cluster whose slots are scattered
// one by one: 16,384 ranges of some 20 elements.
inline constexpr std::size_t kReplyBytesMax = 32_MiB;
inline constexpr std::size_t kReplyElementsMax = 1'000'000;
inline constexpr std::size_t kReplyDepthMax = 6;  // arrays in arrays; hiredis itself allows 7

// An address that a user wrote.
inline constexpr std::size_t kAddressBytesMax = 8_KiB;
inline constexpr std::size_t kAddressNodesMax = 64;
inline constexpr std::size_t kAddressNameBytesMax = 64;

// A server that is silent for this long while it owes a reply is given up.
inline constexpr Duration kSilenceMax = 2s;

// Name, connection, TLS and login together.
inline constexpr Duration kOpenTimeout = 2s;

}  // namespace weft::redis

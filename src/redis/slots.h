#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redis/node.h"
#include "redis/reply.h"

namespace weft::redis {

// Redis Cluster divides all keys into this many slots.
inline constexpr std::uint16_t kSlotCount = 16'384;

// CRC-16/XMODEM, by which a cluster finds the slot of a key.
std::uint16_t crc16(std::string_view bytes);

// The slot of a key. If the key has a part in braces that is not empty, only that part counts, so
// that keys with the same part share a slot.
std::uint16_t slot_of(std::string_view key);

// Which master has which slots. A slot that no master has is not covered.
class SlotMap {
public:
    // One server has all slots: it is no cluster.
    static SlotMap of_one(Node node);

    // Reads the reply of CLUSTER SLOTS. `asked` is the node that answered: a node that does not
    // know its own address leaves it out. Gives a reason if the reply is not one of CLUSTER SLOTS.
    static std::expected<SlotMap, std::string> read(const Reply& reply, const Node& asked);

    // The master of the slot. REQUIRES: slot < kSlotCount.
    const Node* master_of(std::uint16_t slot) const;

    const std::vector<Node>& masters() const { return masters_; }

    bool is_covered() const;

    // The number of replicas that each master has at least.
    std::size_t replica_count_min() const;

private:
    static constexpr std::uint16_t kNone = UINT16_MAX;

    SlotMap() { index_of_.fill(kNone); }
    std::uint16_t index_of_master(const Node& node);
    std::expected<void, std::string> read_range(const Reply& range, const Node& asked);

    std::vector<Node> masters_;
    std::vector<std::size_t> replica_counts_;  // Of each master.
    std::array<std::uint16_t, kSlotCount> index_of_;
};

// The node that "MOVED 3999 127.0.0.1:6381" or ASK names. An empty host means the host that
// answered.
struct Moved {
    std::uint16_t slot = 0;
    Node node;
};
std::optional<Moved> parse_moved(std::string_view error, const Node& asked);

}  // namespace weft::redis

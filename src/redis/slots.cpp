#include "redis/slots.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace weft::redis {

namespace {

constexpr std::array<std::uint16_t, 256> make_crc_table() {
    std::array<std::uint16_t, 256> table{};
    for (unsigned byte = 0; byte < 256; ++byte) {
        unsigned crc = byte << 8;
        for (int bit = 0; bit < 8; ++bit) {
            crc = (crc & 0x8000) ? (crc << 1) ^ 0x1021 : crc << 1;
        }
        table[byte] = static_cast<std::uint16_t>(crc);
    }
    return table;
}

constexpr std::array<std::uint16_t, 256> kCrcTable = make_crc_table();

}  // namespace

std::uint16_t crc16(std::string_view bytes) {
    unsigned crc = 0;
    for (const char c : bytes) {
        const unsigned index = ((crc >> 8) ^ static_cast<unsigned char>(c)) & 0xFF;
        crc = ((crc << 8) ^ kCrcTable[index]) & 0xFFFF;
    }
    return static_cast<std::uint16_t>(crc);
}

std::uint16_t slot_of(std::string_view key) {
    const std::size_t open = key.find('{');
    if (open != key.npos) {
        const std::size_t close = key.find('}', open + 1);
        if (close != key.npos && close > open + 1) key = key.substr(open + 1, close - open - 1);
    }
    return crc16(key) % kSlotCount;
}

SlotMap SlotMap::of_one(Node node) {
    SlotMap map;
    map.masters_.push_back(std::move(node));
    map.replica_counts_.push_back(0);
    map.index_of_.fill(0);
    return map;
}

std::expected<SlotMap, std::string> SlotMap::read(const Reply& reply, const Node& asked) {
    if (!reply.is_array()) return std::unexpected("CLUSTER SLOTS gave no list");
    SlotMap map;
    for (const Reply& range : reply.elements) {
        const auto read = map.read_range(range, asked);
        if (!read) return std::unexpected(read.error());
    }
    return map;
}

namespace {

bool is_slot(const Reply& reply) {
    return reply.is_integer() && reply.integer >= 0 && reply.integer < kSlotCount;
}

// [host, port, id, ...]. Redis gives "" or nothing for a host it does not know, and "?" for a name
// that is not set.
std::optional<Node> read_node(const Reply& reply, const Node& asked) {
    if (!reply.is_array() || reply.elements.size() < 2) return std::nullopt;
    const Reply& host = reply.elements[0];
    const Reply& port = reply.elements[1];
    if (!host.is_text() && !host.is_nil()) return std::nullopt;
    if (!port.is_integer() || port.integer < 1 || port.integer > 65'535) return std::nullopt;
    const bool is_unknown = host.text.empty() || host.text == "?";
    return Node{.host = is_unknown ? asked.host : host.text,
                .port = static_cast<std::uint16_t>(port.integer)};
}

}  // namespace

std::expected<void, std::string> SlotMap::read_range(const Reply& range, const Node& asked) {
    const std::vector<Reply>& parts = range.elements;
    if (!range.is_array() || parts.size() < 3 || !is_slot(parts[0]) || !is_slot(parts[1]) ||
        parts[0].integer > parts[1].integer) {
        return std::unexpected("CLUSTER SLOTS has a range that is none");
    }
    const auto master = read_node(parts[2], asked);
    if (!master) return std::unexpected("CLUSTER SLOTS has a node without address");
    const std::uint16_t index = index_of_master(*master);
    replica_counts_[index] = parts.size() - 3;
    std::fill(index_of_.begin() + parts[0].integer, index_of_.begin() + parts[1].integer + 1,
              index);
    return {};
}

std::uint16_t SlotMap::index_of_master(const Node& node) {
    const auto found = std::ranges::find(masters_, node);
    const auto index = static_cast<std::uint16_t>(found - masters_.begin());
    if (found == masters_.end()) {
        masters_.push_back(node);
        replica_counts_.push_back(0);
    }
    return index;
}

const Node* SlotMap::master_of(std::uint16_t slot) const {
    const std::uint16_t index = index_of_[slot];
    return index == kNone ? nullptr : &masters_[index];
}

bool SlotMap::is_covered() const {
    return std::ranges::find(index_of_, kNone) == index_of_.end();
}

std::size_t SlotMap::replica_count_min() const {
    return replica_counts_.empty() ? 0 : std::ranges::min(replica_counts_);
}

std::optional<Moved> parse_moved(std::string_view error, const Node& asked) {
    if (!error.starts_with("MOVED ") && !error.starts_with("ASK ")) return std::nullopt;
    error.remove_prefix(error.find(' ') + 1);
    const std::size_t space = error.find(' ');
    const std::size_t colon = error.rfind(':');  // An IPv6 address has more of them.
    if (space == error.npos || colon == error.npos || colon < space) return std::nullopt;
    unsigned slot = 0;
    unsigned port = 0;
    const char* end = error.data() + error.size();
    const auto slot_end = std::from_chars(error.data(), error.data() + space, slot);
    const auto port_end = std::from_chars(error.data() + colon + 1, end, port);
    if (slot_end.ec != std::errc() || slot_end.ptr != error.data() + space) return std::nullopt;
    if (port_end.ec != std::errc() || port_end.ptr != end) return std::nullopt;
    if (slot >= kSlotCount || port == 0 || port > 65'535) return std::nullopt;
    std::string host(error.substr(space + 1, colon - space - 1));
    if (host.empty() || host == "?") host = asked.host;
    return Moved{static_cast<std::uint16_t>(slot),
                 Node{std::move(host), static_cast<std::uint16_t>(port)}};
}

}  // namespace weft::redis

#include "http/connect/special_address.h"

#include <array>
#include <cstdint>
#include <vector>

#include "http/connect/address_range.h"

namespace weft::http {

using aio::IpAddress;

namespace {

// The first match counts, so a narrow range stands before the wide range around it.
constexpr SpecialRange kSpecialRanges[] = {
    {"0.0.0.0/8", "unspecified"},
    {"10.0.0.0/8", "private"},
    {"100.64.0.0/10", "shared"},
    {"127.0.0.0/8", "loopback"},
    {"169.254.0.0/16", "link-local"},
    {"172.16.0.0/12", "private"},
    {"192.0.0.0/24", "reserved"},
    {"192.0.2.0/24", "documentation"},
    {"192.88.99.0/24", "reserved"},
    {"192.168.0.0/16", "private"},
    {"198.18.0.0/15", "benchmarking"},
    {"198.51.100.0/24", "documentation"},
    {"203.0.113.0/24", "documentation"},
    {"224.0.0.0/4", "multicast"},
    {"240.0.0.0/4", "reserved"},
    {"::/128", "unspecified"},
    {"::1/128", "loopback"},
    // Each network decides for itself where the IPv4 address is in these (RFC 8215), so that we
    // cannot judge it: all are denied.
    {"64:ff9b:1::/48", "translated"},
    {"100::/64", "discard"},
    {"100:0:0:1::/64", "dummy"},
    {"2001:2::/48", "benchmarking"},
    {"2001:10::/28", "overlay"},  // ORCHID.
    {"2001:20::/28", "overlay"},  // ORCHIDv2.
    {"2001::/23", "reserved"},
    {"2001:db8::/32", "documentation"},
    {"3fff::/20", "documentation"},
    {"5f00::/16", "segment routing"},
    {"fc00::/7", "private"},
    {"fe80::/10", "link-local"},
    {"fec0::/10", "private"},
    {"ff00::/8", "multicast"},
    // Everything outside 2000::/3, which is the only part that IANA assigns.
    {"::/3", "unassigned"},
    {"4000::/2", "unassigned"},
    {"8000::/1", "unassigned"},
};

struct ParsedRange {
    AddressRange network;
    const SpecialRange* range;
};

const std::vector<ParsedRange>& parsed_ranges() {
    static const std::vector<ParsedRange> all = [] {
        std::vector<ParsedRange> parsed;
        for (const SpecialRange& range : kSpecialRanges) {
            parsed.push_back({*AddressRange::parse(range.network), &range});
        }
        return parsed;
    }();
    return all;
}

// A range of IPv6 whose addresses carry an IPv4 address, and at which byte. Teredo stores it with
// all bits inverted (RFC 4380, 4).
struct Carrier {
    AddressRange range;
    std::size_t offset;
    bool is_inverted;
};

const std::vector<Carrier>& carriers() {
    static const std::vector<Carrier> all{
        {*AddressRange::parse("::ffff:0:0/96"), 12, false},    // Mapped.
        {*AddressRange::parse("::ffff:0:0:0/96"), 12, false},  // Translated (SIIT).
        {*AddressRange::parse("64:ff9b::/96"), 12, false},     // NAT64.
        {*AddressRange::parse("2002::/16"), 2, false},         // 6to4.
        {*AddressRange::parse("2001::/32"), 12, true},         // Teredo.
    };
    return all;
}

const std::size_t kTeredoServerOffset = 4;

IpAddress v4_at(const IpAddress& address, std::size_t offset, bool is_inverted) {
    std::array<std::uint8_t, 4> bytes;
    for (std::size_t i = 0; i < 4; ++i) {
        const std::uint8_t byte = address.bytes()[offset + i];
        bytes[i] = is_inverted ? static_cast<std::uint8_t>(~byte) : byte;
    }
    return IpAddress::v4(bytes);
}

const SpecialRange* range_of(const IpAddress& address) {
    for (const ParsedRange& each : parsed_ranges()) {
        if (each.network.contains(address)) return each.range;
    }
    return nullptr;
}

}  // namespace

std::span<const SpecialRange> special_ranges() {
    return kSpecialRanges;
}

std::optional<IpAddress> carried_v4(const IpAddress& address) {
    if (address.is_v4()) return std::nullopt;
    for (const Carrier& carrier : carriers()) {
        if (carrier.range.contains(address)) {
            return v4_at(address, carrier.offset, carrier.is_inverted);
        }
    }
    return std::nullopt;
}

const SpecialRange* special_range(const IpAddress& address) {
    const std::optional<IpAddress> carried = carried_v4(address);
    if (!carried) return range_of(address);
    const SpecialRange* range = range_of(*carried);
    const bool is_teredo = address.bytes()[0] == 0x20 && address.bytes()[1] == 0x01;
    // A Teredo address carries two IPv4 addresses: the client's NAT, and the server that is asked
    // for the way to it. Both must be public.
    if (!range && is_teredo) range = range_of(v4_at(address, kTeredoServerOffset, false));
    return range;
}

}  // namespace weft::http

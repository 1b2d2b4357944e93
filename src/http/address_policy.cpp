#include "http/address_policy.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

namespace weft::http {

using aio::IpAddress;

std::optional<Network> Network::parse(std::string_view text) {
    const std::size_t slash = text.find('/');
    const std::optional<IpAddress> address = IpAddress::parse(text.substr(0, slash));
    if (!address) return std::nullopt;
    const unsigned bits_max = address->is_v4() ? 32 : 128;
    unsigned bits = bits_max;
    if (slash != std::string_view::npos) {
        const std::string_view digits = text.substr(slash + 1);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), bits);
        const bool is_whole = end == digits.data() + digits.size() && !digits.empty();
        if (error != std::errc() || !is_whole || bits > bits_max) return std::nullopt;
    }
    return Network{*address, bits};
}

bool Network::contains(const IpAddress& candidate) const {
    if (candidate.is_v4() != address.is_v4()) return false;
    const auto& a = address.bytes();
    const auto& b = candidate.bytes();
    const std::size_t whole = prefix_bits / 8;
    if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(whole), b.begin())) {
        return false;
    }
    const unsigned rest = prefix_bits % 8;
    if (rest == 0) return true;
    const auto mask = static_cast<std::uint8_t>(0xFF << (8 - rest));
    return (a[whole] & mask) == (b[whole] & mask);
}

std::string Network::to_string() const {
    return fmt::format("{}/{}", address.to_string(), prefix_bits);
}

namespace {

struct DeniedRange {
    std::string_view network;
    std::string_view name;
};

constexpr DeniedRange kDeniedRanges[] = {
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
    {"100::/64", "discard"},
    {"2001:db8::/32", "documentation"},
    {"3fff::/20", "documentation"},
    {"fc00::/7", "private"},
    {"fe80::/10", "link-local"},
    {"fec0::/10", "private"},
    {"ff00::/8", "multicast"},
};

struct NamedNetwork {
    Network network;
    std::string_view name;
};

const std::vector<NamedNetwork>& denied_networks() {
    static const std::vector<NamedNetwork> networks = [] {
        std::vector<NamedNetwork> parsed;
        for (const DeniedRange& range : kDeniedRanges) {
            parsed.push_back({*Network::parse(range.network), range.name});
        }
        return parsed;
    }();
    return networks;
}

IpAddress v4_at(const IpAddress& address, std::size_t offset, bool inverted = false) {
    std::array<std::uint8_t, 4> bytes;
    for (std::size_t i = 0; i < 4; ++i) {
        const std::uint8_t byte = address.bytes()[offset + i];
        bytes[i] = inverted ? static_cast<std::uint8_t>(~byte) : byte;
    }
    return IpAddress::v4(bytes);
}

// Where an IPv6 address of this range carries an IPv4 address.
struct Embedding {
    Network range;
    std::size_t offset;
    bool inverted;
};

const std::vector<Embedding>& embeddings() {
    static const std::vector<Embedding> all{
        {*Network::parse("::ffff:0:0/96"), 12, false},    // Mapped.
        {*Network::parse("::ffff:0:0:0/96"), 12, false},  // Translated (SIIT).
        {*Network::parse("::/96"), 12, false},            // Compatible, of old.
        {*Network::parse("64:ff9b::/96"), 12, false},     // NAT64,
        {*Network::parse("64:ff9b:1::/48"), 12, false},   // also local.
        {*Network::parse("2002::/16"), 2, false},         // 6to4.
        {*Network::parse("2001::/32"), 12, true},         // Teredo.
    };
    return all;
}

// The IPv4 address that an IPv6 address carries, if it does; `::` and `::1` are their own.
std::optional<IpAddress> embedded_v4(const IpAddress& address) {
    if (address.is_v4()) return std::nullopt;
    const auto& bytes = address.bytes();
    const bool is_short =
        std::all_of(bytes.begin(), bytes.end() - 1, [](auto b) { return b == 0; });
    if (is_short && bytes.back() <= 1) return std::nullopt;
    for (const Embedding& embedding : embeddings()) {
        if (embedding.range.contains(address)) {
            return v4_at(address, embedding.offset, embedding.inverted);
        }
    }
    return std::nullopt;
}

bool is_unspecified(const IpAddress& address) {
    return std::ranges::all_of(address.bytes(), [](auto byte) { return byte == 0; });
}

std::optional<std::string_view> denied_range(const IpAddress& address) {
    for (const NamedNetwork& denied : denied_networks()) {
        if (denied.network.contains(address)) return denied.name;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::string_view> AddressPolicy::denies(const aio::Endpoint& endpoint) const {
    const IpAddress judged = embedded_v4(endpoint.address).value_or(endpoint.address);
    const std::optional<std::string_view> range = denied_range(judged);
    const bool is_own = std::ranges::any_of(own_, [&](const aio::Endpoint& own) {
        if (own.port != endpoint.port) return false;
        if (is_unspecified(own.address)) return range.has_value();
        return own.address == judged || own.address == endpoint.address ||
               (is_unspecified(judged) && denied_range(own.address) == "loopback");
    });
    if (is_own) return "weft's own listener";
    const auto covers = [&](const Network& network) { return network.contains(judged); };
    if (std::ranges::any_of(allowed_, covers)) return std::nullopt;
    return range;
}

}  // namespace weft::http

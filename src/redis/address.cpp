#include "redis/address.h"

#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "aio/net/endpoint.h"
#include "base/bytes.h"
#include "redis/limits.h"
#include "web/url/percent.h"

namespace weft::redis {

std::string Node::to_string() const {
    return host.contains(':') ? fmt::format("[{}]:{}", host, port)
                              : fmt::format("{}:{}", host, port);
}

std::string_view describe(AddressError error) {
    switch (error) {
        case AddressError::too_long: return "it is longer than 8 KiB";
        case AddressError::unknown_scheme:
            return "it must begin with redis:// or, for TLS, with rediss://";
        case AddressError::no_host: return "a host is missing; write redis://host:port/name";
        case AddressError::bad_host: return "a host is neither a name nor an IP address";
        case AddressError::bad_port: return "a port is not in 1-65535";
        case AddressError::too_many_nodes:
            return "it names more than 64 nodes; some are enough, the cluster tells the others";
        case AddressError::user_without_password:
            return "the password is missing; write redis://user:password@host, or "
                   "redis://:password@host for the default user";
        case AddressError::bad_name:
            return "the name after the slash may have at most 64 letters, digits, '-', '_' and '.'";
    }
    std::unreachable();
}

namespace {

// Splits at the first separator; all of the text is the head if there is none.
std::string_view take_until(std::string_view& text, char separator) {
    const std::size_t end = std::min(text.find(separator), text.size());
    const std::string_view head = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    return head;
}

bool is_host_name(std::string_view text) {
    if (text.empty() || text.size() > 253) return false;
    for (const char c : text) {
        if (!is_alnum(c) && c != '-' && c != '.' && c != '_') return false;
    }
    return true;
}

std::optional<std::uint16_t> parse_port(std::string_view text) {
    unsigned port = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
    if (port == 0 || port > 65'535) return std::nullopt;
    return static_cast<std::uint16_t>(port);
}

// "host", "host:port", "[::1]:port".
std::expected<Node, AddressError> parse_node(std::string_view text) {
    Node node;
    std::string_view port;
    bool has_port = false;
    if (text.starts_with('[')) {
        const std::size_t end = text.find(']');
        if (end == text.npos) return std::unexpected(AddressError::bad_host);
        node.host = text.substr(1, end - 1);
        const auto address = aio::IpAddress::parse(node.host);
        if (!address || !address->is_v6()) return std::unexpected(AddressError::bad_host);
        text.remove_prefix(end + 1);
        has_port = text.starts_with(':');
        if (!has_port && !text.empty()) return std::unexpected(AddressError::bad_host);
        if (has_port) port = text.substr(1);
    } else {
        const std::size_t colon = text.find(':');
        has_port = colon != text.npos;
        node.host = text.substr(0, colon);
        if (has_port) port = text.substr(colon + 1);
        if (node.host.empty()) return std::unexpected(AddressError::no_host);
        if (!is_host_name(node.host)) return std::unexpected(AddressError::bad_host);
    }
    if (!has_port) return node;
    const auto number = parse_port(port);
    if (!number) return std::unexpected(AddressError::bad_port);
    node.port = *number;
    return node;
}

bool is_crawl_name(std::string_view name) {
    if (name.size() > kAddressNameBytesMax) return false;
    for (const char c : name) {
        if (!is_alnum(c) && c != '-' && c != '_' && c != '.') return false;
    }
    return true;
}

std::expected<void, AddressError> read_user(std::string_view text, Address& address) {
    const std::size_t colon = text.find(':');
    if (colon == text.npos || colon + 1 == text.size()) {
        return std::unexpected(AddressError::user_without_password);
    }
    address.user = web::percent_decode(text.substr(0, colon));
    address.password = web::percent_decode(text.substr(colon + 1));
    return {};
}

}  // namespace

std::expected<Address, AddressError> Address::parse(std::string_view text) {
    text = trim(text);
    if (text.size() > kAddressBytesMax) return std::unexpected(AddressError::too_long);
    Address address;
    address.has_tls = starts_with_ignore_case(text, "rediss://");
    if (!address.has_tls && !starts_with_ignore_case(text, "redis://")) {
        return std::unexpected(AddressError::unknown_scheme);
    }
    text.remove_prefix(address.has_tls ? 9 : 8);
    std::string_view authority = take_until(text, '/');
    if (text.ends_with('/')) text.remove_suffix(1);
    if (!is_crawl_name(text)) return std::unexpected(AddressError::bad_name);
    address.name = text;
    // The user ends at the last @: a password may contain an @ that is not escaped.
    if (const std::size_t at = authority.rfind('@'); at != authority.npos) {
        const auto user = read_user(authority.substr(0, at), address);
        if (!user) return std::unexpected(user.error());
        authority.remove_prefix(at + 1);
    }
    if (authority.empty() || authority.ends_with(',')) {
        return std::unexpected(AddressError::no_host);
    }
    while (!authority.empty()) {
        if (address.nodes.size() == kAddressNodesMax) {
            return std::unexpected(AddressError::too_many_nodes);
        }
        auto node = parse_node(take_until(authority, ','));
        if (!node) return std::unexpected(node.error());
        address.nodes.push_back(*std::move(node));
    }
    return address;
}

std::string Address::to_string() const {
    std::string text = has_tls ? "rediss://" : "redis://";
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (i > 0) text += ',';
        text += nodes[i].to_string();
    }
    if (!name.empty()) text += '/' + name;
    return text;
}

}  // namespace weft::redis

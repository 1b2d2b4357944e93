#include "http/connect/socks.h"

#include <fmt/format.h>

#include "base/escape.h"
#include "http/connect/tunnel.h"

namespace weft::http {

using aio::Co;

namespace {

// The numbers of RFC 1928, sections 3 to 5.
constexpr char kVersion = 5;
constexpr char kNoLogin = 0;
constexpr char kUserAndPassword = 2;
constexpr char kNoneWillDo = '\xFF';
constexpr char kConnect = 1;
constexpr char kIpv4 = 1;
constexpr char kName = 3;
constexpr char kIpv6 = 4;
// Lengths are one byte.
constexpr std::size_t kTextBytesMax = 255;

void append_text(std::string& out, std::string_view text) {
    out += static_cast<char>(text.size());
    out += text;
}

Co<> log_in(aio::Stream& stream, const Proxy& proxy) {
    // The number of methods, then the methods. The password is offered only if there is one.
    std::string greeting{kVersion, 1, kNoLogin};
    if (proxy.has_credentials()) greeting = {kVersion, 2, kNoLogin, kUserAndPassword};
    co_await stream.write(greeting);
    const std::string choice = co_await stream.readexactly(2);
    if (choice[0] != kVersion) throw ProxyRefusal("it does not speak SOCKS 5");
    if (choice[1] == kNoLogin) co_return;
    const bool can_log_in = choice[1] == kUserAndPassword && proxy.has_credentials();
    if (!can_log_in) {
        if (choice[1] == kNoneWillDo || choice[1] == kUserAndPassword) {
            throw ProxyRefusal("it wants a user and a password", true);
        }
        throw ProxyRefusal("it wants a way to log in that we do not know");
    }
    if (proxy.user.size() > kTextBytesMax || proxy.password.size() > kTextBytesMax) {
        throw ProxyRefusal("user or password is longer than SOCKS allows", true);
    }
    // RFC 1929 has a version number of its own: 1.
    std::string login{1};
    append_text(login, proxy.user);
    append_text(login, proxy.password);
    co_await stream.write(login);
    const std::string verdict = co_await stream.readexactly(2);
    if (verdict[1] != 0) throw ProxyRefusal("it does not know this user and password", true);
}

// The reply contains the address that the proxy connected from. We do not need it, but it has to be
// read off the stream, exactly: what follows may already come from the target (H133).
Co<> read_bound_address(aio::Stream& stream, char kind) {
    std::size_t address_bytes = 0;
    if (kind == kIpv4) {
        address_bytes = 4;
    } else if (kind == kIpv6) {
        address_bytes = 16;
    } else if (kind == kName) {
        const std::string length = co_await stream.readexactly(1);
        address_bytes = static_cast<unsigned char>(length[0]);
    } else {
        throw ProxyRefusal("its reply makes no sense");
    }
    // And the port.
    co_await stream.readexactly(address_bytes + 2);
}

}  // namespace

std::string_view describe_socks_reply(std::uint8_t code) {
    switch (code) {
        case 0: return "";
        case 1: return "it failed";
        case 2: return "its rules forbid it";
        case 3: return "the network is unreachable";
        case 4: return "the host is unreachable";
        case 5: return "connect refused";
        case 6: return "it took too long";
        case 7: return "it does not know the command";
        case 8: return "it does not know the kind of address";
        default: return "it failed for an unknown reason";
    }
}

std::optional<std::string> socks_request(const SocksTarget& target) {
    std::string out{kVersion, kConnect, 0};
    if (target.address) {
        const std::size_t size = target.address->is_v4() ? 4 : 16;
        out += target.address->is_v4() ? kIpv4 : kIpv6;
        out.append(reinterpret_cast<const char*>(target.address->bytes().data()), size);
    } else {
        if (target.host.empty() || target.host.size() > kTextBytesMax) return std::nullopt;
        out += kName;
        append_text(out, target.host);
    }
    out += static_cast<char>(target.port >> 8);
    out += static_cast<char>(target.port & 0xFF);
    return out;
}

Co<> socks_connect(aio::Stream& stream, const Proxy& proxy, SocksTarget target) {
    co_await log_in(stream, proxy);
    const std::optional<std::string> request = socks_request(target);
    if (!request) throw ProxyRefusal("the host's name is longer than SOCKS allows");
    co_await stream.write(*request);
    const std::string reply = co_await stream.readexactly(4);
    if (reply[0] != kVersion) throw ProxyRefusal("it does not speak SOCKS 5");
    const auto code = static_cast<std::uint8_t>(reply[1]);
    if (code != 0) throw ProxyRefusal(std::string(describe_socks_reply(code)));
    co_await read_bound_address(stream, reply[3]);
}

}  // namespace weft::http

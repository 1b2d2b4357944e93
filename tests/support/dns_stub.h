#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "aio/net/datagram.h"
#include "aio/net/network.h"
#include "aio/task/co.h"

namespace weft::tests {

// What a name server says of a name.
struct DnsAnswer {
    std::vector<aio::IpAddress> addresses = {};  // Those of the family asked for are given.
    std::vector<std::string> aliases = {};       // CNAMEs, each to the next; before the addresses.
    std::uint32_t time_to_live = 60;
    int code = 0;           // 2: SERVFAIL, 3: NXDOMAIN, 5: REFUSED.
    bool dropped = false;   // No answer at all.
    bool tcp_only = false;  // Over UDP only the truncation bit.
    std::string raw = {};   // After the id, instead of all that.
    bool forged = false;    // Over UDP another answer, with a wrong id and address, comes before.
};

// A name server on loopback, UDP and TCP, that says what it was told. On the running loop.
class DnsStub {
public:
    DnsStub();

    DnsAnswer& operator[](const std::string& name) { return answers_[name]; }

    // For ResolverOptions.
    std::string servers() const { return udp_.local().to_string(); }

    // Questions of any kind for the name, over both.
    std::size_t question_count(const std::string& name) const;
    std::size_t tcp_count() const { return tcp_count_; }

    // Until cancelled.
    aio::Co<> serve();

private:
    aio::Co<> serve_datagrams();
    aio::Co<> serve_streams();
    aio::Co<> talk(std::unique_ptr<aio::Transport> transport);
    std::string answer_to(const std::string& question, bool by_udp);

    std::unique_ptr<aio::Listener> tcp_;
    aio::DatagramSocket udp_;
    std::map<std::string, DnsAnswer> answers_;
    std::map<std::string, std::size_t> counts_;
    std::size_t tcp_count_ = 0;
};

}  // namespace weft::tests

#include "support/dns_stub.h"

#include "aio/loop/loop.h"
#include "aio/net/stream.h"
#include "aio/task/errors.h"
#include "aio/task/task_group.h"

namespace weft::tests {
namespace {

using aio::Co;

constexpr std::size_t kHeaderBytes = 12;
constexpr std::uint16_t kAddress = 1;
constexpr std::uint16_t kAlias = 5;
constexpr std::uint16_t kAddress6 = 28;

void put16(std::string& out, std::size_t value) {
    out += static_cast<char>(value >> 8 & 0xff);
    out += static_cast<char>(value & 0xff);
}

std::uint16_t get16(const std::string& in, std::size_t at) {
    return static_cast<std::uint16_t>(static_cast<unsigned char>(in[at]) << 8 |
                                      static_cast<unsigned char>(in[at + 1]));
}

std::string wire_name(const std::string& name) {
    std::string wire;
    for (std::size_t at = 0; at < name.size();) {
        const std::size_t dot = std::min(name.find('.', at), name.size());
        wire += static_cast<char>(dot - at);
        wire += name.substr(at, dot - at);
        at = dot + 1;
    }
    return wire + '\0';
}

struct Question {
    std::string name;
    std::uint16_t type = 0;
    std::size_t end = kHeaderBytes;
};

Question read_question(const std::string& bytes) {
    Question question;
    while (bytes.at(question.end) != 0) {
        const auto length = static_cast<std::size_t>(bytes[question.end]);
        if (!question.name.empty()) question.name += '.';
        question.name += bytes.substr(question.end + 1, length);
        question.end += length + 1;
    }
    question.type = get16(bytes, question.end + 1);
    question.end += 5;
    return question;
}

void put_record(std::string& out, const std::string& name, std::uint16_t type, std::uint32_t ttl,
                const std::string& data) {
    out += wire_name(name);
    put16(out, type);
    put16(out, 1);
    put16(out, ttl >> 16);
    put16(out, ttl & 0xffff);
    put16(out, data.size());
    out += data;
}

}  // namespace

DnsStub::DnsStub()
    : tcp_(aio::EventLoop::running().network().listen({aio::IpAddress::loopback(), 0})),
      udp_(tcp_->local()) {}

std::size_t DnsStub::question_count(const std::string& name) const {
    const auto found = counts_.find(name);
    return found == counts_.end() ? 0 : found->second;
}

std::string DnsStub::answer_to(const std::string& bytes, bool by_udp) {
    const Question question = read_question(bytes);
    ++counts_[question.name];
    const auto found = answers_.find(question.name);
    const DnsAnswer answer = found == answers_.end() ? DnsAnswer{.code = 3} : found->second;
    if (answer.dropped) return {};
    if (!answer.raw.empty()) return bytes.substr(0, 2) + answer.raw;

    std::string records;
    std::size_t record_count = 0;
    std::string owner = question.name;
    for (const std::string& alias : answer.aliases) {
        put_record(records, owner, kAlias, answer.time_to_live, wire_name(alias));
        owner = alias;
        ++record_count;
    }
    for (const aio::IpAddress& address : answer.addresses) {
        if (question.type != (address.is_v4() ? kAddress : kAddress6)) continue;
        const std::string data(reinterpret_cast<const char*>(address.bytes().data()),
                               address.is_v4() ? 4 : 16);
        put_record(records, owner, question.type, answer.time_to_live, data);
        ++record_count;
    }
    const bool cut = by_udp && answer.tcp_only;
    std::string out = bytes.substr(0, 2);
    put16(out, 0x8180u | static_cast<unsigned>(answer.code) | (cut ? 0x0200u : 0u));
    put16(out, 1);
    put16(out, cut ? 0 : record_count);
    put16(out, 0);
    put16(out, 0);
    out += bytes.substr(kHeaderBytes, question.end - kHeaderBytes);
    return cut ? out : out + records;
}

Co<> DnsStub::serve() {
    co_await aio::task_group([this](aio::TaskGroup& group) -> Co<> {
        group.create_task(serve_datagrams());
        group.create_task(serve_streams());
        co_return;
    });
}

Co<> DnsStub::serve_datagrams() {
    for (;;) {
        const aio::DatagramSocket::Datagram datagram = co_await udp_.receive_from();
        const std::string answer = answer_to(datagram.bytes, true);
        if (answer.empty()) continue;
        if (answers_[read_question(datagram.bytes).name].forged) {
            std::string forged = answer;
            forged.front() = static_cast<char>(forged.front() ^ 1);
            forged.back() = static_cast<char>(forged.back() ^ 1);
            co_await udp_.send_to(forged, datagram.peer);
        }
        co_await udp_.send_to(answer, datagram.peer);
    }
}

Co<> DnsStub::serve_streams() {
    for (;;) {
        std::unique_ptr<aio::Transport> transport = co_await tcp_->accept();
        co_await talk(std::move(transport));
    }
}

Co<> DnsStub::talk(std::unique_ptr<aio::Transport> transport) {
    aio::Stream stream(std::move(transport));
    try {
        for (;;) {
            const std::string size = co_await stream.readexactly(2);
            const std::string question = co_await stream.readexactly(get16(size, 0));
            ++tcp_count_;
            const std::string answer = answer_to(question, false);
            std::string framed;
            put16(framed, answer.size());
            co_await stream.write(framed + answer);
        }
    } catch (const Error&) {
        // The client has what it wanted.
    }
}

}  // namespace weft::tests

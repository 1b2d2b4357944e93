// H11 to H16: name servers that fail, lie or talk nonsense, asked through c-ares on loopback.
#include <gtest/gtest.h>

#include "hostile/loopback.h"

namespace weft::hostile {
namespace {

using namespace std::string_literals;
using tests::DnsAnswer;

const aio::IpAddress kHere = aio::IpAddress::loopback();
const Script kHelloPage{read_request(), send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")};

LoopbackEnding ask(const DnsAnswer& answer, std::size_t fetch_count = 1) {
    return run_on_loopback(
        {.scripts = {kHelloPage},
         .names = {{"evil.test", answer}},
         .fetches = std::vector<Fetch>(fetch_count, Fetch{.url = "http://evil.test:0/"})});
}

}  // namespace

TEST(Hostile, H11AMissingNameIsFinalAndRemembered) {
    for (const DnsAnswer& answer : {DnsAnswer{.code = 3}, DnsAnswer{}}) {
        const LoopbackEnding asked = ask(answer, 3);

        for (const Ending& ending : asked.endings) expect_failure(ending, "no_such_host");
        EXPECT_EQ(asked.question_counts.at("evil.test"), 2u);  // One a family.
        EXPECT_EQ(asked.connection_count, 0u);
    }
}

TEST(Hostile, H12AFailingNameServerIsTemporary) {
    expect_failure(ask({.code = 2}).endings[0], "dns_failed");
    expect_failure(ask({.code = 5}).endings[0], "dns_failed");
    const LoopbackEnding dropped = ask({.dropped = true});
    expect_failure(dropped.endings[0], "dns_failed");
    EXPECT_LE(dropped.question_counts.at("evil.test"), 4u);
    EXPECT_TRUE(http::is_transient(http::Failure::dns_failed));
}

TEST(Hostile, H12ASlowNameServerEndsByItsLimitAndHoldsUpNobody) {
    for (const bool is_mute : {false, true}) {
        Arena arena;
        arena.network().name("evil.test").delay(30s);
        if (is_mute) arena.network().name("evil.test").fails(aio::NameFault::no_answer);

        const Ending ending = arena.fetch();

        expect_failure(ending, "dns_timeout", {.deadline = http::FetchLimits{}.dns_timeout});
        EXPECT_EQ(ending.canary_count, kCanaryPageCount);
    }
}

TEST(Hostile, H13AliasesAreFollowedEightTimes) {
    const auto chain = [](int length) {
        DnsAnswer answer{.addresses = {kHere}, .tcp_only = true};
        for (int i = 0; i < length; ++i) answer.aliases.push_back(fmt::format("a{}.test", i));
        return ask(answer).endings[0];
    };
    expect_answer(chain(8), 200);
    expect_failure(chain(9), "no_such_host");
    expect_failure(chain(100), "no_such_host");

    const LoopbackEnding loop =
        ask({.aliases = {"other.test", "evil.test", "other.test", "evil.test"}});
    EXPECT_FALSE(loop.endings[0].failure.empty());
    EXPECT_LE(loop.endings[0].took, 2s);
}

TEST(Hostile, H14GarbageFromANameServerIsAFailure) {
    const std::string flags = "\x81\x80"s;
    for (const std::string& raw : {
             flags,
             flags + "\xff\xff\xff\xff\xff\xff\xff\xff"s,
             // A name that points at itself, in the question and in the answer.
             flags + "\0\1\0\1\0\0\0\0\xc0\x0c\0\1\0\1\xc0\x0c\0\1\0\1\0\0\0\1\0\4\1\2\3\4"s,
             // An address of 65,535 bytes.
             flags + "\0\1\0\1\0\0\0\0\4evil\4test\0\0\1\0\1\xc0\x0c\0\1\0\1\0\0\0\1\xff\xff\1"s,
             std::string(500, '\xff'),
             std::string(60'000, 'x'),
         }) {
        const Ending ending = ask({.raw = raw}).endings[0];
        expect_failure(ending, ending.failure);
        EXPECT_TRUE(ending.failure == "dns_failed" || ending.failure == "no_such_host");
    }
}

TEST(Hostile, H14AForgedAnswerIsDroppedAndATruncatedOneAskedForAgain) {
    expect_answer(ask({.addresses = {kHere}, .forged = true}).endings[0], 200);
    expect_answer(ask({.addresses = {kHere}, .tcp_only = true}).endings[0], 200);
}

TEST(Hostile, H15AnAliasWithMarkupReachesNoMessage) {
    for (const std::string& alias :
         {"<script>alert(1)</script>.test"s, "a\nb.test"s, "a\0b.test"s, "\x1b[2J.test"s}) {
        for (const bool has_address : {false, true}) {
            DnsAnswer answer{.aliases = {alias}};
            if (has_address) answer.addresses = {kHere};
            const Ending ending = ask(answer).endings[0];
            EXPECT_EQ(ending.what.find_first_of("<\n\x1b\0"s), std::string::npos) << ending.what;
        }
    }
}

TEST(Hostile, H16AThousandAddressesAreKeptToAFew) {
    DnsAnswer many{.tcp_only = true};
    for (unsigned i = 0; i < 1'000; ++i) {
        many.addresses.push_back(aio::IpAddress::v4(
            {127, 0, static_cast<std::uint8_t>(i >> 8), static_cast<std::uint8_t>(i & 255)}));
    }
    // Nothing listens on most of them.
    const Ending ending = ask(many).endings[0];
    expect_answer(ending, 200, {.deadline = 5s});
}

TEST(Hostile, H16NoLifetimeOfAnAnswerMakesAStorm) {
    for (const std::uint32_t time_to_live : {0U, 0x7fffffffU, 0xffffffffU}) {
        const LoopbackEnding asked = ask({.addresses = {kHere}, .time_to_live = time_to_live}, 5);

        for (const Ending& ending : asked.endings) expect_answer(ending, 200);
        EXPECT_EQ(asked.question_counts.at("evil.test"), 2u);
    }
}

}  // namespace weft::hostile

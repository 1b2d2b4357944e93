// H56 for a crawl and a check: a certificate that is not to be trusted is a failure of that host,
// with its reason, tried once; nothing is asked for on such a connection.
#include <algorithm>

#include <gtest/gtest.h>

#include "aio/task/task_group.h"
#include "crawl/check/link_check.h"
#include "hostile/arena.h"
#include "support/certificates.h"

namespace weft::hostile {
namespace {

using tests::CertificateOptions;
using tests::TestAuthority;

struct BadCertificate {
    std::filesystem::path certificate;
    std::string_view words;
};

const CertificateOptions kGoodCertificate{.dns_name = "evil.test", .ip_address = ""};

std::vector<BadCertificate> bad_certificates(TestAuthority& ours, TestAuthority& stranger) {
    CertificateOptions expired = kGoodCertificate;
    expired.valid_until_seconds = -60;
    CertificateOptions early = kGoodCertificate;
    early.valid_from_seconds = 600;
    return {{ours.issue("expired", expired), "expired"},
            {ours.issue("early", early), "not yet valid"},
            {ours.issue("other", {.dns_name = "other.test", .ip_address = ""}), "another host"},
            {ours.self_signed("self", kGoodCertificate), "self-signed"},
            {stranger.issue("stranger", kGoodCertificate), "unknown issuer"}};
}

Script page_under(const std::filesystem::path& certificate) {
    aio::TlsContext::ServerOptions options;
    options.certificate_file = certificate;
    return {start_tls(aio::TlsContext::server(options)), read_request(),
            send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n"
                 "Content-Length: 6\r\n\r\nsecret"),
            fin()};
}

crawl::Config https_config(const TestAuthority& authority, std::string_view seed) {
    crawl::Config config;
    config.seeds.push_back(web::Url::parse(seed).value());
    config.ca_file = authority.ca_file();
    config.sitemaps = false;
    config.obey_robots = false;
    return config;
}

aio::Co<std::vector<crawl::CheckedLink>> check_site(Arena& arena, crawl::Config config) {
    auto listener = arena.network().listen("site.test", 80);
    ScriptedServer site(std::move(listener),
                        {{read_request(), send("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
                                               "Connection: close\r\nContent-Length: 37\r\n\r\n"
                                               "<a href='https://evil.test/page'>x</a")}});
    crawl::LinkCheck links(config, {});
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        group.create_task(site.serve());
        group.create_task(arena.serve_all());
        co_await links.run();
        group.cancel();
    });
    std::vector<crawl::CheckedLink> found;
    links.each_result([&](crawl::CheckedLink link) { found.push_back(std::move(link)); });
    co_return found;
}

}  // namespace

TEST(Hostile, H56ACrawlTrustsNoBadCertificate) {
    TestAuthority ours;
    TestAuthority stranger;
    for (const BadCertificate& row : bad_certificates(ours, stranger)) {
        SCOPED_TRACE(row.certificate.filename());
        Arena arena;
        const ScriptedServer& server = arena.serve("evil.test", 443, {page_under(row.certificate)});

        const std::vector<crawl::Outcome> outcomes =
            arena.crawl(https_config(ours, "https://evil.test/"));

        ASSERT_EQ(outcomes.size(), 1u);
        EXPECT_EQ(outcomes[0].ending, crawl::Ending::failed);
        EXPECT_EQ(outcomes[0].failure, "tls_certificate");
        EXPECT_NE(outcomes[0].reason.find(row.words), std::string::npos) << outcomes[0].reason;
        EXPECT_EQ(outcomes[0].attempt_count, 1u);
        EXPECT_EQ(outcomes[0].content_bytes, 0u);
        for (const std::string& heard : server.heard()) EXPECT_EQ(heard, "");
    }
    Arena arena;
    arena.serve("evil.test", 443, {page_under(ours.issue("good", kGoodCertificate))});
    EXPECT_EQ(arena.crawl(https_config(ours, "https://evil.test/")).front().status, 200);
}

TEST(Hostile, H56ACheckCallsALinkToABadCertificateBroken) {
    TestAuthority ours;
    TestAuthority stranger;
    for (const BadCertificate& row : bad_certificates(ours, stranger)) {
        SCOPED_TRACE(row.certificate.filename());
        Arena arena;
        const ScriptedServer& server = arena.serve("evil.test", 443, {page_under(row.certificate)});

        const std::vector<crawl::CheckedLink> links =
            arena.loop().run(check_site(arena, https_config(ours, "http://site.test/")));

        const auto link =
            std::ranges::find(links, "https://evil.test/page", &crawl::CheckedLink::url);
        ASSERT_NE(link, links.end());
        EXPECT_EQ(link->fate.state, crawl::LinkFate::State::broken);
        EXPECT_NE(link->fate.reason.find(row.words), std::string::npos) << link->fate.reason;
        for (const std::string& heard : server.heard()) EXPECT_EQ(heard, "");
    }
}

}  // namespace weft::hostile

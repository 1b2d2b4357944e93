#include "http/access/authenticator.h"

#include <gtest/gtest.h>

#include "http/access/netrc.h"
#include "http/with_site.h"

namespace weft::http {
namespace {

using aio::Co;
using tests::TestSite;

Headers challenge(std::string_view value) {
    Headers headers;
    headers.add("WWW-Authenticate", value);
    return headers;
}

web::Url parse(std::string_view text) {
    return web::Url::parse(text).value();
}

Authenticator login_at(std::string_view url) {
    return Authenticator({{.origin = Origin::of(parse(url)), .user = "me", .password = "pw"}});
}

std::string proof_of(std::string_view challenge_text, const DigestInput& input) {
    const auto digest = DigestChallenge::of(parse_challenges(challenge_text).at(0));
    const std::string value = digest_authorization(digest.value(), input);
    const std::size_t start = value.find("response=\"") + 10;
    return value.substr(start, value.find('"', start) - start);
}

}  // namespace

TEST(Challenge, ListsAreTakenApart) {
    const auto all = parse_challenges(
        R"(Negotiate, Basic realm="a \"b\", c", charset=UTF-8 , DIGEST nonce = "n",qop="auth,auth-int")");
    ASSERT_EQ(all.size(), 3u);
    EXPECT_EQ(all[0].scheme, "negotiate");
    EXPECT_EQ(all[1].get("realm"), R"(a "b", c)");
    EXPECT_EQ(all[1].get("charset"), "UTF-8");
    EXPECT_EQ(all[2].scheme, "digest");
    EXPECT_EQ(all[2].get("qop"), "auth,auth-int");
    EXPECT_EQ(all[2].get("realm"), std::nullopt);
}

TEST(Challenge, NoiseIsPassedOverAndNothingGrowsWithoutBound) {
    EXPECT_TRUE(parse_challenges("").empty());
    EXPECT_TRUE(parse_challenges("=\"\", ===").empty());
    EXPECT_EQ(parse_challenges("Basic realm=\"never ends").at(0).get("realm"), "never ends");
    std::string many;
    for (int i = 0; i < 1000; ++i) many += "a ";
    EXPECT_EQ(parse_challenges(many).size(), kChallengesMax);
    std::string long_one = "a ";
    for (int i = 0; i < 1000; ++i) long_one += "b=c,";
    EXPECT_EQ(parse_challenges(long_one).at(0).parameters.size(), kChallengeParametersMax);
}

TEST(Digest, TheExamplesOfRfc7616AreMet) {
    const std::string common =
        R"(Digest realm="http-auth@example.org", qop="auth, auth-int", )"
        R"(nonce="7ypf/xlj9XXwfDPEoM4URrv/xwf94BcCAzFZH4GiTo0v", )"
        R"(opaque="FQhe/qaU925kfnzjCev0ciny7QMkPqMAFRtzCUYo5tdS", algorithm=)";
    const DigestInput input{.user = "Mufasa",
                            .password = "Circle of Life",
                            .method = "GET",
                            .target = "/dir/index.html",
                            .client_nonce = "f2/wE4q74E6zIJEtWaHKaf5wv/H5QzzpXusqGemxURZJ"};
    EXPECT_EQ(proof_of(common + "MD5", input), "8ca523f5e9506fed4657c9700eebdbec");
    EXPECT_EQ(proof_of(common + "SHA-256", input),
              "753927fa0e85d155564e2e272a28d1802ca10daf4496794697cf8db5856cb6c1");
}

TEST(Digest, SessionsAndTheOldFormAreMet) {
    // Computed with another implementation.
    const DigestInput input{.user = "Mufasa",
                            .password = "pw",
                            .method = "POST",
                            .target = "/a?b",
                            .client_nonce = "c",
                            .nonce_count = 2};
    const std::string start = R"(Digest realm="r", nonce="n")";
    EXPECT_EQ(proof_of(start + ", qop=auth", input), "54e10436062c2843c087a6287731337f");
    EXPECT_EQ(proof_of(start, input), "4a921f7171e221450cf753972887f2e1");
    EXPECT_EQ(proof_of(start + ", qop=auth, algorithm=MD5-sess", input),
              "8179339af714ada1a5eb5be8da4e2e0d");
    EXPECT_EQ(proof_of(start + ", qop=auth, algorithm=SHA-256-sess", input),
              "529c6eaa222c04f47d120759d4a18264b669f2e041407f25a0ec9838ab0143cc");
}

TEST(Digest, WhatCannotBeAnsweredIsNoChallenge) {
    for (const char* text : {"Basic realm=x", "Digest realm=x", R"(Digest nonce=n, qop="auth-int")",
                             "Digest nonce=n, algorithm=SHA-512-256", "Digest nonce=\"a\tb\""}) {
        EXPECT_FALSE(DigestChallenge::of(parse_challenges(text).at(0))) << text;
    }
}

TEST(Authenticator, SaysNothingUnaskedAndTheBestWhenAsked) {
    const web::Url url = parse("https://a.test/x?y");
    Authenticator authenticator = login_at("https://a.test/");
    EXPECT_EQ(authenticator.authorization(url, "GET"), "");

    Headers both = challenge("Basic realm=x, Digest nonce=n, qop=auth");
    both.add("WWW-Authenticate", "Digest nonce=m, qop=auth, algorithm=SHA-256");
    EXPECT_TRUE(authenticator.learn(url, both, ""));
    const std::string first = authenticator.authorization(url, "GET");
    const std::string second = authenticator.authorization(url, "GET");

    EXPECT_TRUE(first.contains(R"(uri="/x?y")")) << first;
    EXPECT_TRUE(first.contains("algorithm=SHA-256, qop=auth, nc=00000001, cnonce="));
    EXPECT_TRUE(second.contains("nc=00000002"));
    EXPECT_FALSE(authenticator.learn(url, both, second));
    EXPECT_TRUE(authenticator.learn(
        url, challenge("Digest nonce=m, qop=auth, algorithm=SHA-256, stale=true"), second));
}

TEST(Authenticator, H121SpeaksToItsOriginOnly) {
    Authenticator authenticator({{.origin = Origin::of(parse("https://a.test/")),
                                  .user = "me",
                                  .password = "pw",
                                  .unasked = true}});
    EXPECT_EQ(authenticator.authorization(parse("https://a.test/any"), "GET"), "Basic bWU6cHc=");
    for (const char* other :
         {"http://a.test/", "https://a.test:8443/", "https://b.a.test/", "https://b.test/"}) {
        EXPECT_EQ(authenticator.authorization(parse(other), "GET"), "") << other;
        EXPECT_FALSE(authenticator.learn(parse(other), challenge("Basic realm=x"), "")) << other;
    }
}

TEST(Authenticator, ALoginCostsOneMoreRequestOnceAndKeepsItsConnection) {
    with_site([](TestSite& site, Client&) -> Co<> {
        site.handle("/door", [](const ServerRequest& request, Responder& responder) -> Co<> {
            if (request.headers.get("Authorization") == "Basic bWU6cHc=") {
                co_await responder.reply({.body = "inside"});
            } else {
                co_await responder.reply({.status = 401,
                                          .headers = {{"WWW-Authenticate", "Basic realm=x"}},
                                          .body = "outside"});
            }
        });
        ClientOptions options = local_options();
        options.credentials = {
            {.origin = Origin::of(site.url("/")), .user = "me", .password = "pw"}};
        Client client(std::move(options));
        ContentBuffer page;

        const Response first = co_await client.fetch({.url = site.url("/door")}, page);
        EXPECT_EQ(page.content, "inside");
        EXPECT_TRUE(first.reused_connection);
        co_await client.fetch({.url = site.url("/door")}, page);

        EXPECT_EQ(site.count("/door"), 3u);
    });
}

TEST(Netrc, IsReadAsOthersReadIt) {
    const auto entries = parse_netrc(
        "# comment\nmachine A.test login me password pw # mine\n"
        "machine b.test\n\tlogin \"my self\"\n\tpassword \"p\\\"w\"\n"
        "macdef init\nmachine trap login x\n\nmachine c.test account z login only\n"
        "default login anonymous password mail@host\nmachine late.test login never\n");
    const auto login = [&](std::string_view host) {
        const NetrcEntry* entry = find_machine(entries, host);
        return entry ? entry->login + ":" + entry->password : "none";
    };
    EXPECT_EQ(login("a.test"), "me:pw");
    EXPECT_EQ(login("b.test"), "my self:p\"w");
    EXPECT_EQ(login("c.test"), "only:");
    EXPECT_EQ(login("trap"), "anonymous:mail@host");
    EXPECT_EQ(login("late.test"), "anonymous:mail@host");
    EXPECT_EQ(find_machine(parse_netrc("machine a"), "b"), nullptr);
    EXPECT_TRUE(parse_netrc("login x password y").empty());
    EXPECT_EQ(parse_netrc("machine").size(), 1u);
}

}  // namespace weft::http

#include "crawl/scope/scope.h"

#include <set>

#include <gtest/gtest.h>

namespace weft::crawl {
namespace {

web::Url url(std::string_view text) {
    return web::Url::parse(text).value();
}

Config config_for(std::string_view seed, ScopeKind kind = ScopeKind::host) {
    Config config;
    config.seeds.push_back(url(seed));
    config.scope = kind;
    return config;
}

Trail page(std::uint32_t depth = 0) {
    return {.depth = depth, .via = Via::link, .redirects_left = 20};
}

// "" if it is wanted, else the rule's name.
std::string verdict(const Config& config, std::string_view text, Via via = Via::link,
                    Trail from = page()) {
    const auto trail = Scope(config).judge(url(text), via, from);
    return trail ? "" : trail.error().to_string();
}

}  // namespace

TEST(Scope, F6F7F8HostMatchesItselfWithAndWithoutWww) {
    const Config config = config_for("http://example.com/");

    EXPECT_EQ(verdict(config, "http://EXAMPLE.com/a"), "");
    EXPECT_EQ(verdict(config, "https://www.example.com/a"), "");
    EXPECT_EQ(verdict(config_for("http://www.example.com/"), "http://example.com/"), "");
    EXPECT_EQ(verdict(config, "http://foo.example.com/"), "other_host");
    EXPECT_EQ(verdict(config, "http://www.www.example.com/"), "other_host");
    EXPECT_EQ(verdict(config_for("http://1.2.3.4/"), "http://1.2.3.4/x"), "");
    EXPECT_EQ(verdict(config_for("http://1.2.3.4/"), "http://1.2.3.5/x"), "other_host");
}

TEST(Scope, F9W12DomainGoesByThePublicSuffixList) {
    const Config config = config_for("http://foo.co.uk/", ScopeKind::domain);

    EXPECT_EQ(verdict(config, "http://a.b.foo.co.uk/"), "");
    EXPECT_EQ(verdict(config, "http://bar.co.uk/"), "other_domain");
    EXPECT_EQ(
        verdict(config_for("http://foo.abcom.org/", ScopeKind::domain), "http://fooa.bcom.org/"),
        "other_domain");
    EXPECT_EQ(verdict(config_for("http://10.1.2.3/", ScopeKind::domain), "http://9.1.2.3/"),
              "other_domain");
    EXPECT_EQ(parse_scope_kind("lenient"), ScopeKind::domain);
    EXPECT_EQ(parse_scope_kind("strict"), ScopeKind::host);
    EXPECT_EQ(parse_scope_kind("galaxy"), std::nullopt);
}

TEST(Scope, NamedDomainsAreInItTooAndWithAnyAlone) {
    Config config = config_for("http://example.com/docs/", ScopeKind::prefix);
    config.domains = {"friend.test", "cdn.example.org"};

    EXPECT_EQ(verdict(config, "http://example.com/docs/a"), "");
    EXPECT_EQ(verdict(config, "http://example.com/other"), "outside_prefix");
    EXPECT_EQ(verdict(config, "http://friend.test/"), "");
    EXPECT_EQ(verdict(config, "https://a.b.friend.test./x"), "");
    EXPECT_EQ(verdict(config, "http://notfriend.test/"), "other_host");
    EXPECT_EQ(verdict(config, "http://example.org/"), "other_host");
    config.scope = ScopeKind::any;
    EXPECT_EQ(verdict(config, "http://cdn.example.org/"), "");
    EXPECT_EQ(verdict(config, "http://example.com/other"), "");
    EXPECT_EQ(verdict(config, "http://elsewhere.test/"), "other_domain");
}

TEST(Scope, W13AddressesPortsTrailingDotsAndUsersAreReadRightly) {
    EXPECT_EQ(verdict(config_for("http://1.2.3.4/"), "http://www.1.2.3.4.example/"), "other_host");
    const Config config = config_for("http://example.com:8080/");

    EXPECT_EQ(verdict(config, "http://example.com./"), "");
    EXPECT_EQ(verdict(config, "http://user:pw@example.com/"), "");
    EXPECT_EQ(verdict(config, "http://example.com/"), "");
    EXPECT_EQ(verdict(config, "https://example.com/"), "");
    EXPECT_EQ(verdict(config, "http://example.com:8080/"), "");
    EXPECT_EQ(verdict(config, "http://example.com:8081/"), "other_port");
}

TEST(Scope, H34PortsOfOtherServicesAreNeverAsked) {
    Config config = config_for("http://example.com/", ScopeKind::any);

    EXPECT_EQ(verdict(config, "http://other.example:6379/"), "blocked_port");
    EXPECT_EQ(verdict(config, "http://other.example:25/"), "blocked_port");
    EXPECT_EQ(verdict(config, "http://other.example:8443/"), "");
    EXPECT_EQ(verdict(config, "http://other.example:22/", Via::redirect), "blocked_port");
    config.ports = {6379};
    EXPECT_EQ(verdict(config, "http://other.example:6379/"), "");
}

TEST(Scope, H34APortOfAnotherServiceIsOpenForTheSeedThatHasIt) {
    // There was a second list, which lacked ports of databases.
    const Config config = config_for("http://example.com:3306/", ScopeKind::any);

    EXPECT_EQ(verdict(config, "http://example.com:3306/a"), "");
    for (const char* other :
         {"http://www.example.com:3306/", "https://example.com:3306/", "http://other.example:3306/",
          "http://other.example:5432/", "http://other.example:9200/", "http://other.example:27017/",
          "http://other.example:3389/", "http://other.example:5900/", "http://other.example:0/"}) {
        EXPECT_EQ(verdict(config, other), "blocked_port") << other;
    }
}

TEST(Scope, H120NoSpellingEscapes) {
    const Config config = config_for("http://example.com/");

    for (const std::string_view text :
         {"http://evil.com.example.org/", "http://example.com@evil.com/",
          "http://example.com.evil.com/", "http://evil.com/example.com/",
          "http://evil.com?example.com", "http://evil.com#example.com", "http://examp1e.com/",
          "http://xn--exampl-gva.com/", "http://evil.com\\@example.com/"}) {
        EXPECT_EQ(verdict(config, text), "other_host") << text;
        EXPECT_EQ(verdict(config, text, Via::redirect), "other_host") << text;
        EXPECT_EQ(verdict(config, text, Via::listed), "other_host") << text;
        EXPECT_EQ(verdict(config, text, Via::sitemap), "other_host") << text;
    }
    EXPECT_EQ(verdict(config, "ftp://example.com/"), "scheme");
    EXPECT_EQ(verdict(config, "HTTP://EXAMPLE.COM:80/"), "");
}

TEST(Scope, PageWantsTheSeedAndWhatItShows) {
    const Config config = config_for("http://example.com/a/b?c", ScopeKind::page);

    EXPECT_EQ(verdict(config, "http://example.com/a/d"), "other_page");
    EXPECT_EQ(verdict(config, "http://example.com/a/b?c"), "");
    EXPECT_EQ(verdict(config, "http://example.com/style.css", Via::requisite), "");
    EXPECT_EQ(verdict(config, "http://cdn.example/x.png", Via::requisite), "other_host");
}

TEST(Scope, PrefixIsTheSeedsDirectory) {
    const Config config = config_for("http://example.com/docs/index.html", ScopeKind::prefix);

    EXPECT_EQ(verdict(config, "http://example.com/docs/a/b.html"), "");
    EXPECT_EQ(verdict(config, "http://example.com/docsother"), "outside_prefix");
    EXPECT_EQ(verdict(config, "http://example.com/"), "outside_prefix");
    EXPECT_EQ(verdict(config, "http://example.com/sitemap.xml", Via::sitemap), "");
}

TEST(Scope, PatternsIncludeAndExcludeAndAreNamed) {
    Config config = config_for("http://example.com/");
    config.include = {web::Pattern::parse("/news/").value(),
                      web::Pattern::parse("glob:**/docs/*.html").value()};
    config.exclude = {web::Pattern::parse("[?&]print=").value()};

    EXPECT_EQ(verdict(config, "http://example.com/news/1"), "");
    EXPECT_EQ(verdict(config, "http://example.com/docs/a.html"), "");
    EXPECT_EQ(verdict(config, "http://example.com/docs/sub/a.html"), "not_included");
    EXPECT_EQ(verdict(config, "http://example.com/news/1?print=1"), "excluded: [?&]print=");
    EXPECT_EQ(verdict(config, "http://example.com/img/x.png", Via::requisite), "");
    EXPECT_EQ(verdict(config, "http://example.com/x.png?print=1", Via::requisite),
              "excluded: [?&]print=");
    EXPECT_EQ(verdict(config, "http://example.com/news/1?print=1", Via::redirect),
              "excluded: [?&]print=")
        << "W8: a redirect gets round nothing";
}

TEST(Scope, H72AnEvilPatternTakesLinearTime) {
    const auto pattern = web::Pattern::parse("(a+)+$");
    ASSERT_TRUE(pattern);

    EXPECT_FALSE(pattern->matches("http://example.com/" + std::string(8'000, 'a') + "!"));
    EXPECT_FALSE(web::Pattern::parse("(").has_value());
    EXPECT_FALSE(web::Pattern::parse("").has_value());
    EXPECT_FALSE(web::Pattern::parse("(a{1000}){1000}").has_value());
}

TEST(Scope, DepthCountsLinksNotRedirectsOrRequisites) {
    Config config = config_for("http://example.com/");
    config.depth_max = 2;

    EXPECT_EQ(verdict(config, "http://example.com/x", Via::link, page(1)), "");
    EXPECT_EQ(verdict(config, "http://example.com/x", Via::link, page(2)), "depth");
    EXPECT_EQ(verdict(config, "http://example.com/x", Via::redirect, page(2)), "");
    EXPECT_EQ(verdict(config, "http://example.com/x.png", Via::requisite, page(2)), "");
}

TEST(Scope, H33H36RedirectsAndRefreshesUseUpTheirHops) {
    const Config config = config_for("http://example.com/");
    Trail from = page();
    from.redirects_left = 1;

    const auto trail = Scope(config).judge(url("http://example.com/x"), Via::refresh, from);

    ASSERT_TRUE(trail);
    EXPECT_EQ(trail->redirects_left, 0);
    EXPECT_EQ(verdict(config, "http://example.com/y", Via::redirect, *trail), "redirect_limit");
    EXPECT_EQ(verdict(config, "http://example.com/y", Via::link, *trail), "");
}

TEST(Scope, ExtraHopsLeadOutThatFarAndNoFarther) {
    Config config = config_for("http://example.com/");
    config.extra_hops = 1;
    const Scope scope(config);

    const auto out = scope.judge(url("http://other.example/"), Via::link, page());

    ASSERT_TRUE(out);
    EXPECT_EQ(out->extra_hops, 1);
    EXPECT_EQ(verdict(config, "http://third.example/", Via::link, *out), "other_host");
    EXPECT_EQ(verdict(config, "http://third.example/", Via::redirect, *out), "");
    const auto back = scope.judge(url("http://example.com/x"), Via::link, *out);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->extra_hops, 0);
}

TEST(Scope, RequisitesOfOtherHostsAreWantedWithAnArchive) {
    Config config = config_for("http://example.com/");
    EXPECT_EQ(verdict(config, "http://cdn.example/x.css", Via::requisite), "other_host");

    config.output = "crawl";
    const auto style = Scope(config).judge(url("http://cdn.example/x.css"), Via::requisite, page());

    ASSERT_TRUE(style);
    EXPECT_EQ(verdict(config, "http://fonts.example/x.woff", Via::requisite, *style), "");
    EXPECT_EQ(verdict(config, "http://cdn.example/about", Via::link, *style), "other_host");
    Trail far = *style;
    far.requisite_hops = kRequisiteHopsMax - 1;
    EXPECT_EQ(verdict(config, "http://fonts.example/x.woff", Via::requisite, far), "");
    far.requisite_hops = kRequisiteHopsMax;
    EXPECT_EQ(verdict(config, "http://fonts.example/x.woff", Via::requisite, far),
              "requisite_hops");
    config.requisites = Requisites::none;
    EXPECT_EQ(verdict(config, "http://example.com/x.css", Via::requisite), "requisite");
}

TEST(Scope, H83SitemapIndexesNestTwiceAtMost) {
    const Config config = config_for("http://example.com/");
    const Scope scope(config);
    Trail from = page();
    from.via = Via::sitemap;
    from.sitemap_level = 2;

    EXPECT_EQ(verdict(config, "http://example.com/deeper.xml", Via::sitemap, from),
              "sitemap_limit");
    EXPECT_EQ(verdict(config, "http://example.com/page", Via::listed, from), "");
}

TEST(Scope, ASeedsRedirectIsFollowedAndItsEndIsTheSeedsHost) {
    const Config config = config_for("http://short.example/abc");
    Scope scope(config);
    const Trail seed{.via = Via::seed, .redirects_left = 20, .is_seed_way = true};

    const auto trail = scope.judge(url("https://www.example.com/article"), Via::redirect, seed);
    ASSERT_TRUE(trail);
    EXPECT_TRUE(trail->is_seed_way);
    scope.move_seed(config.seeds.front(), url("https://www.example.com/article"));

    EXPECT_TRUE(scope.is_in_place(url("https://example.com/other")));
    EXPECT_FALSE(scope.is_in_place(url("http://short.example/xyz")));
}

TEST(Scope, ItIsTheSameFromTheConfigAgain) {
    Config config = config_for("http://short.example/abc");
    config.moved_seeds = {{config.seeds.front(), url("http://example.com/")}};

    EXPECT_EQ(verdict(config, "http://example.com/x"), "");
    EXPECT_EQ(verdict(config, "http://short.example/x"), "other_host");
}

TEST(Scope, H122CredentialsKeepUsFromWhatActs) {
    Config config = config_for("http://example.com/");
    EXPECT_EQ(verdict(config, "http://example.com/logout"), "");

    config.is_authenticated = true;

    for (const std::string_view path :
         {"/logout", "/account/Log-Out.php", "/sign_out?x=1", "/posts/7/delete", "/x?action=delete",
          "/unsubscribe;id=3"}) {
        EXPECT_EQ(verdict(config, "http://example.com" + std::string(path)), "side_effect") << path;
    }
    EXPECT_EQ(verdict(config, "http://example.com/deleted-scenes"), "");
}

TEST(Scope, H66TheLengthOfAUrlHasALimit) {
    const Config config = config_for("http://example.com/");
    const std::string start = "http://example.com/";

    EXPECT_EQ(verdict(config, start + std::string(limits::kUrlBytesMax - start.size(), 'a')), "");
    EXPECT_EQ(verdict(config, start + std::string(limits::kUrlBytesMax - start.size() + 1, 'a')),
              "too_long");
}

TEST(Trail, PacksIntoOneNumber) {
    const Trail trail{.via = Via::listed,
                      .redirects_left = 255,
                      .extra_hops = 200,
                      .requisite_hops = 29,
                      .sitemap_level = 3,
                      .is_seed_way = true,
                      .is_nofollow = true};

    EXPECT_EQ(Trail::unpack(trail.pack()), trail);
    EXPECT_EQ(Trail::unpack(Trail{}.pack()), Trail{});
}

// A trail with a via that does not exist had no name: undefined behaviour.
TEST(Trail, AnyNumberOfAFileIsATrail) {
    for (std::uint32_t via = 0; via < 16; ++via) {
        EXPECT_FALSE(name(Trail::unpack(via << 8).via).empty());
    }
}

TEST(Refusal, EachHasANameAndADescription) {
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(Refusal::own_rule); ++i) {
        const auto refusal = static_cast<Refusal>(i);
        EXPECT_TRUE(names.insert(name(refusal)).second) << name(refusal);
        EXPECT_FALSE(describe(refusal).empty());
    }
}

TEST(Refusal, EachHasANameAndAPhraseOfItsOwn) {
    std::set<std::string_view> names;
    std::set<std::string_view> phrases;
    for (std::size_t i = 0; i < kRefusalCount; ++i) {
        const auto refusal = static_cast<Refusal>(i);
        names.insert(name(refusal));
        phrases.insert(describe(refusal));
        EXPECT_EQ(refusal_named(name(refusal)), refusal);
        EXPECT_EQ(phrase_of(name(refusal)), describe(refusal));
        EXPECT_TRUE(describe(refusal).contains(' ')) << "words, no identifier: " << name(refusal);
        EXPECT_FALSE(describe(refusal).contains('_')) << describe(refusal);
    }
    EXPECT_EQ(names.size(), kRefusalCount);
    EXPECT_EQ(phrases.size(), kRefusalCount);
    EXPECT_EQ(refusal_named("no_such_rule"), std::nullopt);
    EXPECT_EQ(phrase_of("no_such_rule"), "no_such_rule");
    EXPECT_EQ(phrase_of("robots"), "robots.txt keeps it out");
}

}  // namespace weft::crawl

#include "http/connect/proxy.h"

#include <gtest/gtest.h>

#include "http/connect/socks.h"

namespace weft::http {
namespace {

using Environment = std::map<std::string, std::string, std::less<>>;

// The proxy that curl would take for this URL in this environment; "" for none.
std::string chosen(const Environment& environment, std::string_view url) {
    const ProxySettings settings =
        ProxySettings::from_environment([&](std::string_view name) -> std::optional<std::string> {
            const auto found = environment.find(name);
            if (found == environment.end()) return std::nullopt;
            return found->second;
        });
    const auto proxy = settings.choose(web::Url::parse(url).value());
    if (!proxy) return "error";
    return *proxy ? (*proxy)->to_string() : "";
}

}  // namespace

TEST(Proxy, IsReadAsCurlReadsIt) {
    struct Row {
        const char* text;
        const char* expected;
    };
    for (const Row& row :
         std::initializer_list<Row>{{"http://proxy:3128", "http://proxy:3128"},
                                    {"http://proxy:3128/", "http://proxy:3128"},
                                    {"proxy:3128", "http://proxy:3128"},
                                    {"proxy", "http://proxy:1080"},
                                    {"http://proxy", "http://proxy:1080"},
                                    {"http://proxy:80", "http://proxy:80"},
                                    {"http://proxy:21", "http://proxy:21"},
                                    {"https://proxy", "https://proxy:443"},
                                    {"HTTPS://Proxy:8443", "https://proxy:8443"},
                                    {"socks5://127.0.0.1:9050", "socks5://127.0.0.1:9050"},
                                    {"socks5h://[::1]", "socks5h://[::1]:1080"},
                                    {"  user:pass@proxy:1 ", "http://proxy:1"}}) {
        const auto proxy = Proxy::parse(row.text);
        EXPECT_EQ(proxy ? proxy->to_string() : "error", row.expected) << row.text;
    }
    for (const char* bad : {"", "http://", "ftp://proxy", "socks4://proxy", "http://pro xy:1",
                            "http://proxy:99999"}) {
        EXPECT_FALSE(Proxy::parse(bad)) << bad;
    }
    const Proxy proxy = Proxy::parse("http://us%40er:p%3Aw@proxy:1").value();
    EXPECT_EQ(proxy.user, "us@er");
    EXPECT_EQ(proxy.password, "p:w");
    EXPECT_FALSE(proxy.to_string().contains("p:w"));
}

TEST(Proxy, TheEnvironmentDecidesAsCurlSays) {
    const std::string_view http = "http://a.test/";
    const std::string_view https = "https://a.test/";
    EXPECT_EQ(chosen({}, http), "");
    EXPECT_EQ(chosen({{"http_proxy", "p:1"}}, http), "http://p:1");
    EXPECT_EQ(chosen({{"http_proxy", "p:1"}}, https), "");
    EXPECT_EQ(chosen({{"HTTP_PROXY", "p:1"}}, http), "");  // A header could have set it.
    EXPECT_EQ(chosen({{"https_proxy", "p:1"}}, https), "http://p:1");
    EXPECT_EQ(chosen({{"HTTPS_PROXY", "p:1"}}, https), "http://p:1");
    EXPECT_EQ(chosen({{"HTTPS_PROXY", "p:1"}, {"https_proxy", "p:2"}}, https), "http://p:2");
    EXPECT_EQ(chosen({{"all_proxy", "socks5h://p:1"}}, http), "socks5h://p:1");
    EXPECT_EQ(chosen({{"ALL_PROXY", "p:1"}}, https), "http://p:1");
    EXPECT_EQ(chosen({{"all_proxy", "p:1"}, {"http_proxy", "p:2"}}, http), "http://p:2");
    EXPECT_EQ(chosen({{"http_proxy", "p:1"}, {"no_proxy", "a.test"}}, http), "");
    EXPECT_EQ(chosen({{"http_proxy", "p:1"}, {"NO_PROXY", "*"}}, http), "");
    EXPECT_EQ(chosen({{"http_proxy", "p:1"}, {"no_proxy", ""}, {"NO_PROXY", "*"}}, http),
              "http://p:1");
    EXPECT_EQ(chosen({{"http_proxy", "gopher://p"}}, http), "error");
}

TEST(Proxy, NoProxyNamesHostsAndWhatLiesBelow) {
    struct Row {
        const char* host;
        const char* list;
        bool expected;
    };
    for (const Row& row : std::initializer_list<Row>{{"a.test", "a.test", true},
                                                     {"www.a.test", "a.test", true},
                                                     {"www.a.test", ".a.test", true},
                                                     {"a.test", ".a.test", true},
                                                     {"a.test.", "a.test", true},
                                                     {"a.test", "a.test.", true},
                                                     {"A.test", "a.TEST", true},
                                                     {"nota.test", "a.test", false},
                                                     {"a.test", "www.a.test", false},
                                                     {"a.test", "b.test,a.test", true},
                                                     {"a.test", "b.test, a.test", true},
                                                     {"a.test", "b.test a.test", true},
                                                     {"a.test", ",,", false},
                                                     {"a.test", "", false},
                                                     {"a.test", "*", true},
                                                     {"a.test", "b.test,*", false},
                                                     {"192.168.1.5", "192.168.0.0/16", true},
                                                     {"192.169.1.5", "192.168.0.0/16", false},
                                                     {"192.168.1.5", "192.168.1.5", true},
                                                     {"192.168.1.5", "168.1.5", false},
                                                     {"[::1]", "::1", true},
                                                     {"[::1]", "[::1]", true},
                                                     {"[fd00::1]", "fd00::/8", true},
                                                     {"[fe80::1]", "fd00::/8", false}}) {
        EXPECT_EQ(goes_directly(row.host, row.list), row.expected)
            << row.host << " in " << row.list;
    }
}

TEST(Socks, TheRequestIsAsTheStandardHasIt) {
    const auto v4 = socks_request({.host = "", .address = aio::IpAddress::loopback(), .port = 80});
    EXPECT_EQ(*v4, std::string("\x05\x01\x00\x01\x7f\x00\x00\x01\x00\x50", 10));
    const auto name = socks_request({.host = "a.test", .address = {}, .port = 443});
    EXPECT_EQ(*name, std::string("\x05\x01\x00\x03\x06", 5) + "a.test" + std::string("\x01\xbb"));
    EXPECT_TRUE(socks_request({.host = std::string(255, 'a'), .address = {}, .port = 1}));
    EXPECT_FALSE(socks_request({.host = std::string(256, 'a'), .address = {}, .port = 1}));
}

}  // namespace weft::http

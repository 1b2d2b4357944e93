#include <set>

#include <gtest/gtest.h>

#include "conformance.h"
#include "web/fields/cookie.h"

namespace weft::suites {
namespace {

// Enough of a URL parser for the cases' URLs, which are all plain.
web::CookieUrl cookie_url(std::string_view url) {
    web::CookieUrl out;
    out.is_secure = url.starts_with("https:");
    url.remove_prefix(url.find("//") + 2);
    url = url.substr(0, url.find_first_of("?#"));
    const std::size_t path = std::min(url.find('/'), url.size());
    out.path = url.substr(path);
    out.host = url.substr(0, path);
    out.host = out.host.substr(0, out.host.find(':'));
    return out;
}

bool is_public_suffix(std::string_view domain) {
    static const std::set<std::string_view> kSuffixes = {"org", "com", "net", "gov", "edu", "test"};
    return kSuffixes.contains(domain);
}

std::string cookies_after(const Json& row) {
    const WallTime now{std::chrono::seconds(row["now"].get<std::int64_t>())};
    const std::string set_url = row["set_url"], get_url = row["get_url"];
    web::CookieJar jar(is_public_suffix);
    for (const Json& field : row["set_cookie"]) {
        static_cast<void>(jar.set(cookie_url(set_url), field.get<std::string>(), now));
    }
    if (row.value("read", "http") != "dom") return jar.header(cookie_url(get_url), now);
    std::string out;
    for (const web::Cookie* cookie : jar.matching(cookie_url(get_url), now)) {
        if (cookie->is_http_only) continue;
        if (!out.empty()) out += "; ";
        out += cookie->name.empty() ? cookie->value : cookie->name + '=' + cookie->value;
    }
    return out;
}

}  // namespace

TEST(CookieSuite, HttpState) {
    WEFT_NEED_SUITE("cookies");
    for (const Json& row : suites::rows("cookies/http_state.json")) {
        const std::string expected = row.value("expected_6265bis", row["expected"]);
        EXPECT_EQ(cookies_after(row), expected) << row.dump().substr(0, 1000);
    }
}

TEST(CookieSuite, WebPlatform) {
    WEFT_NEED_SUITE("cookies");
    for (const Json& row : suites::rows("cookies/wpt.json")) {
        if (!row.value("ref_agrees", true)) continue;
        const std::string found = cookies_after(row);
        if (row.contains("response_may_be_rejected") && found.empty()) continue;
        EXPECT_EQ(Json(found), row["expected"]) << row.dump().substr(0, 1000);
    }
}

}  // namespace weft::suites

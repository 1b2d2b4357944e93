#include <utility>

#include <gtest/gtest.h>

#include "suites/conformance.h"
#include "web/url/url.h"

namespace weft::suites {
namespace {

using nlohmann::json;
using web::Url;

std::expected<Url, web::UrlError> parse(const std::string& input, const json& base) {
    if (base.is_null()) return Url::parse(input);
    const auto base_url = Url::parse(base.get<std::string>());
    return base_url ? base_url->resolve(input) : std::unexpected(base_url.error());
}

std::string part(const Url& url, std::string_view name) {
    if (name == "href") return url.href();
    if (name == "origin") return url.origin();
    if (name == "port") return url.port() ? std::to_string(*url.port()) : "";
    using Getter = std::string_view (Url::*)() const;
    static constexpr std::pair<std::string_view, Getter> kGetters[] = {
        {"protocol", &Url::protocol}, {"username", &Url::username}, {"password", &Url::password},
        {"host", &Url::host},         {"hostname", &Url::hostname}, {"pathname", &Url::pathname},
        {"search", &Url::search},     {"hash", &Url::hash},
    };
    for (const auto& [key, getter] : kGetters) {
        if (key == name) return std::string((url.*getter)());
    }
    return "no such part";
}

void set_part(Url& url, std::string_view name, std::string_view value) {
    if (name == "href") {
        if (auto parsed = Url::parse(value)) url = *std::move(parsed);
        return;
    }
    using Setter = void (Url::*)(std::string_view);
    static constexpr std::pair<std::string_view, Setter> kSetters[] = {
        {"protocol", &Url::set_protocol}, {"username", &Url::set_username},
        {"password", &Url::set_password}, {"host", &Url::set_host},
        {"hostname", &Url::set_hostname}, {"port", &Url::set_port},
        {"pathname", &Url::set_pathname}, {"search", &Url::set_search},
        {"hash", &Url::set_hash},
    };
    for (const auto& [key, setter] : kSetters) {
        if (key == name) return (url.*setter)(value);
    }
    FAIL() << "no setter for " << name;
}

void expect_parts(const Url& url, const json& expected, const json& row) {
    static constexpr std::string_view kNames[] = {"href",     "origin", "protocol", "username",
                                                  "password", "host",   "hostname", "port",
                                                  "pathname", "search", "hash"};
    for (const std::string_view name : kNames) {
        if (expected.value(name, json()).is_string())
            EXPECT_EQ(part(url, name), expected[name].get<std::string>()) << row;
    }
}

class UrlParserSuite : public testing::TestWithParam<const char*> {};

TEST_P(UrlParserSuite, Passes) {
    const auto path = conformance_path("url") / GetParam();
    WEFT_NEEDS_CONFORMANCE(path);
    for (const json& row : suites::rows(path)) {
        const auto url = parse(row["input"], row["base"]);
        EXPECT_EQ(!url.has_value(), row.value("failure", false)) << row;
        if (url && !row.value("failure", false)) expect_parts(*url, row, row);
    }
}

INSTANTIATE_TEST_SUITE_P(, UrlParserSuite,
                         testing::Values("urltestdata.json", "ada_extra_urltestdata.json",
                                         "ada_long_urltestdata.json"));

class UrlSettersSuite : public testing::TestWithParam<const char*> {};

TEST_P(UrlSettersSuite, Passes) {
    const auto path = conformance_path("url") / GetParam();
    WEFT_NEEDS_CONFORMANCE(path);
    Tally tally("url");
    for (const auto& [name, rows] : read_json(path).items()) {
        for (const json& row : rows) {
            Url url = Url::parse(row["href"].get<std::string>()).value();
            set_part(url, name, row["new_value"].get<std::string>());
            expect_parts(url, row["expected"], row);
            tally.note();
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, UrlSettersSuite,
                         testing::Values("setters_tests.json", "ada_extra_setters_tests.json"));

}  // namespace
}  // namespace weft::suites

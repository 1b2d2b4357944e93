#include "http/message/headers.h"

#include <gtest/gtest.h>

#include "base/units.h"

namespace weft::http {

TEST(Headers, KeepOrderSpellingAndRepeats) {
    Headers headers;
    headers.add("Set-Cookie", "a=1");
    headers.add("X-Test", "");
    headers.add("set-cookie", "b=2");

    std::string seen;
    for (const Field field : headers) seen += fmt::format("{}={};", field.name, field.value);

    EXPECT_EQ(seen, "Set-Cookie=a=1;X-Test=;set-cookie=b=2;");
    EXPECT_EQ(headers.size(), 3u);
}

TEST(Headers, NamesCompareWithoutCase) {
    Headers headers;
    headers.add("Content-Type", "text/html");

    EXPECT_EQ(headers.get("CONTENT-TYPE"), "text/html");
    EXPECT_EQ(headers.get("content-typ"), std::nullopt);
    EXPECT_FALSE(headers.contains("type"));
}

TEST(Headers, AnEmptyValueIsNotAnAbsentOne) {
    Headers headers;
    headers.add("Pragma", "");

    EXPECT_EQ(headers.get("pragma"), "");
}

TEST(Headers, GetAllGivesEveryValueInOrder) {
    Headers headers;
    headers.add("A", "1");
    headers.add("B", "2");
    headers.add("a", "3");

    std::vector<std::string> values;
    for (std::string_view value : headers.get_all("a")) values.emplace_back(value);

    EXPECT_EQ(values, (std::vector<std::string>{"1", "3"}));
    EXPECT_EQ(headers.joined("a"), "1, 3");
    EXPECT_EQ(headers.joined("c"), "");
}

TEST(Headers, SetReplacesEveryFieldOfTheName) {
    Headers headers;
    headers.add("Host", "a");
    headers.add("Accept", "*/*");
    headers.add("host", "b");

    headers.set("Host", "c");

    EXPECT_EQ(headers.size(), 2u);
    EXPECT_EQ(headers[1].value, "c");
    headers.remove("accept");
    EXPECT_FALSE(headers.contains("accept"));
}

TEST(Headers, ExtendLastJoinsWithOneSpace) {
    Headers headers;
    headers.add("A", "x");
    headers.extend_last("y");
    headers.extend_last("");
    headers.add("B", "");
    headers.extend_last("z");

    EXPECT_EQ(headers.get("a"), "x y");
    EXPECT_EQ(headers.get("b"), "z");
}

TEST(Headers, TokensAreFoundInListsOverSeveralFields) {
    Headers headers;
    headers.add("Connection", "something-close, close-something");
    EXPECT_FALSE(headers.has_token("connection", "close"));

    headers.add("Connection", "x ,CLOSE");
    EXPECT_TRUE(headers.has_token("connection", "close"));
}

TEST(Headers, DifferentLocationsDisagreeH33) {
    Headers headers;
    headers.add("Location", "/a");
    headers.add("Location", "/a");
    EXPECT_FALSE(headers.disagrees("location"));

    headers.add("Location", "/b");
    EXPECT_TRUE(headers.disagrees("location"));
    EXPECT_FALSE(headers.disagrees("refresh"));
}

TEST(Headers, ClearedListIsEmptyAndUsable) {
    Headers headers;
    headers.add("Big", std::string(1_MiB, 'x'));
    headers.clear();
    EXPECT_TRUE(headers.empty());

    headers.add("A", "1");
    EXPECT_EQ(headers.get("a"), "1");
}

}  // namespace weft::http

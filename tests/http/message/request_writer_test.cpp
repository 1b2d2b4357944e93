#include "http/message/request_writer.h"

#include <gtest/gtest.h>

namespace weft::http {
namespace {

Headers with_host(std::vector<Field> fields = {}) {
    Headers headers;
    headers.add("Host", "example.com");
    for (const Field& field : fields) headers.add(field.name, field.value);
    return headers;
}

std::optional<RequestError> error_of(std::string_view method, std::string_view target,
                                     const Headers& headers) {
    std::string out;
    const auto written =
        write_request_head({.method = method, .target = target, .headers = headers}, out);
    if (written) return std::nullopt;
    EXPECT_EQ(out, "");
    return written.error();
}

}  // namespace

TEST(RequestWriter, WritesTheExactBytes) {
    std::string out;
    const Headers headers = with_host({{"User-Agent", "weft/1 (+https://a/ b)"}, {"Accept", ""}});

    ASSERT_TRUE(write_request_head({.target = "/a?b=%20", .headers = headers}, out));

    EXPECT_EQ(out,
              "GET /a?b=%20 HTTP/1.1\r\nHost: example.com\r\n"
              "User-Agent: weft/1 (+https://a/ b)\r\nAccept: \r\n\r\n");
}

TEST(RequestWriter, RefusesInjectionInTheTargetH35) {
    for (std::string_view target :
         {"", "/a b", "/a\r\nX: y", "/a\n", "/a\r", "/\t", "/\x7f", "/\xc3\xa9", "/a#b"}) {
        EXPECT_EQ(error_of("GET", target, with_host()), RequestError::bad_target) << target;
    }
    EXPECT_EQ(error_of("GET", std::string_view("/\0", 2), with_host()), RequestError::bad_target);
    EXPECT_EQ(error_of("GET", "/%0d%0aX:%20y", with_host()), std::nullopt);
}

TEST(RequestWriter, RefusesInjectionInTheMethodH35) {
    for (std::string_view method : {"", "GET ", "G\r\n", "GET /x HTTP/1.1\r\n", "G:T"}) {
        EXPECT_EQ(error_of(method, "/", with_host()), RequestError::bad_method) << method;
    }
}

TEST(RequestWriter, RefusesInjectionInFieldsH35) {
    for (std::string_view name : {"", "A B", "A:", "A\r\n", "A\x80", "\tA"}) {
        EXPECT_EQ(error_of("GET", "/", with_host({{name, "x"}})), RequestError::bad_field_name);
    }
    for (std::string_view value : {"a\r\nB: c", "a\n", "\ra", "a\x01", "a\x7f", " a", "a "}) {
        EXPECT_EQ(error_of("GET", "/", with_host({{"Cookie", value}})),
                  RequestError::bad_field_value);
    }
    EXPECT_EQ(error_of("GET", "/", with_host({{"Cookie", std::string_view("a\0b", 3)}})),
              RequestError::bad_field_value);
    EXPECT_EQ(error_of("GET", "/", with_host({{"Cookie", "a=\xff\tb"}})), std::nullopt);
}

TEST(RequestWriter, HostIsThereOnceAndPlain) {
    EXPECT_EQ(error_of("GET", "/", {}), RequestError::bad_host);
    EXPECT_EQ(error_of("GET", "/", with_host({{"host", "b"}})), RequestError::bad_host);

    Headers headers;
    headers.add("Host", "a b");
    EXPECT_EQ(error_of("GET", "/", headers), RequestError::bad_host);
}

TEST(RequestWriter, TwoLengthsAreRefused) {
    EXPECT_EQ(error_of("POST", "/",
                       with_host({{"Content-Length", "1"}, {"Transfer-Encoding", "chunked"}})),
              RequestError::ambiguous_length);
}

}  // namespace weft::http

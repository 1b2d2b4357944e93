// HTTP/1 as browsers' shared tests and curl's tests have it.
#include <algorithm>

#include "suites/http1_connection.h"
#include "web/coding/decoder.h"

namespace weft::http {
namespace {

using Json = nlohmann::json;

bool has_field(const Reading& reading, std::string_view name, std::string_view value) {
    return std::ranges::find(reading.headers, std::pair(std::string(name), std::string(value))) !=
           reading.headers.end();
}

bool has_option(const Json& row, std::string_view option) {
    return std::ranges::any_of(row["options"],
                               [&](const Json& given) { return suites::text(given) == option; });
}

// Takes the codings off a body; nothing if that fails.
std::optional<std::string> without_codings(const std::string& body, std::string_view list) {
    const auto codings = web::parse_codings(list);
    if (!codings) return std::nullopt;
    web::Decoded decoded = web::decode(body, *codings);
    if (decoded.error) return std::nullopt;
    return decoded.bytes;
}

// What curl would deliver of a response; nothing where it would fail.
std::optional<std::string> delivered(const Json& row, std::string_view raw) {
    ResponseParser parser;
    parser.start("GET");
    const Reading reading = read_pieces(parser, raw, [] { return std::string_view::npos; });
    if (reading.error || parser.headers().disagrees("location")) return std::nullopt;
    std::optional<std::string> body = reading.body;
    if (has_option(row, "--tr-encoding")) body = without_codings(*body, parser.transfer_codings());
    if (body && has_option(row, "--compressed")) {
        body = without_codings(*body, parser.headers().joined("content-encoding"));
    }
    // With -D the trailers go where the body went.
    if (body && has_option(row, "-D")) {
        for (const auto& [name, value] : reading.trailers) {
            *body += fmt::format("{}: {}\r\n", name, value);
        }
    }
    return body;
}

}  // namespace

TEST(Http1Suite, WptContentLength) {
    WEFT_SKIP_WITHOUT_CONFORMANCE();
    Verdicts verdicts("wpt_content_length");
    for (const Json& row : suites::rows("http1/wpt_content_length.json")) {
        const std::string input = row["input"];
        const std::string raw =
            fmt::format("HTTP/1.1 200 OK\r\n{}\r\n\r\n{}", input, std::string(42, 'x'));
        const Reading reading = read_connection_all_ways(raw)[0];
        const bool is_right = row["output"].is_null()
                                  ? reading.error.has_value()
                                  : !reading.error && reading.body.size() == row["output"];
        verdicts.add("input", input, is_right);
    }
}

TEST(Http1Suite, WptH1Parsing) {
    WEFT_SKIP_WITHOUT_CONFORMANCE();
    Verdicts verdicts("wpt_h1_parsing");
    for (const Json& row : suites::rows("http1/wpt_h1_parsing.json")) {
        const std::string raw = suites::bytes_of(row, "raw");
        const Reading reading = read_connection_all_ways(raw)[0];
        bool is_right = (row["expect"] == "error") == reading.error.has_value();
        if (row["expect"] == "ok" && row.contains("status")) {
            is_right &=
                reading.status == row["status"] && reading.reason == suites::text(row["reason"]);
        }
        if (row["expect"] == "ok" && row.contains("x_frame_options_effective")) {
            is_right &=
                has_field(reading, "X-Frame-Options", "DENY") == row["x_frame_options_effective"];
        }
        verdicts.add(row["name"], raw, is_right);
    }
}

TEST(Http1Suite, Curl) {
    WEFT_SKIP_WITHOUT_CONFORMANCE();
    Verdicts verdicts("curl_http");
    for (const Json& row : suites::rows("http1/curl_http.json")) {
        const std::string raw = suites::bytes_of(row, "raw");
        read_connection_all_ways(raw);
        const std::optional<std::string> body = delivered(row, raw);
        const bool has_body = row.contains("body_b64") && !row["body_b64"].is_null();
        const bool is_right = row["curl_exit"] == 0
                                  ? body && (!has_body || *body == suites::bytes_of(row, "body"))
                                  : !body;
        verdicts.add(row["name"], raw, is_right);
    }
}

}  // namespace weft::http

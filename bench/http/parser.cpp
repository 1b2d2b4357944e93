// What reading HTTP/1 heads and bodies costs, beside the loop that anybody would write first.
#include <string>
#include <utility>
#include <vector>

#include "bench/figure.h"
#include "http/message/request_parser.h"
#include "http/message/response_parser.h"

namespace weft::bench {
namespace {

using http::RequestParser;
using http::ResponseParser;

constexpr std::string_view kSmallHead =
    "HTTP/1.1 200 OK\r\nServer: nginx/1.22.1\r\nDate: Sun, 15 Nov 2026 09:10:29 GMT\r\n"
    "Content-Type: text/html\r\nContent-Length: 0\r\n"
    "Last-Modified: Sat, 14 Nov 2026 18:00:00 GMT\r\nConnection: keep-alive\r\n"
    "ETag: \"6555b6a0-400\"\r\nAccept-Ranges: bytes\r\n\r\n";

// What a site behind a content network sends.
constexpr std::string_view kTypicalHead =
    "HTTP/1.1 200 OK\r\nDate: Sun, 15 Nov 2026 09:10:29 GMT\r\n"
    "Content-Type: text/html; charset=utf-8\r\nContent-Length: 0\r\nConnection: keep-alive\r\n"
    "Cache-Control: public, max-age=0, must-revalidate, stale-while-revalidate=60\r\n"
    "Content-Security-Policy: default-src 'self'; script-src 'self' 'unsafe-inline' "
    "https://static.example.com https://metrics.example.net; img-src * data:; style-src 'self' "
    "'unsafe-inline'; frame-ancestors 'none'\r\n"
    "Strict-Transport-Security: max-age=63072000; includeSubDomains; preload\r\n"
    "X-Content-Type-Options: nosniff\r\nX-Frame-Options: SAMEORIGIN\r\n"
    "Referrer-Policy: strict-origin-when-cross-origin\r\n"
    "Set-Cookie: session=2f1d6f0a9b7c4e55a1d8; Path=/; Expires=Mon, 15 Nov 2027 09:10:29 GMT; "
    "HttpOnly; Secure; SameSite=Lax\r\n"
    "Vary: Accept-Encoding, Cookie\r\nETag: W/\"6a0f-18c2f0d9a11\"\r\nAge: 12\r\n"
    "Via: 1.1 varnish\r\nX-Served-By: cache-fra-etou8220101-FRA\r\nX-Cache: HIT\r\n"
    "X-Cache-Hits: 3\r\nX-Timer: S1763197829.411,VS0,VE1\r\nServer: example\r\n\r\n";

constexpr std::string_view kRequest =
    "GET /articles/2026/11/page-17.html?from=home HTTP/1.1\r\nHost: www.example.com\r\n"
    "User-Agent: weft/0.1 (+https://example.com/bot)\r\nAccept: */*\r\n"
    "Accept-Encoding: gzip, br, zstd\r\n\r\n";

std::uint64_t checksum = 0;

void read_response(ResponseParser& parser, std::string_view bytes) {
    parser.start("GET");
    for (;;) {
        const auto step = parser.next(bytes);
        if (!step) std::abort();
        bytes.remove_prefix(step->consumed);
        checksum += step->body.size();
        if (step->event == ResponseParser::Event::end) break;
    }
    checksum += parser.headers().size();
}

void read_request(RequestParser& parser, std::string_view bytes) {
    parser.start();
    for (;;) {
        const auto step = parser.next(bytes);
        if (!step) std::abort();
        bytes.remove_prefix(step->consumed);
        if (step->event == RequestParser::Event::end) break;
    }
    checksum += parser.headers().size();
}

// Splits at line ends and colons, and checks nothing.
void read_naively(std::vector<std::pair<std::string, std::string>>& fields,
                  std::string_view bytes) {
    fields.clear();
    bytes.remove_prefix(bytes.find("\r\n") + 2);
    while (!bytes.starts_with("\r\n")) {
        const std::size_t end = bytes.find("\r\n");
        const std::string_view line = bytes.substr(0, end);
        const std::size_t colon = line.find(':');
        fields.emplace_back(line.substr(0, colon), line.substr(colon + 2));
        bytes.remove_prefix(end + 2);
    }
    checksum += fields.size();
}

// Nanoseconds for one call of `work`.
template <class Work>
double nanoseconds(Work work) {
    constexpr int kRounds = 20'000;
    return best_cpu_seconds(7,
                            [&] {
                                for (int i = 0; i < kRounds; ++i) work();
                            }) /
           kRounds * 1e9;
}

void measure_head(std::string_view name, std::string_view head) {
    ResponseParser parser;
    std::vector<std::pair<std::string, std::string>> fields;
    const double ours = nanoseconds([&] { read_response(parser, head); });
    const double naive = nanoseconds([&] { read_naively(fields, head); });
    figure(fmt::format("http.parser.{}", name), ours, "ns/head");
    figure(fmt::format("http.parser.{}_rate", name), static_cast<double>(head.size()) / ours * 1e3,
           "MB/s");
    figure(fmt::format("http.parser.{}_beside_naive", name), ours / naive, "x");
}

void measure_chunks() {
    std::string body = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
    for (int i = 0; i < 64; ++i) body += "400\r\n" + std::string(1024, 'x') + "\r\n";
    body += "0\r\n\r\n";
    ResponseParser parser;
    const double ours = nanoseconds([&] { read_response(parser, body); });
    figure("http.parser.chunked", ours / 64, "ns/chunk");
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft::bench;
    measure_head("small_response", kSmallHead);
    measure_head("typical_response", kTypicalHead);
    RequestParser parser;
    figure("http.parser.request", nanoseconds([&] { read_request(parser, kRequest); }), "ns/head");
    measure_chunks();
    return checksum == 0 ? 1 : 0;
}

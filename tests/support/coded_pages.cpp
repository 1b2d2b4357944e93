#include "support/coded_pages.h"

#include <array>
#include <iterator>

#include <fmt/format.h>

#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "base/hash.h"
#include "base/random.h"
#include "base/units.h"
#include "support/packing.h"

namespace weft::tests {

using aio::Co;

namespace {

std::string code(std::string_view coding, const std::string& content) {
    if (coding == "gzip") return gzip(content);
    if (coding == "br") return brotli(content);
    if (coding == "zstd") return zstd(content);
    if (coding == "deflate") return zlib(content);
    if (coding == "br, gzip") return gzip(brotli(content));
    return content;
}

Co<> answer(const CodedPage& page, const http::ServerRequest& request, http::Responder& responder) {
    if (request.target != "/") {
        co_await responder.reply({.status = 404});
        co_return;
    }
    http::Reply reply{.headers = {{"Content-Type", "text/html"}}, .body = page.body};
    if (!page.coding.empty()) reply.headers.emplace_back("Content-Encoding", page.coding);
    co_await responder.reply(std::move(reply));
}

}  // namespace

std::vector<CodedPage> make_coded_pages(std::size_t count) {
    static constexpr std::array<std::string_view, 6> kCodings{"gzip",    "br",       "zstd",
                                                              "deflate", "br, gzip", ""};
    std::vector<CodedPage> pages;
    for (std::size_t i = 0; i < count; ++i) {
        Random random(i);
        CodedPage page{.host = fmt::format("h{}.test", i),
                       .coding = std::string(kCodings[i % kCodings.size()])};
        page.content = fmt::format("<title>page {}</title>\n", i);
        const std::size_t bytes = 300_KiB + random.below(400_KiB);
        for (std::size_t line = 0; page.content.size() < bytes; ++line) {
            fmt::format_to(std::back_inserter(page.content), "<p>host {} line {}</p>\n", i, line);
        }
        page.body = code(page.coding, page.content);
        page.digest = hash64(page.content);
        pages.push_back(std::move(page));
    }
    return pages;
}

Co<> serve_coded_pages(aio::SimulatedLoop& loop, const std::vector<CodedPage>& pages,
                       std::uint64_t seed) {
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        Random random(seed);
        for (const CodedPage& page : pages) {
            // Few latencies, so that much comes at the same moment.
            loop.network()
                .host(page.host)
                .latency(std::chrono::milliseconds(random.below(3)))
                .jitter(std::chrono::microseconds(random.below(2)))
                .segments(512 + random.below(16_KiB))
                .buffers(16_KiB + random.below(256_KiB));
            http::Handler handler = [&page](const http::ServerRequest& request,
                                            http::Responder& responder) -> Co<> {
                co_await answer(page, request, responder);
            };
            group.create_task(
                http::serve(loop.network().listen(page.host, 80), std::move(handler)));
        }
        co_await aio::sleep(24h);
    });
}

}  // namespace weft::tests

// A crawler of one's own: it crawls a generated web that it serves itself, and counts.

#include <algorithm>

#include <fmt/format.h>

#include "aio/loop/run.h"
#include "aio/task/task_group.h"
#include "crawl/run/run.h"
#include "demo/server/server.h"

using namespace weft;

struct Index {
    std::size_t page_count = 0;
    std::size_t word_count = 0;
    std::uint64_t left_out_count = 0;
};

// Only articles, and the pages that lead to them.
std::optional<std::string> leave_out_rooms(const web::Url& url, const crawl::Trail&) {
    if (url.pathname().starts_with("/rooms/")) return "a room";
    return std::nullopt;
}

aio::Co<Index> make_index(std::string home) {
    crawl::Config config;
    config.seeds = {web::Url::parse(home).value()};
    config.wait = Duration::zero();  // The site is ours and likes to be asked.
    config.max_per_host = 8;
    config.requisites = crawl::Requisites::none;

    Index index;
    crawl::Hooks hooks;
    hooks.refuses = leave_out_rooms;
    hooks.on_page = [&](crawl::Page& page) -> aio::Co<> {
        if (!page.html || page.response.status != 200) co_return;
        ++index.page_count;
        index.word_count += static_cast<std::size_t>(std::ranges::count(page.content, ' '));
    };
    const crawl::Statistics numbers = co_await crawl::run(config, std::move(hooks));
    index.left_out_count = numbers.refused_by.at("a room");
    co_return index;
}

aio::Co<> serve_and_index() {
    demo::Listeners listeners = demo::listen(0);
    const std::string home = fmt::format("http://127.0.0.1:{}/", listeners.port);
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        group.create_task(demo::serve(std::move(listeners), {.page_count = 50}));
        const Index index = co_await make_index(home);
        fmt::print("{} pages, some {} words, {} links to rooms left out\n", index.page_count,
                   index.word_count, index.left_out_count);
        group.cancel();
    });
}

int main() {
    aio::run(serve_and_index());
}

// A crawler of one's own: what to look at, where to go, what to keep. It serves a made web in the
// same process, crawls it, and makes a little index of the longest titles.
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "aio/run.h"
#include "aio/task_group.h"
#include "crawl/run.h"
#include "demo/server.h"

namespace {

using namespace weft;

struct Index {
    std::vector<std::string> titles;
    std::size_t word_count = 0;
    std::size_t kept_out_count = 0;
};

// Only articles, and the pages that lead to them.
std::optional<std::string> leave_out_rooms(const web::Url& url, const crawl::Step&) {
    if (url.pathname().starts_with("/rooms/")) return "a room";
    return std::nullopt;
}

aio::Co<Index> make_index(const web::Url& home) {
    crawl::Config config;
    config.seeds = {home};
    config.wait = Duration::zero();  // The site is ours and likes to be asked.
    config.max_per_host = 8;
    config.requisites = crawl::Requisites::none;

    Index index;
    crawl::Hooks hooks;
    hooks.refuses = leave_out_rooms;
    hooks.on_page = [&](crawl::Page& page) -> aio::Co<> {
        if (!page.html || page.response.status != 200) co_return;
        index.titles.emplace_back(page.html->title.value_or("untitled"));
        index.word_count += static_cast<std::size_t>(std::ranges::count(page.content, ' '));
    };
    const crawl::Statistics numbers = co_await crawl::run(config, std::move(hooks));
    index.kept_out_count = numbers.refused_by.at("a room");
    std::ranges::sort(index.titles, std::greater(), &std::string::size);
    co_return index;
}

aio::Co<> serve_and_index() {
    demo::Listeners listeners = demo::listen(0);
    const web::Url home =
        web::Url::parse(fmt::format("http://127.0.0.1:{}/", listeners.port)).value();
    Index index;
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        group.create_task(demo::serve(std::move(listeners), {.page_count = 50}));
        index = co_await make_index(home);
        group.cancel();
    });
    fmt::print("{} pages, some {} words, {} links to rooms left out\n", index.titles.size(),
               index.word_count, index.kept_out_count);
    for (std::size_t i = 0; i < 3; ++i) fmt::print("  {}\n", index.titles[i]);
}

}  // namespace

int main() {
    aio::run(serve_and_index());
}

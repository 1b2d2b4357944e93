#pragma once

#include <charconv>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "aio/simulated/simulation.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "archive/index/page_reader.h"
#include "archive/warc/record_packer.h"
#include "crawl/folder/folder.h"
#include "crawl/run/crawler.h"
#include "http/server/responder.h"
#include "http/server/server.h"
#include "support/read_warc.h"
#include "web/url/url.h"

// A crawl of a small made site into a folder of simulated files.
namespace weft::crawl::made {

// More pages than any site here has.
inline constexpr std::size_t kAllPages = 1'000'000;

// Page n links to 2n+1 and 2n+2. Two pages share their content; the text is long enough for several
// WARC files.
struct MadeSite {
    int page_count = 24;
    std::map<std::string, std::string> more;  // By target: other pages, linked from the first.
    std::map<std::string, http::Reply> replies = {};  // By target: in place of the site's own.
    std::size_t request_count = 0;

    http::Reply answer(const std::string& target) {
        ++request_count;
        if (const auto found = replies.find(target); found != replies.end()) return found->second;
        if (target == "/robots.txt") return {.status = 404, .body = "none"};
        if (const auto found = more.find(target); found != more.end()) {
            return {.headers = {{"Content-Type", "text/html"}}, .body = found->second};
        }
        int number = 0;
        if (target != "/")
            std::from_chars(target.data() + 1, target.data() + target.size(), number);
        std::string body = fmt::format("<title>Page {}</title>", number);
        for (const int next : {2 * number + 1, 2 * number + 2}) {
            if (next < page_count) body += fmt::format("<a href=/{}>next</a>", next);
        }
        if (number == 0) {
            for (const auto& [each, page] : more) body += fmt::format("<a href={}>more</a>", each);
        }
        // No two letters alike, so that it does not shrink when it is packed.
        std::uint64_t state = static_cast<std::uint64_t>(number) + 1;
        for (int i = 0; i < 300; ++i) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            body += fmt::format("{:x} ", state >> 40);
        }
        return {.headers = {{"Content-Type", "text/html"}}, .body = std::move(body)};
    }
};

inline Config made_config() {
    Config config;
    config.seeds = {web::Url::parse("http://a.test/").value()};
    config.output = "crawl";
    config.wait = Duration::zero();
    config.sitemaps = false;
    return config;
}

inline FolderOptions made_options() {
    FolderOptions options;
    options.warc.bytes_max = 4'000;
    options.settings = "url = [\"http://a.test/\"]\n";
    return options;
}

// Crawls until the site is done, or `stop_after` pages are; begins or goes on.
inline aio::Co<> crawl_made_site(aio::SimulatedLoop& simulation, MadeSite& site, Config config,
                                 FolderOptions options, bool is_new, bool finishes,
                                 std::size_t stop_after) {
    const std::unique_ptr<CrawlFolder> folder = is_new
                                                    ? co_await CrawlFolder::create(config, options)
                                                    : co_await CrawlFolder::open(config, options);
    Crawler* running = nullptr;
    std::size_t count = 0;
    Crawler crawler(config, folder->frontier(), folder->page_files(),
                    Hooks{.on_outcome = [&](const Outcome&) {
                        if (++count == stop_after) running->stop();
                    }});
    running = &crawler;
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        http::Handler handler = [&site](const http::ServerRequest& request,
                                        http::Responder& responder) -> aio::Co<> {
            co_await responder.reply(site.answer(request.target));
        };
        group.create_task(
            http::serve(simulation.network().listen("a.test", 80), std::move(handler)));
        co_await aio::yield_now();
        co_await crawler.run();
        group.cancel();
    });
    if (finishes) {
        co_await folder->finish();
    } else {
        folder->flush_pages();
    }
}

using Contents = std::map<std::string, std::string>;

// All files below a folder, by their path.
inline void read_tree(aio::FileSystem& files, const std::filesystem::path& path, Contents& out) {
    std::vector<std::string> names;
    try {
        names = files.list(path);
    } catch (const Error&) {
        out[path.string()] = files.read_all(path, 64_MiB);
        return;
    }
    for (const std::string& name : names) read_tree(files, path / name, out);
}

inline Contents read_tree(aio::FileSystem& files, const std::filesystem::path& path) {
    Contents contents;
    read_tree(files, path, contents);
    return contents;
}

// They survive a loss of power.
inline void write_tree(aio::FileSystem& files, const Contents& contents) {
    for (const auto& [path, bytes] : contents) {
        const std::filesystem::path parent = std::filesystem::path(path).parent_path();
        files.create_directories(parent);
        files.write_all(path, bytes);
        for (std::filesystem::path each = parent; !each.empty(); each = each.parent_path()) {
            files.sync_directory(each.has_parent_path() ? each.parent_path() : ".");
        }
    }
}

// The files in which two folders differ.
inline std::string differences(const Contents& a, const Contents& b) {
    std::string names;
    for (const auto& [path, bytes] : a) {
        const auto other = b.find(path);
        if (other == b.end()) names += "only the first has " + path + "\n";
        if (other != b.end() && other->second != bytes) names += path + " differs\n";
    }
    for (const auto& [path, bytes] : b) {
        if (!a.contains(path)) names += "only the second has " + path + "\n";
    }
    return names;
}

// The pages of the page log: their endings, by URL; a URL twice is an error in the text.
inline std::map<std::string, std::string> pages_of(aio::FileSystem& files) {
    std::map<std::string, std::string> pages;
    const auto log = files.open("crawl/pages/pages.jsonl", aio::OpenMode::read);
    archive::read_pages(*log, [&](const Outcome& entry) {
        const bool is_first =
            pages.emplace(entry.url, fmt::format("{} {}", name(entry.ending), entry.digest)).second;
        if (!is_first) pages[entry.url] = "listed twice";
    });
    return pages;
}

// How often each address has an answer in the archive; damage is an error in the text.
inline std::map<std::string, int> answers_of(aio::FileSystem& files) {
    std::map<std::string, int> answers;
    for (const std::string& name : files.list("crawl/archive")) {
        if (!archive::is_warc_name(name)) continue;
        const std::string bytes = files.read_all("crawl/archive/" + name, 64_MiB);
        const archive::WarcContents contents = archive::read_warc(bytes);
        if (contents.error) ++answers["damage in " + name];
        for (const archive::StoredRecord& record : contents.records) {
            if (!record.end.is_complete) ++answers["a torn record in " + name];
            const std::string_view type = record.header.type();
            if (type == "response" || type == "revisit") ++answers[record.header.target_uri()];
        }
    }
    return answers;
}

}  // namespace weft::crawl::made

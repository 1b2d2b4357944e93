// Step 6 of the ladder: the whole crawler, on weft's own libraries.
//
//     6_aio [options] URL...        6_aio --help lists the options
//
// It crawls the hosts of the URLs with a number of workers that share a queue, follows redirects
// one hop at a time, tries again what failed, and ends in a report. Exit status: 0 all is well, 1
// some URL failed or was answered with an error, 2 the command line is wrong, 130 interrupted.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <ctime>
#include <expected>
#include <map>
#include <set>

#include <fmt/format.h>
#include <re2/re2.h>

#include "aio/aio.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/log.h"
#include "base/random.h"
#include "http/client/client.h"
#include "web/charset/decode_text.h"
#include "web/charset/sniff_encoding.h"
#include "web/fields/date.h"
#include "web/fields/mime.h"
#include "web/host/public_suffix.h"
#include "web/html/html.h"
#include "web/robots/robots.h"
#include "web/url/canonical.h"

namespace weft::ladder {

using aio::Co;

constexpr std::string_view kAgent = "weft-ladder";
constexpr Duration kFirstPause = 250ms;  // Before the second try; doubled before each other one,
constexpr Duration kPauseMax = 30s;      // up to this.
constexpr std::uint64_t kPageBytesMax = 16 << 20;  // A longer one is cut.

struct Options {
    std::vector<std::string> roots;
    int max_redirect = 10;
    int max_tries = 4;
    int max_tasks = 100;
    std::size_t max_per_host = 8;
    std::size_t max_pages = 100'000;
    std::string exclude;  // An expression that is looked for in the URL. Empty: none.
    bool lenient = false;
    LogLevel level = LogLevel::info;
};

// What became of one URL.
struct FetchStatistic {
    std::string url;
    std::string next_url = {};   // Of a redirect.
    int status = 0;              // 0: there was no answer,
    std::string failure = {};    // but this, "connect_refused",
    std::string exception = {};  // and in words.
    std::uint64_t size = 0;
    std::string content_type = {};
    std::string encoding = {};
    std::size_t url_count = 0;
    std::size_t new_url_count = 0;

    bool is_bad() const { return failure != "robots_denied" && (status == 0 || status >= 400); }
    bool is_html() const { return content_type == "text/html"; }
};

// As the report has it; what is not known is a dash.
std::string line_of(const FetchStatistic& fetch) {
    const std::string url = escape_for_terminal(fetch.url);
    if (fetch.status == 0) return fmt::format("{} error {}", url, fetch.exception);
    std::string line = fmt::format("{} {} ", url, fetch.status);
    if (!fetch.next_url.empty()) return line + "redirect " + fetch.next_url;
    const std::string type = fetch.content_type.empty() ? "-" : fetch.content_type;
    line += escape_for_terminal(fmt::format("{} {} {}", type, fetch.encoding, fetch.size));
    if (fetch.is_html()) line += fmt::format(" {}/{}", fetch.new_url_count, fetch.url_count);
    return line;
}

// Which URLs belong to the crawl.
class Scope {
public:
    explicit Scope(const Options& options) : lenient_(options.lenient) {
        if (lenient_) suffixes_ = web::PublicSuffixList::load();
        if (options.exclude.empty()) return;
        exclude_ = std::make_unique<RE2>(options.exclude, RE2::Quiet);
        if (!exclude_->ok()) throw UsageError("--exclude: " + exclude_->error());
    }

    void add_root(const web::Url& root) {
        hosts_.insert(owner_of(root));
        ports_.insert(root.effective_port().value_or(0));
    }

    bool allows(const web::Url& url) const {
        if (!url.is_http() || !hosts_.contains(owner_of(url))) return false;
        if (!ports_.contains(url.effective_port().value_or(0))) return false;
        return !exclude_ || !RE2::PartialMatch(url.href(), *exclude_);
    }

private:
    // What two hosts must have in common: an address all of it, a name all but a leading "www."
    // or, if lenient, the domain that somebody has registered.
    std::string owner_of(const web::Url& url) const {
        std::string_view host = url.hostname();
        if (url.host_kind() != web::HostKind::domain) return std::string(host);
        if (lenient_) host = suffixes_->registrable_domain(host).value_or(host);
        if (host.starts_with("www.")) host.remove_prefix(4);
        return std::string(host);
    }

    bool lenient_;
    std::optional<web::PublicSuffixList> suffixes_;
    std::unique_ptr<RE2> exclude_;
    std::set<std::string> hosts_;
    std::set<std::uint16_t> ports_ = {80, 443};
};

// The text of a page, kept only if there may be links in it.
class PageSink final : public http::ResponseSink {
public:
    void on_start() override { content_.clear(); }

    void on_head(const http::Response& response) override {
        const std::string_view header = response.headers.get("Content-Type").value_or("");
        content_type_ = to_lower(trim(header.substr(0, header.find(';'))));
        header_ = header;
        has_links_ = response.status == 200 &&
                     (content_type_ == "text/html" || content_type_ == "application/xml" ||
                      content_type_ == "text/xml" || content_type_ == "application/xhtml+xml");
    }

    void on_content(std::string_view piece) override {
        if (has_links_) content_ += piece;
    }

    const std::string& content_type() const { return content_type_; }

    // As the server says, else as the page does, else UTF-8.
    std::string encoding() const {
        const web::MimeType type = web::MimeType::parse(header_).value_or(web::MimeType());
        if (const auto charset = type.parameter("charset")) return to_lower(*charset);
        return has_links_ ? to_lower(web::name(guess())) : "utf-8";
    }

    std::optional<web::HtmlPage> read() const {
        if (!has_links_) return std::nullopt;
        return web::read_html(web::decode_text(guess(), content_));
    }

private:
    web::Encoding guess() const {
        const web::EncodingGuess guess = web::guess_encoding(content_, header_);
        return guess.source == web::EncodingSource::fallback ? web::Encoding::utf_8
                                                             : guess.encoding;
    }

    std::string header_;
    std::string content_type_;
    std::string content_;
    bool has_links_ = false;
};

// Workers, a queue, and what became of it all. On one loop.
class Crawler {
public:
    explicit Crawler(Options options) : options_(std::move(options)), scope_(options_) {
        client_options_.user_agent = fmt::format("{}/1.0 (an example of weft)", kAgent);
        client_options_.limits.content_bytes_max = kPageBytesMax;
        client_options_.pool = {.connections_max = static_cast<std::size_t>(options_.max_tasks),
                                .per_host_max = options_.max_per_host,
                                .per_address_max = options_.max_per_host};
        for (const std::string& root : options_.roots) add_root(root);
    }

    // Until all that was found is done. Cancelled, it leaves its results as they are.
    Co<> crawl() {
        http::Client client(client_options_);
        client_ = &client;
        started_ = ended_ = aio::EventLoop::running().time();
        co_await aio::task_group([this](aio::TaskGroup& group) -> Co<> {
            for (int i = 0; i < options_.max_tasks; ++i) group.create_task(work(), "worker");
            co_await queue_.join();
            group.cancel();
        });
    }

    const std::vector<FetchStatistic>& done() const { return done_; }
    std::size_t todo_count() const { return queue_.size() + under_way_; }
    Duration elapsed() const { return ended_ - started_; }
    const Options& options() const { return options_; }

private:
    struct Item {
        web::Url url;
        int trail;
    };

    void add_root(const std::string& text) {
        const bool has_scheme = text.find("://") != std::string::npos;
        auto url = web::Url::parse(has_scheme ? text : "http://" + text, web::kBoundedUrl);
        if (!url || !url->is_http()) {
            throw UsageError(fmt::format("'{}' is no http URL", escape_for_terminal(text)));
        }
        // Who names an address of this machine or network means it; who is led there does not.
        std::string_view host = url->hostname();
        if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
        if (host == "localhost") host = "127.0.0.0/8";
        if (const auto network = http::AddressRange::parse(host))
            client_options_.addresses.allow(*network);
        scope_.add_root(*url);
        add_url(std::move(*url), options_.max_redirect);
    }

    // True if it is new. Seen and queued in one step, so that no URL is fetched twice.
    bool add_url(web::Url url, int trail) {
        if (seen_.size() >= options_.max_pages) return false;
        url = clean(std::move(url));
        if (!seen_.insert(web::canonical_key(url)).second) return false;
        queue_.put_nowait({std::move(url), trail});
        return true;
    }

    // Without what makes no other page: a fragment, a user, a dot at the end of the host.
    static web::Url clean(web::Url url) {
        url = url.without_fragment();
        url.set_username("");
        url.set_password("");
        const std::string host(url.hostname());
        if (host.ends_with('.')) url.set_hostname(host.substr(0, host.size() - 1));
        return url;
    }

    // Nothing that a server does ends a worker: what fails is a result.
    Co<> work() {
        for (;;) {
            const Item item = co_await queue_.get();
            ++under_way_;
            try {
                co_await visit(item);
            } catch (const http::FetchError& error) {
                fail(item, http::name(error.failure()), error.reason());
            } catch (const Error& error) {
                fail(item, "error", error.what());
            }
            --under_way_;
            ended_ = aio::EventLoop::running().time();
            queue_.task_done();
        }
    }

    void fail(const Item& item, std::string_view failure, std::string_view words) {
        record({.url = item.url.href(),
                .failure = std::string(failure),
                .exception = std::string(words)});
    }

    void record(FetchStatistic statistic) {
        log(LogLevel::debug, "{}", line_of(statistic));
        done_.push_back(std::move(statistic));
    }

    Co<> visit(const Item& item) {
        const bool is_welcome = co_await ask_robots(item.url);
        if (!is_welcome) co_return fail(item, "robots_denied", "kept out by robots.txt");
        PageSink page;
        const http::Response response = co_await fetch(item.url, page);
        FetchStatistic statistic{.url = item.url.href(), .status = response.status};
        if (const auto target = redirect_target(item.url, response)) {
            statistic.next_url = target->href();
            record(statistic);
            follow_redirect(item, *target);
            co_return;
        }
        statistic.size = response.content_bytes;
        statistic.content_type = page.content_type();
        statistic.encoding = page.encoding();
        if (const auto html = page.read()) follow_links(item.url, *html, statistic);
        record(statistic);
    }

    // One whole answer. What may go better later is tried again, later each time; so is a server
    // that says that it is busy.
    Co<http::Response> fetch(const web::Url& url, PageSink& page) {
        Duration pause = kFirstPause;
        for (int attempt = 1;; ++attempt, pause = std::min(pause * 2, kPauseMax)) {
            const bool is_last = attempt == options_.max_tries;
            Duration wait = pause / 2 + pause * static_cast<int>(random_.below(1000)) / 2000;
            try {
                http::Response response = co_await client_->fetch({.url = url}, page);
                const bool is_busy = response.status == 429 || response.status == 503;
                const char* word = is_busy ? "busy" : "success";
                if (attempt > 1) log(LogLevel::info, "try {} for {} {}", attempt, url.href(), word);
                if (!is_busy || is_last) co_return response;
                const auto header = response.headers.get("Retry-After").value_or("");
                const auto now = aio::EventLoop::running().wall_time();
                wait = std::min(web::parse_retry_after(header, now).value_or(wait), kPauseMax);
            } catch (const http::FetchError& error) {
                log(LogLevel::info, "try {} for {} raised {}", attempt, url.href(), error.reason());
                if (is_last || !http::is_transient(error.failure())) {
                    log(LogLevel::error, "{} failed after {} tries", url.href(), attempt);
                    throw;
                }
            }
            co_await aio::sleep(wait);
        }
    }

    // A redirect that names no place, or none that can be read, is an answer like any other.
    static std::optional<web::Url> redirect_target(const web::Url& url,
                                                   const http::Response& response) {
        if (!response.is_redirect() && response.status != 300) return std::nullopt;
        const auto location = response.headers.get("Location");
        if (!location || response.headers.disagrees("Location")) return std::nullopt;
        auto target = url.resolve(*location, web::kBoundedUrl);
        if (!target) return std::nullopt;
        return clean(std::move(*target));
    }

    // Through the queue, not at once: where two ways meet, the rest is gone once.
    void follow_redirect(const Item& item, const web::Url& target) {
        if (!scope_.allows(target)) {
            log(LogLevel::info, "redirect from {} leaves the scope: {}", item.url.href(),
                target.href());
        } else if (item.trail > 0) {
            add_url(target, item.trail - 1);
        } else if (!seen_.contains(web::canonical_key(target))) {
            log(LogLevel::error, "redirect limit reached for {} from {}", target.href(),
                item.url.href());
        }
    }

    void follow_links(const web::Url& url, const web::HtmlPage& page, FetchStatistic& statistic) {
        const web::Url base = url.resolve(page.base_href.value_or("")).value_or(url);
        const bool nofollow = std::ranges::any_of(page.robots, &web::HtmlRobots::nofollow);
        std::set<std::string> links;
        for (const web::HtmlLink& link : page.links) {
            const bool is_link =
                link.attribute == "href" && (link.element == "a" || link.element == "area");
            if (!is_link || nofollow || to_lower(link.rel).contains("nofollow")) continue;
            auto target = base.resolve(link.value, web::kBoundedUrl);
            if (!target) continue;
            *target = clean(std::move(*target));
            if (!scope_.allows(*target)) continue;
            if (!links.insert(web::canonical_key(*target)).second) continue;
            if (add_url(std::move(*target), options_.max_redirect)) ++statistic.new_url_count;
        }
        statistic.url_count = links.size();
    }

    // Whether the origin lets us; if it wants pauses, after the pause. Its robots.txt is fetched
    // once, however many ask at the same time.
    Co<bool> ask_robots(const web::Url& url) {
        Rules& rules = rules_[url.origin()];
        const aio::Lock::Guard guard = co_await rules.lock.acquire();
        if (!rules.robots) {
            http::ContentBuffer file;
            try {
                http::Request request{.url = url.resolve("/robots.txt").value()};
                const http::Response response = co_await client_->fetch(std::move(request), file);
                if (response.status != 200) file.content.clear();
                if (response.status >= 500) file.content = "User-agent: *\nDisallow: /";
            } catch (const http::FetchError&) {
                file.content.clear();  // The page itself will show what is wrong.
            }
            rules.robots = web::Robots::parse(file.content);
        }
        if (!rules.robots->allows(kAgent, url.path_and_query())) co_return false;
        const TimePoint now = aio::EventLoop::running().time();
        const TimePoint start = std::max(now, rules.next_start);
        rules.next_start = start + rules.robots->crawl_delay(kAgent).value_or(Duration::zero());
        if (start > now) co_await aio::sleep(start - now);
        co_return true;
    }

    struct Rules {
        aio::Lock lock;
        std::optional<web::Robots> robots;
        TimePoint next_start{};
    };

    const Options options_;
    Scope scope_;
    http::ClientOptions client_options_;
    http::Client* client_ = nullptr;  // While it crawls.
    aio::Queue<Item> queue_;
    std::set<std::string> seen_;
    std::map<std::string, Rules> rules_;  // By origin.
    std::vector<FetchStatistic> done_;
    std::size_t under_way_ = 0;
    Random random_ = Random::from_system();
    TimePoint started_{};
    TimePoint ended_{};  // The last visit.
};

std::map<std::string, std::uint64_t> count(const std::vector<FetchStatistic>& done) {
    std::map<std::string, std::uint64_t> counters;
    for (const FetchStatistic& statistic : done) {
        if (statistic.status == 0) {
            ++counters["fail"];
            ++counters["fail_" + statistic.failure];
            continue;
        }
        std::string kind = "error";
        if (statistic.status == 200) kind = statistic.is_html() ? "html" : "other";
        if (!statistic.next_url.empty()) kind = "redirect";
        ++counters[kind];
        if (kind != "redirect") counters[kind + "_bytes"] += statistic.size;
        ++counters[fmt::format("status_{}", statistic.status)];
    }
    return counters;
}

// Every URL, sorted; then the sums.
std::string report(const Crawler& crawler) {
    std::vector<FetchStatistic> done = crawler.done();
    std::ranges::sort(done, {}, &FetchStatistic::url);
    std::string text = "*** Report ***\n";
    for (const FetchStatistic& statistic : done) text += line_of(statistic) + "\n";
    const double seconds = std::chrono::duration<double>(crawler.elapsed()).count();
    const double speed = seconds > 0 ? static_cast<double>(done.size()) / seconds : 0;
    const int tasks = crawler.options().max_tasks;
    text += fmt::format(
        "Finished {} urls in {:.3f} secs (max_tasks={}) ({:.3f} urls/sec/task, {:.0f} urls/sec)\n",
        done.size(), seconds, tasks, speed / tasks, speed);
    for (const auto& [name, number] : count(done)) text += fmt::format("{:10} {}\n", number, name);
    const std::time_t now = std::time(nullptr);
    return text + fmt::format("Todo: {}\nDone: {}\nDate: {} local time\n", crawler.todo_count(),
                              done.size(), trim(std::ctime(&now)));
}

// The options, or the exit status if there is nothing to be done.
std::expected<Options, int> parse_options(int argc, char** argv) {
    Options options;
    CLI::App app("Crawls the hosts of the URLs and reports on every page.", "6_aio");
    app.option_defaults()->always_capture_default();
    app.add_option("URL", options.roots, "where to begin; http:// may be left out");
    app.add_option("--max-redirect,--max_redirect", options.max_redirect, "hops for one URL");
    const auto add_number = [&](const char* names, auto& number, const char* what) {
        app.add_option(names, number, what)->check(CLI::PositiveNumber);
    };
    add_number("--max-tries,--max_tries", options.max_tries, "tries for one URL");
    add_number("--max-tasks,--max_tasks", options.max_tasks, "workers");
    add_number("--max-per-host", options.max_per_host, "connections to one host");
    add_number("--max-pages", options.max_pages, "URLs in all: some sites have no end");
    app.add_option("--exclude", options.exclude, "leave out URLs in which this is found");
    app.add_flag("--lenient,!--strict", options.lenient, "the domain decides, not the host");
    app.add_flag_callback(
        "-v,--verbose", [&] { options.level = LogLevel::debug; }, "log every URL");
    app.add_flag_callback(
        "-q,--quiet", [&] { options.level = LogLevel::error; }, "log errors only");
    app.add_flag_callback(
        "--select", [] { setenv("WEFT_SELECTOR", "select", 1); }, "in place of epoll");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return std::unexpected(app.exit(error) == 0 ? 0 : 2);
    }
    if (options.roots.empty()) {
        fmt::print("Use --help for command line help\n");
        return std::unexpected(0);
    }
    return options;
}

int run(const Options& options) {
    set_log_level(options.level);
    Crawler crawler(options);
    bool is_interrupted = false;
    try {
        aio::run(crawler.crawl());
    } catch (const aio::KeyboardInterrupt&) {
        fmt::print(stderr, "Interrupted\n");
        is_interrupted = true;
    }
    std::signal(SIGINT, SIG_IGN);  // The report is written to its end.
    fmt::print("{}", report(crawler));
    if (is_interrupted) return 130;
    return std::ranges::any_of(crawler.done(), &FetchStatistic::is_bad) ? 1 : 0;
}

}  // namespace weft::ladder

int main(int argc, char** argv) {
    const auto options = weft::ladder::parse_options(argc, argv);
    if (!options) return options.error();
    try {
        return weft::ladder::run(*options);
    } catch (const weft::UsageError& error) {
        fmt::print(stderr, "6_aio: {}\n", error.what());
        return 2;
    }
}

// What people ask of a crawl of a million URLs: `weft report` and `weft explain`, as programs. The
// crawl is made without a network: its folder is filled as a crawler would fill it.
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "aio/sync/semaphore.h"
#include "aio/task/task_group.h"
#include "base/random.h"
#include "bench/figure.h"
#include "bench/process.h"
#include "crawl/folder/folder.h"

namespace weft::bench {
namespace {

using aio::Co;

constexpr std::size_t kHostCount = 1'000;
constexpr std::size_t kUnderWayMax = 512;
constexpr std::uint64_t kLinksPerPage = 2;

std::uint64_t url_count() {
    const char* given = std::getenv("WEFT_BENCH_URLS");
    return given ? static_cast<std::uint64_t>(number_at(given)) : 1'000'000;
}

std::string url_of(std::uint64_t number) {
    return fmt::format("http://www.host-{}.example/section-{}/an-article-about-{:x}.html",
                       number % kHostCount, number % 50, number);
}

frontier::Candidate candidate_of(std::uint64_t number) {
    frontier::Candidate candidate;
    candidate.url = candidate.key = url_of(number);
    candidate.host = fmt::format("www.host-{}.example", number % kHostCount);
    candidate.depth = 3;
    return candidate;
}

// What a visit would bring home: most pages are fine, some are broken, copies, redirects.
crawl::Outcome outcome_of(const frontier::Visit& visit, WallTime date, Random& random) {
    crawl::Outcome outcome;
    outcome.url = visit.candidate.url;
    outcome.referrer = visit.candidate.referrer;
    outcome.depth = visit.candidate.depth;
    outcome.date = date;
    outcome.elapsed = std::chrono::milliseconds(5 + random() % 400);
    outcome.timings.first_byte = outcome.elapsed / 2;
    outcome.ending = crawl::Ending::fetched;
    const std::uint64_t dice = random() % 100;
    outcome.status = dice < 3 ? 404 : 200;
    outcome.content_type = "text/html";
    outcome.charset = "UTF-8";
    outcome.content_bytes = 1'000 + random() % 100'000;
    outcome.digest = fmt::format("xxh3:{:016x}", dice < 10 ? random() % 1'000 : random());
    outcome.title = "An article about something, and what became of it";
    outcome.address = "192.0.2.1:443";
    outcome.link_count = 40;
    outcome.refused = {{"other_host", 3}, {"depth", 1}};
    if (dice >= 97) {
        outcome.ending = crawl::Ending::redirect;
        outcome.status = 301;
        outcome.redirect_target = url_of(random() % 1'000);
    }
    return outcome;
}

// Fills a folder with `count` pages that are done and about as many that wait.
class MadeCrawl {
public:
    MadeCrawl(std::filesystem::path path, std::uint64_t count) : count_(count) {
        config_.output = std::move(path);
        config_.archive = false;
        config_.seeds.push_back(web::Url::parse(url_of(0)).value());
    }

    Co<> make() {
        crawl::FolderOptions options;
        options.max_per_host = kUnderWayMax;
        options.frontier_memory_bytes = 128_MiB;  // What `weft crawl` gives it.
        options.sync = frontier::SyncMode::never;
        options.settings = fmt::format("url = [\"{}\"]\n", url_of(0));
        const auto folder = co_await crawl::CrawlFolder::create(config_, options);
        frontier_ = &folder->frontier();
        std::vector<frontier::Candidate> seeds;
        for (std::size_t i = 0; i < kHostCount; ++i) seeds.push_back(candidate_of(next_++));
        co_await frontier_->push(std::move(seeds));
        co_await aio::task_group([this](aio::TaskGroup& group) -> Co<> {
            for (std::uint64_t done = 0; done < count_; ++done) {
                aio::Semaphore::Permit permit = co_await places_.acquire();
                std::optional<frontier::Visit> visit = co_await frontier_->next();
                if (!visit) co_return;
                group.create_task(finish(*std::move(visit), std::move(permit)));
            }
        });
        co_await folder->finish();
    }

private:
    Co<> finish(frontier::Visit visit, aio::Semaphore::Permit) {
        frontier::Completion completion{.visit_id = visit.id};
        for (std::uint64_t i = 0; i < kLinksPerPage; ++i) {
            completion.found.push_back(candidate_of(next_++));
        }
        completion.outcome = archive::to_json_line(
            outcome_of(visit, aio::EventLoop::running().wall_time(), random_));
        co_await frontier_->complete(std::move(completion));
    }

    crawl::Config config_;
    std::uint64_t count_;
    frontier::KeptFrontier* frontier_ = nullptr;
    aio::Semaphore places_{kUnderWayMax};
    std::uint64_t next_ = 0;
    Random random_{1};
};

struct Run {
    double seconds = 1e300;
    double resident_mib = 0;
};

// The program `weft` with these arguments, its output thrown away.
Run run_weft(const std::vector<std::string>& arguments) {
    const char* build = std::getenv("WEFT_BUILD");
    const std::string program = std::string(build ? build : "build/bench") + "/src/cli/weft";
    const auto start = std::chrono::steady_clock::now();
    const pid_t pid = fork();
    if (pid == 0) {
        dup2(open("/dev/null", O_WRONLY), STDOUT_FILENO);
        std::vector<char*> argv{const_cast<char*>(program.c_str())};
        for (const std::string& each : arguments) argv.push_back(const_cast<char*>(each.c_str()));
        argv.push_back(nullptr);
        execv(program.c_str(), argv.data());
        _exit(127);
    }
    int status = 0;
    rusage usage{};
    wait4(pid, &status, 0, &usage);
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    if (status != 0) {
        fmt::print(stderr, "weft {} failed\n", arguments.front());
        std::exit(1);
    }
    return {taken.count(), static_cast<double>(usage.ru_maxrss) / 1024};
}

Run best_of(int count, const std::vector<std::string>& arguments) {
    Run best;
    for (int i = 0; i < count; ++i) {
        const Run run = run_weft(arguments);
        if (run.seconds < best.seconds) best = run;
    }
    return best;
}

void measure(const std::string& folder, std::uint64_t count) {
    const Run report = best_of(2, {"report", folder});
    figure("report of a million pages", report.seconds, "s", "<=10");
    figure("memory of that report", report.resident_mib, "MiB", "<=512");
    const Run html = best_of(1, {"report", "--format", "html", folder});
    figure("the same as HTML", html.seconds, "s", "<=10");
    const Run graph = best_of(1, {"report", "--graph", "graphml", folder});
    figure("its graph", graph.seconds, "s");
    double worst = 0;
    for (const std::uint64_t number :
         {std::uint64_t{0}, count / 2, count - 1, 2 * count, 9 * count}) {
        worst = std::max(worst, best_of(3, {"explain", folder, url_of(number)}).seconds);
    }
    figure("explain a URL of a million, the slowest of five", 1000 * worst, "ms", "<=100");
}

// In a process of its own: what is measured starts from a small one, whose memory counts as theirs.
void make_crawl(const std::string& folder, std::uint64_t count) {
    const pid_t pid = fork();
    if (pid == 0) {
        aio::run(MadeCrawl(folder, count).make());
        _exit(0);
    }
    int status = 0;
    waitpid(pid, &status, 0);
    if (status == 0) return;
    fmt::print(stderr, "the crawl could not be made\n");
    std::exit(1);
}

}  // namespace
}  // namespace weft::bench

int main() {
    const std::uint64_t count = weft::bench::url_count();
    char name[] = "/tmp/weft-bench-XXXXXX";
    const std::string folder = std::string(mkdtemp(name)) + "/crawl";
    weft::bench::make_crawl(folder, count);
    weft::bench::measure(folder, count);
    std::filesystem::remove_all(name);
}

#include "frontier/shards/disk_frontier.h"

#include "frontier/bench/shell.h"

namespace weft::frontier {

using aio::Co;

Co<std::unique_ptr<DiskFrontier>> DiskFrontier::open(std::filesystem::path path,
                                                     DiskOptions options) {
    auto shell = std::make_shared<Shell>(std::move(options));
    co_await shell->open(std::move(path));
    // The tasks start only when the store is open, so that a failed open() leaves nothing running.
    shell->start(shell);
    co_return std::unique_ptr<DiskFrontier>(new DiskFrontier(std::move(shell)));
}

DiskFrontier::DiskFrontier(std::shared_ptr<Shell> shell) : shell_(std::move(shell)) {}

DiskFrontier::~DiskFrontier() {
    shell_->stop();
}

const Recovered& DiskFrontier::recovered() const {
    return shell_->recovered();
}

Co<std::size_t> DiskFrontier::push(std::vector<Candidate> candidates) {
    const Answer answer = co_await shell_->submit(PushRequest{std::move(candidates)});
    co_return answer.new_count;
}

Co<std::optional<Visit>> DiskFrontier::next() {
    co_return co_await shell_->next();
}

Co<std::size_t> DiskFrontier::complete(Completion completion) {
    const Answer answer = co_await shell_->complete(std::move(completion));
    co_return answer.new_count;
}

Co<HostCounts> DiskFrontier::host_counts(std::string host) {
    const Answer answer = co_await shell_->submit(AskRequest{std::move(host)});
    co_return answer.host;
}

Co<> DiskFrontier::change_host(HostChange change) {
    co_await shell_->change_host(std::move(change));
}

void DiskFrontier::close() {
    shell_->close();
}

Counts DiskFrontier::counts() const {
    return shell_->counts();
}

Co<> DiskFrontier::checkpoint() {
    co_await shell_->checkpoint();
}

Co<> DiskFrontier::finish() {
    co_await shell_->finish();
}

}  // namespace weft::frontier

#include "frontier/shards/disk_frontier.h"

#include "frontier/bench/committer.h"

namespace weft::frontier {

using aio::Co;

Co<std::unique_ptr<DiskFrontier>> DiskFrontier::open(std::filesystem::path path,
                                                     DiskOptions options) {
    auto committer = std::make_shared<Committer>(std::move(options));
    co_await committer->open(std::move(path));
    // The tasks start only when the store is open, so that a failed open() leaves nothing running.
    committer->start(committer);
    co_return std::unique_ptr<DiskFrontier>(new DiskFrontier(std::move(committer)));
}

DiskFrontier::DiskFrontier(std::shared_ptr<Committer> committer)
    : committer_(std::move(committer)) {}

DiskFrontier::~DiskFrontier() {
    committer_->stop();
}

const Recovered& DiskFrontier::recovered() const {
    return committer_->recovered();
}

Co<std::size_t> DiskFrontier::push(std::vector<Candidate> candidates) {
    const Answer answer = co_await committer_->submit(std::move(candidates));
    co_return answer.new_count;
}

Co<std::optional<Visit>> DiskFrontier::next() {
    co_return co_await committer_->next();
}

Co<Completed> DiskFrontier::complete(Completion completion) {
    const Answer answer = co_await committer_->complete(std::move(completion));
    co_return Completed{.new_count = answer.new_count};
}

Co<HostCounts> DiskFrontier::host_counts(std::string host) {
    const Answer answer = co_await committer_->submit(std::move(host));
    co_return answer.host;
}

Co<> DiskFrontier::change_host(HostChange change) {
    co_await committer_->change_host(std::move(change));
}

void DiskFrontier::close() {
    committer_->close();
}

Counts DiskFrontier::counts() const {
    return committer_->counts();
}

Co<> DiskFrontier::checkpoint() {
    co_await committer_->checkpoint();
}

Co<> DiskFrontier::finish() {
    co_await committer_->finish();
}

}  // namespace weft::frontier

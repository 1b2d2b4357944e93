#include "crawl/check/link_check.h"

#include <algorithm>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/task/sleep.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/units.h"
#include "crawl/politeness/politeness.h"
#include "web/url/canonical.h"
#include "web/url/page_query_encoder.h"
#include "web/url/percent.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr Duration kDrainTime = 5s;     // For requests under way when the check is stopped.
constexpr std::size_t kProbesMax = 64;  // Probes under way at once, over all hosts.
constexpr Duration kUnreachedPause = 1s;
constexpr Duration kUnreachedPauseMax = 3s;  // The breaker's longest pause.
constexpr int kRedirectsMax = 64;            // Redirects in a row within the scope.

// Whether a link that is not crawled because of this rule is still checked with one request. Links
// that are traps, have side effects or exceed a budget are not.
bool is_worth_asking(Refusal rule) {
    switch (rule) {
        case Refusal::other_page:
        case Refusal::outside_prefix:
        case Refusal::other_host:
        case Refusal::other_domain:
        case Refusal::other_port:
        case Refusal::not_included:
        case Refusal::depth:
        case Refusal::nofollow: return true;
        default: return false;
    }
}

// The part of a page that a fragment names. Empty if the fragment needs no such part: "#top", a
// text fragment (":~:"), or the state of a script ("#!", "#/").
std::string_view anchor_of(std::string_view fragment) {
    fragment = fragment.substr(0, fragment.find(":~:"));
    if (fragment.starts_with('#')) fragment.remove_prefix(1);
    if (fragment.starts_with('!') || fragment.starts_with('/')) return {};
    return equals_ignore_case(fragment, "top") ? std::string_view() : fragment;
}

bool holds(const std::vector<std::uint64_t>& anchors, std::string_view name) {
    return std::ranges::binary_search(anchors, hash64(name, secret_seed()));
}

// What a URL takes besides its entry in the book, as copies of its text and in tables: in the
// queue, in the seen set, its fate, and its line in the result.
constexpr std::size_t kCopiesPerUrl = 5;
constexpr std::size_t kBytesPerUrl = 600;
constexpr std::size_t kBytesPerLine = 4_KiB;  // A HostLine: mostly the frame of its task.

}  // namespace

LinkCheck::LinkCheck(Config& config, LinkCheckOptions options)
    : options_(std::move(options)),
      config_(prepare(config)),
      frontier_({.max_per_host = config.max_per_host, .bytes_max = options_.bytes_max}),
      crawler_(config_, frontier_, nullptr, make_hooks()),
      probe_(config_),
      places_(kProbesMax),
      book_(options_.bytes_max / 2) {}

Config& LinkCheck::prepare(Config& config) {
    config.archive = false;
    config.reads_page_details = true;
    // The user waits for the result, so an unreachable host is retried soon and given up soon.
    config.unreached_pause_max = kUnreachedPause;
    config.breaker_opening_max = 1;
    config.breaker_pause_max = kUnreachedPauseMax;
    return config;
}

Hooks LinkCheck::make_hooks() {
    Hooks hooks;
    hooks.reads_content = false;
    hooks.on_page = [this](Page& page) -> Co<> {
        note_page(page);
        co_return;
    };
    hooks.on_outcome = [this](const Outcome& outcome) { note_outcome(outcome); };
    hooks.on_refusal = [this](const web::Url& url, const Refused& refused, const web::Url&) {
        note_refusal(url, refused);
    };
    return hooks;
}

// The group holds the crawl and the serve_line() tasks that note_refusal() starts.
Co<> LinkCheck::run() {
    struct Over {
        LinkCheck& check;
        ~Over() {
            check.group_ = nullptr;
            for (const aio::Handle& ending : check.endings_) ending.cancel();
        }
    };
    const Over over{*this};
    co_await aio::task_group([this](aio::TaskGroup& group) -> Co<> {
        group_ = &group;
        if (const auto end = config_.crawl_budget.time_max) end_after(*end);
        group.create_task(crawler_.run(), "crawl");
        co_return;
    });
}

void LinkCheck::end_after(Duration time) {
    endings_.push_back(
        aio::EventLoop::running().call_later(time + kDrainTime, [this] { group_->cancel(); }));
}

void LinkCheck::stop() {
    is_stopped_ = true;
    crawler_.stop();
    if (group_) end_after(Duration::zero());
}

// Ends the check early. The results so far are still reported.
void LinkCheck::stop_for_memory() {
    if (std::exchange(is_full_, true)) return;
    is_stopped_ = true;
    crawler_.stop(StopReason::memory);
    end_after(Duration::zero());
}

void LinkCheck::note_bytes(std::size_t bytes) {
    bytes_ += bytes;
    if (bytes_ + book_.memory_bytes() > options_.bytes_max) stop_for_memory();
}

void LinkCheck::add(std::string_view page, std::string_view target, std::string_view text) {
    const std::size_t known_count = book_.size();
    if (!book_.add(page, target, text)) return stop_for_memory();
    if (book_.size() == known_count) return;
    note_bytes(kBytesPerUrl + kCopiesPerUrl * target.size() + page.size());
}

std::string LinkCheck::key_of(const web::Url& url) const {
    return web::canonical_key(url, {.drop_session_ids = !config_.keeps_session_ids});
}

void LinkCheck::note_page(const Page& page) {
    const bool is_listing =
        page.outcome.via == Via::sitemap || page.outcome.via == Via::guess || !page.html;
    for (const FoundLink& link : page.links) {
        if (is_full_) return;
        if (link.via == Via::guess) continue;
        // The links of a visit include the sitemaps that its robots.txt names.
        const bool is_from_robots = link.via == Via::sitemap && !is_listing;
        add(is_from_robots ? page.url.origin() + "/robots.txt" : page.url.href(), link.url.href(),
            "");
    }
    if (!page.html) return;
    ++page_count_;
    if (page.outcome.status == 200) note_html(page);
}

// Reads what only the HTML has: the texts of links, their fragments, and references that are not
// URLs.
void LinkCheck::note_html(const Page& page) {
    const web::PageQueryEncoder query_encoder(page.encoding);
    web::UrlOptions options = web::kBoundedUrl;
    if (page.encoding != web::Encoding::utf_8) options.query_encoder = &query_encoder;
    web::Url base = page.url;
    if (page.html->base_href) {
        auto given = base.resolve(*page.html->base_href, web::kBoundedUrl);
        if (given) base = *std::move(given);
    }
    for (const web::HtmlLink& link : page.html->links) {
        if (is_full_) return;
        if (!via_of(link)) continue;
        auto url = base.resolve(link.value, options);
        if (!url) {
            if (url.error() == web::UrlError::too_long) continue;  // Such as a picture as data:.
            const std::string text(utf8_prefix(trim(link.value), limits::kLinkTextBytesMax));
            bad_.emplace(text, describe(url.error()));
            add(page.url.href(), text, link.text);
            continue;
        }
        if (!url->is_http()) continue;
        if (url->has_credentials()) {
            url->set_username("");
            url->set_password("");
        }
        if (!link.text.empty()) {
            add(page.url.href(), url->without_fragment().href(), link.text);
        }
        if (options_.fragments && !anchor_of(url->hash()).empty()) {
            add(page.url.href(), url->href(), link.text);
        }
    }
    if (!options_.fragments) return;
    Anchors& anchors = anchors_[key_of(page.url)];
    anchors.is_whole = !page.outcome.is_truncated;
    for (const std::string_view name : page.html->anchors) {
        anchors.prints.push_back(hash64(name, secret_seed()));
    }
    std::ranges::sort(anchors.prints);
    note_bytes(anchors.prints.capacity() * sizeof(std::uint64_t));
}

void LinkCheck::note_outcome(const Outcome& outcome) {
    if (options_.on_outcome) options_.on_outcome(outcome);
    // URLs of sitemaps are not in the book, but they fill the frontier.
    if (frontier_.is_full()) stop_for_memory();
    const auto url = web::Url::parse(outcome.url);
    if (!url) return;
    LinkFate fate{.status = outcome.status, .failure = outcome.failure, .reason = outcome.reason};
    switch (outcome.ending) {
        case Ending::fetched: fate.state = LinkFate::judge(outcome.status); break;
        case Ending::redirect: {
            // This counts only if there is no usable target; else fate_of() follows redirects_.
            fate.state = LinkFate::State::broken;
            fate.failure = "bad_redirect";
            const auto target = web::Url::parse(outcome.redirect_target);
            if (target && target->is_http()) redirects_[key_of(*url)] = target->href();
            break;
        }
        case Ending::denied:
        case Ending::skipped:
        case Ending::unknown: fate.state = LinkFate::State::unverified; break;
        case Ending::failed: fate.state = LinkFate::State::broken; break;
    }
    fates_[key_of(*url)] = judged(std::move(fate));
}

void LinkCheck::note_refusal(const web::Url& url, const Refused& refused) {
    std::string key = key_of(url);
    const bool is_excluded = std::ranges::any_of(
        config_.exclude, [&](const web::Pattern& pattern) { return pattern.matches(url.href()); });
    if (options_.internal_only || is_excluded || !is_worth_asking(refused.rule)) {
        left_alone_.insert(std::move(key));
        return;
    }
    if (is_stopped_ || !external_.insert(std::move(key)).second) return;
    ++waiting_count_;
    std::string host(url.host());
    HostLine& line = lines_[host];
    line.urls.push_back(url);
    if (std::exchange(line.is_served, true)) return;
    note_bytes(kBytesPerLine + host.size());
    group_->create_task(serve_line(std::move(host)), "links");
}

// The task of one host out of the scope: requests its URLs one after the other, with polite pauses.
// The permit is returned before the pause.
Co<> LinkCheck::serve_line(std::string host) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const Politeness politeness(config_.wait);
    HostLine& line = lines_.at(host);
    while (!line.urls.empty() && !is_stopped_) {
        const web::Url url = std::move(line.urls.front());
        line.urls.pop_front();
        Duration elapsed{};
        {
            const aio::Semaphore::Permit permit = co_await places_.acquire();
            const TimePoint start = loop.time();
            LinkFate fate = co_await probe_.ask(url);
            elapsed = loop.time() - start;
            tell_probe(url, fate, elapsed);
            // If the URL was crawled in the meantime, that result is better and stays.
            fates_.try_emplace(key_of(url), judged(std::move(fate)));
            --waiting_count_;
        }
        co_await aio::sleep(politeness.pause(elapsed, std::nullopt));
    }
    line.is_served = false;
}

void LinkCheck::tell_probe(const web::Url& url, const LinkFate& fate, Duration elapsed) const {
    if (!options_.on_outcome) return;
    Outcome outcome;
    outcome.url = url.href();
    outcome.ending = fate.status == 0 ? Ending::failed : Ending::fetched;
    outcome.status = fate.status;
    outcome.failure = fate.failure;
    outcome.reason = fate.reason;
    outcome.redirect_target = fate.end_url;
    outcome.elapsed = elapsed;
    options_.on_outcome(outcome);
}

LinkFate LinkCheck::judged(LinkFate fate) const {
    if (fate.status >= 400 &&
        std::ranges::find(options_.accepted, fate.status) != options_.accepted.end()) {
        fate.state = LinkFate::State::fine;
    }
    return fate;
}

// The fate of a URL is that of the URL where its redirects end. `end_key` is set to the latter's
// key.
LinkFate LinkCheck::fate_of(const web::Url& url, std::string& end_key) const {
    end_key = key_of(url);
    std::string end_url;
    for (int step = 0;; ++step) {
        const auto next = redirects_.find(end_key);
        if (next == redirects_.end()) break;
        if (step == kRedirectsMax) {
            return {.state = LinkFate::State::broken,
                    .failure = "bad_redirect",
                    .reason = "redirects without end"};
        }
        end_url = next->second;
        end_key = key_of(web::Url::parse(end_url).value());
    }
    const auto found = fates_.find(end_key);
    if (found == fates_.end()) {
        const bool is_left = left_alone_.contains(end_key);
        return {.failure = std::string(is_left ? "left_alone" : kNotReached),
                .reason = is_left ? "left alone" : "not reached before the check ended",
                .end_url = std::move(end_url)};
    }
    LinkFate fate = found->second;
    if (fate.end_url.empty()) fate.end_url = std::move(end_url);
    return fate;
}

std::optional<CheckedLink> LinkCheck::result_of(std::string_view target) const {
    CheckedLink link{.url = std::string(target)};
    const auto bad = bad_.find(link.url);
    if (bad != bad_.end()) {
        link.fate = {.state = LinkFate::State::broken, .failure = "bad_url", .reason = bad->second};
    } else {
        const web::Url url = web::Url::parse(target).value();
        std::string end_key;
        link.fate = fate_of(url, end_key);
        if (link.fate.failure == "left_alone") return std::nullopt;
        link.is_external = external_.contains(key_of(url));
        if (url.has_fragment()) {
            // The page has a result of its own; this one is only about the part of it.
            const auto anchors = anchors_.find(end_key);
            const std::string_view name = anchor_of(url.hash());
            if (anchors == anchors_.end() || link.fate.state != LinkFate::State::fine)
                return std::nullopt;
            const std::vector<std::uint64_t>& prints = anchors->second.prints;
            const bool is_there = holds(prints, name) || holds(prints, web::percent_decode(name));
            if (!is_there && !anchors->second.is_whole) return std::nullopt;  // It may come later.
            if (!is_there) {
                link.fate.state = LinkFate::State::broken;
                link.fate.failure = "no_anchor";
                link.fate.reason =
                    fmt::format("the page has no part named '{}'", web::percent_decode(name));
            }
        }
    }
    const bool is_of_note = link.fate.state != LinkFate::State::fine;
    if (is_of_note && link.fate.failure != kNotReached) link.sources = book_.sources_of(target);
    link.source_count = book_.count_of(target);
    return link;
}

void LinkCheck::each_result(const std::function<void(CheckedLink)>& take) const {
    book_.each([&](std::string_view target, std::uint64_t) {
        if (auto link = result_of(target)) take(*std::move(link));
    });
    for (const web::Url& seed : config_.seeds) {
        const std::string url = seed.without_fragment().href();
        if (book_.count_of(url) > 0) continue;
        if (auto link = result_of(url)) take(*std::move(link));
    }
}

}  // namespace weft::crawl

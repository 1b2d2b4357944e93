#include "crawl/visit.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "aio/loop.h"
#include "aio/sleep.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "web/date.h"
#include "web/fingerprint.h"
#include "web/x_robots_tag.h"

namespace weft::crawl {

using aio::Co;

// One answer on its way through a visit.
struct Visitor::Answer {
    std::optional<PageSink> sink;
    http::Response response;
    std::optional<web::HtmlPage> html;
};

namespace {

constexpr std::size_t kUsualCreditMin = 16_KiB;
constexpr std::size_t kUsualCreditMax = 256_KiB;
constexpr std::size_t kNearDuplicateWordsMin = 16;

http::ClientOptions client_options(const Config& config, bool keeps_bodies) {
    http::ClientOptions options;
    options.user_agent = config.user_agent;
    options.limits = config.limits;
    if (keeps_bodies) {
        // The largest answer, and the room its buffer needs to grow, are within the credit.
        options.limits.wire_bytes_max =
            std::min<std::uint64_t>(options.limits.wire_bytes_max, config.body_bytes_held_max / 4);
        options.limits.content_bytes_max = std::min<std::uint64_t>(options.limits.content_bytes_max,
                                                                   config.body_bytes_held_max / 4);
    }
    options.addresses = config.addresses;
    options.ca_file = config.ca_file;
    // The crawl's own limits are narrower; robots.txt may come beside a page.
    options.pool.connections_max = std::max(options.pool.connections_max, 2 * config.concurrency);
    options.pool.per_host_max = std::max(options.pool.per_host_max, 2 * config.max_per_host);
    return options;
}

// With a Location, 300 leads there too.
bool is_redirect(const http::Response& response) {
    return response.is_redirect() ||
           (response.status == 300 && response.headers.contains("Location"));
}

// Notes in the outcome why the answer leads nowhere.
void add_redirect(const web::Url& url, const http::Response& response, VisitResult& result) {
    Outcome& outcome = result.outcome;
    const std::optional<std::string_view> location = response.headers.get("Location");
    if (!location || trim(*location).empty()) {
        outcome.reason = "redirect without Location";
        return;
    }
    if (response.headers.disagrees("Location")) {
        outcome.reason = "redirect with two Locations";
        return;
    }
    LinkList links(url);
    links.add(*location, Via::redirect);
    if (links.size() == 1) {
        result.links.push_back(std::move(links.take().front()));
        outcome.redirect_target = result.links.back().url.href();
        return;
    }
    const auto target = url.resolve(*location, web::kBoundedUrl);
    if (target) outcome.redirect_target = target->href();
    outcome.reason = fmt::format(
        "redirect to '{}': {}", escape_for_terminal(utf8_prefix(*location, 200)),
        target ? std::string_view("only http and https are crawled") : describe(target.error()));
}

std::vector<std::string> protocols_of(const http::Response& response) {
    std::vector<std::string> protocols{response.protocol};
    if (response.tls_protocol.starts_with("TLSv")) {
        protocols.push_back(fmt::format("tls/{}", response.tls_protocol.substr(4)));
    }
    return protocols;
}

web::PageDirectives directives_of(const http::Headers& headers, const web::HtmlPage* page,
                                  std::string_view agent) {
    web::PageDirectives all;
    std::vector<std::string_view> fields;
    for (const std::string_view field : headers.get_all("X-Robots-Tag")) fields.push_back(field);
    if (!fields.empty()) all = web::parse_x_robots_tag(fields, agent);
    if (!page) return all;
    for (const web::HtmlRobots& robots : page->robots) {
        if (robots.agent != "robots" && robots.agent != agent) continue;
        all.noindex |= robots.noindex;
        all.nofollow |= robots.nofollow;
    }
    return all;
}

}  // namespace

void Page::follow(std::string_view reference) {
    LinkList more(url);
    more.add(reference, Via::link);
    for (FoundLink& link : more.take()) links.push_back(std::move(link));
}

Visitor::Visitor(const Config& config, bool is_archived, const Hooks& hooks)
    : config_(config),
      is_archived_(is_archived),
      hooks_(hooks),
      agent_(to_lower(config.user_agent.substr(0, config.user_agent.find_first_of("/ ")))),
      client_(client_options(config, is_archived || hooks.on_page)),
      robots_(client_, {.count_max = config.robots_cache_count_max,
                        .bytes_max = config.robots_cache_bytes_max,
                        .forbidden_denies = config.robots_forbidden_denies}),
      credit_(config.body_bytes_held_max),
      usual_credit_(std::clamp(config.body_bytes_held_max / (2 * config.concurrency + 1),
                               kUsualCreditMin, kUsualCreditMax)),
      digests_(config.digest_count_max),
      readers_({.wants_style_links =
                    config.wanted_requisites() == Requisites::all || config.reads_page_details,
                .wants_link_text = config.reads_page_details,
                .wants_text = config.finds_near_duplicates,
                .wants_anchors = config.reads_page_details}) {}

void Visitor::remember(const Outcome& outcome) {
    std::uint64_t digest = 0;
    const std::string_view text = outcome.digest;
    if (!text.starts_with("xxh3:")) return;
    const auto read = std::from_chars(text.data() + 5, text.data() + text.size(), digest, 16);
    if (read.ec == std::errc()) digests_.insert(digest);
}

void Visitor::open_address(const aio::IpAddress& address) {
    if (!config_.opens_seed_addresses || !client_.addresses().denies({address, 80})) return;
    client_.addresses().allow({address, address.is_v4() ? 32U : 128U});
}

Co<> Visitor::visit(const Target& target, VisitResult& result) {
    Outcome& outcome = result.outcome;
    if (config_.obey_robots) co_await ask_robots(target, result);

    Answer answer;
    result.was_asked = true;
    co_await fetch(target, answer);
    describe_answer(target, answer, result);
    if (is_redirect(answer.response)) {
        outcome.ending = Ending::redirect;
        add_redirect(target.url, answer.response, result);
    } else {
        outcome.ending = Ending::fetched;
        read_links(target, answer, result);
        note_duplicates(answer, outcome);
    }
    // Only the answer that counts is kept and shown.
    if (result.trouble != Trouble::none && !target.is_last_try) co_return;
    const bool is_shown = hooks_.on_page && outcome.ending == Ending::fetched;
    if (is_shown) co_await handle(target, answer, result);
    if (is_archived_) capture(target.url, answer, result);
}

Co<> Visitor::ask_robots(const Target& target, VisitResult& result) {
    const web::Url& url = target.url;
    const web::Robots* robots = robots_.find(url, aio::EventLoop::running().time());
    RobotsCache::Answer fetched;
    if (!robots) {
        result.has_asked_robots = true;
        fetched = co_await robots_.get(url);
        robots = fetched.rules.get();
        if (fetched.is_new && config_.sitemaps) add_sitemaps(url, *robots, result);
    }
    const web::RobotsDecision decision = robots->decide(config_.user_agent, url.path_and_query());
    if (!decision.allowed) {
        throw RobotsDenied(fmt::format("robots.txt line {}: Disallow: {}", decision.line,
                                       escape_for_terminal(decision.rule)));
    }
    result.crawl_delay = robots->crawl_delay(config_.user_agent);
}

void Visitor::add_sitemaps(const web::Url& url, const web::Robots& robots,
                           VisitResult& result) const {
    LinkList links(url.resolve("/").value());
    for (const std::string& sitemap : robots.sitemaps()) links.add(sitemap, Via::sitemap);
    if (links.size() == 0) links.add("/sitemap.xml", Via::guess);
    result.links = links.take();
}

// Once as a rule; once more with credit for the largest answer if this one was too large for what
// was left.
Co<> Visitor::fetch(const Target& target, Answer& answer) {
    const bool keeps_bytes = is_archived_ || hooks_.on_page;
    const PageWishes wishes{.keeps_wire = is_archived_,
                            .keeps_content = static_cast<bool>(hooks_.on_page),
                            .reads_styles = config_.wanted_requisites() != Requisites::none,
                            .is_sitemap = target.step.trail.is_sitemap(),
                            .wants_skeleton = target.wants_skeleton,
                            .url = target.url.href()};
    std::size_t credit = usual_credit_;
    for (;;) {
        BodyCredit::Loan loan;
        if (keeps_bytes) loan = co_await credit_.borrow(credit);
        answer.sink.emplace(wishes, std::move(loan), readers_);
        answer.response = co_await client_.fetch({.url = target.url}, *answer.sink);
        if (!answer.sink->has_overflowed() || credit == credit_.bytes_max()) co_return;
        answer.sink.reset();
        credit = credit_.bytes_max();
        co_await aio::sleep(Politeness(config_.wait).pause(answer.response.timings.total, {}));
    }
}

void Visitor::describe_answer(const Target&, Answer& answer, VisitResult& result) {
    const http::Response& response = answer.response;
    Outcome& outcome = result.outcome;
    outcome.status = response.status;
    outcome.elapsed = response.timings.total;
    outcome.timings = response.timings;
    outcome.address = response.peer.to_string();
    outcome.content_type = answer.sink->content_type();
    outcome.content_bytes = response.content_bytes;
    outcome.is_truncated = response.cut != http::Cut::none || answer.sink->has_overflowed();
    result.is_overloaded = response.status == 429 || response.status == 503;
    if (result.is_overloaded) {
        if (const auto header = response.headers.get("Retry-After")) {
            result.retry_after =
                web::parse_retry_after(*header, aio::EventLoop::running().wall_time());
        }
    }
    const std::vector<int>& retried = config_.retry_statuses;
    if (std::ranges::find(retried, response.status) != retried.end()) {
        result.trouble = Trouble::overload;
    }
}

void Visitor::read_links(const Target& target, Answer& answer, VisitResult& result) {
    Outcome& outcome = result.outcome;
    answer.html = answer.sink->finish_page();
    result.skeleton = answer.sink->skeleton();
    const web::HtmlPage* html = answer.html ? &*answer.html : nullptr;
    if (html) {
        outcome.title = html->title.value_or("");
        outcome.charset = web::name(answer.sink->encoding());
    }
    const web::PageDirectives directives = directives_of(answer.response.headers, html, agent_);
    outcome.says_noindex = directives.noindex;
    outcome.says_nofollow = directives.nofollow;
    if (answer.response.status != 200) return;

    LinkList links(target.url);
    links.add_headers(answer.response.headers);
    if (html) {
        links.add_page(*html, answer.sink->encoding());
        if (html->canonical) {
            const auto canonical = target.url.resolve(*html->canonical, web::kBoundedUrl);
            if (canonical) outcome.canonical = canonical->href();
        }
    }
    if (const auto style = answer.sink->finish_style()) links.add_style(*style);
    std::vector<FoundLink> found = links.take();
    if (const auto listing = answer.sink->finish_listing()) {
        LinkList listed(target.url, limits::kSitemapLocationCountMax);
        const Via via = listing->is_index ? Via::sitemap : Via::listed;
        for (const std::string& location : listing->locations) listed.add(location, via);
        std::ranges::move(listed.take(), std::back_inserter(found));
    }
    if (result.links.empty()) {
        result.links = std::move(found);
    } else {
        std::ranges::move(found, std::back_inserter(result.links));
    }
}

void Visitor::note_duplicates(Answer& answer, Outcome& outcome) {
    if (outcome.status != 200 || outcome.content_bytes == 0) return;
    const std::uint64_t digest = answer.sink->digest();
    outcome.digest = fmt::format("xxh3:{:016x}", digest);
    outcome.is_duplicate = !digests_.insert(digest);
    if (!config_.finds_near_duplicates || !answer.html) return;
    web::TextFingerprint fingerprint;
    fingerprint.add(answer.html->text);
    const std::uint64_t value = fingerprint.finish();
    if (fingerprint.word_count() < kNearDuplicateWordsMin) return;
    outcome.near_duplicate_of = near_duplicates_.find_or_add(value, outcome.url);
}

Co<> Visitor::handle(const Target& target, Answer& answer, VisitResult& result) {
    const std::string content = answer.sink->take_content();
    Page page{.url = target.url,
              .response = answer.response,
              .outcome = result.outcome,
              .content = content,
              .html = answer.html ? &*answer.html : nullptr,
              .links = result.links,
              .encoding = answer.html ? answer.sink->encoding() : web::Encoding::utf_8};
    try {
        co_await hooks_.on_page(page);
    } catch (const Error& error) {
        result.outcome.failure = "handler";
        result.outcome.reason = error.what();
    }
}

void Visitor::capture(const web::Url& url, Answer& answer, VisitResult& result) {
    if (answer.sink->has_overflowed()) {
        result.outcome.reason = "not archived: the answer is larger than the memory for answers";
        return;
    }
    const http::Response& response = answer.response;
    archive::Capture& capture = result.capture.emplace();
    capture.target_uri = url.href();
    capture.date = result.outcome.date;
    capture.ip_address = response.peer.address.to_string();
    capture.protocols = protocols_of(response);
    capture.cipher_suite = response.tls_cipher;
    capture.request = answer.sink->take_request();
    capture.response = answer.sink->take_wire();
    capture.response_begin = response.wire_head_begin;
    capture.response_body = response.wire_head_end;
    if (response.cut == http::Cut::length) capture.truncated = archive::Truncated::length;
    result.held = answer.sink->take_loan();
}

}  // namespace weft::crawl

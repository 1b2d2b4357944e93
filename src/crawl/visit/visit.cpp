#include "crawl/visit/visit.h"

#include <algorithm>
#include <charconv>

#include <fmt/compile.h>
#include <fmt/format.h>

#include "aio/loop/executor.h"
#include "aio/loop/loop.h"
#include "aio/task/sleep.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "crawl/folder/earlier_crawl.h"
#include "crawl/folder/stored_response.h"
#include "crawl/scope/page_links.h"
#include "crawl/visit/capture.h"
#include "crawl/visit/client_options.h"
#include "web/fields/date.h"
#include "web/fields/mime.h"
#include "web/fields/validator.h"
#include "web/html/fingerprint.h"
#include "web/robots/x_robots_tag.h"

namespace weft::crawl {

using aio::Co;

// One response on its way through a visit.
struct Visitor::Answer {
    std::optional<PageSink> sink;
    http::Response response;

    // What an earlier crawl knows of the page. After a 304 the stored response takes the place of
    // this one.
    std::optional<Outcome> before;
    std::unique_ptr<PageSink> stored_sink;
    http::Response stored;
    archive::Original original;

    // What was read from the content, once the response is complete.
    std::optional<web::HtmlPage> html;
    PageLinks links;

    // The response whose content counts: the stored one after a 304, else the fresh one.
    bool is_unchanged() const { return stored_sink != nullptr; }
    PageSink& content() { return stored_sink ? *stored_sink : *sink; }
    const http::Response& shown() const { return stored_sink ? stored : response; }
};

namespace {

// robots.txt disallows the URL.
class RobotsDenied : public Error {
public:
    using Error::Error;
};

// The bounds of what a fetch borrows before it starts.
constexpr std::size_t kUsualCreditMin = 16_KiB;
constexpr std::size_t kUsualCreditMax = 256_KiB;
constexpr std::size_t kTextBytesMax = 128_MiB;  // Enough for a page of 4 MiB.
constexpr std::size_t kRobotsCreditPart = 8;    // Of body_bytes_held_max, and on top of it.

Credentials credentials_in_archive(const Config& config) {
    return config.archives_credentials ? Credentials::kept : Credentials::removed;
}

// Set aside to extract the texts of pages, if they are wanted. One half is this shard's own; the
// other halves of all shards together are for large pages.
std::size_t text_bytes(const Config& config) {
    if (config.text == extract::TextForm::none) return 0;
    return std::min(config.body_bytes_held_max / 4, kTextBytesMax);
}
TextMemory text_memory(const Config& config, const Visitor::Keeps& keeps) {
    const std::size_t half = text_bytes(config) / 2;
    if (keeps.shard_count == 1) return {.shard_bytes = 2 * half};
    return {
        .shard_bytes = half, .large_bytes = half * keeps.shard_count, .large = keeps.large_text};
}

// Large responses have a credit of their own: they may be slow, and usual ones should not wait for
// them. The largest response needs more than twice its size while its buffer grows, so at most 2/5
// of the large credit is kept of one response.
std::size_t large_credit(const Config& config) {
    return (config.body_bytes_held_max - text_bytes(config)) / 8 * 5;
}
std::size_t usual_credit(const Config& config) {
    return (config.body_bytes_held_max - text_bytes(config)) / 8 * 3;
}
std::uint64_t kept_bytes_max(const Config& config) {
    return std::min<std::uint64_t>(config.limits.wire_bytes_max, large_credit(config) / 5 * 2);
}
constexpr std::size_t kNearDuplicateWordsMin = 16;  // Shorter texts are not compared.
constexpr std::size_t kStoredGrowth = 8;  // Memory to read a stored response, as a multiple of it.

http::Client make_client(const Config& config, bool keeps_wire, bool keeps_content) {
    auto options = client_options(config);
    if (keeps_wire) options.limits.wire_bytes_max = kept_bytes_max(config);
    if (keeps_content) {
        options.limits.content_bytes_max =
            std::min(options.limits.content_bytes_max, kept_bytes_max(config));
    }
    return http::Client(std::move(options));
}

// A 300 with a Location counts as a redirect too (RFC 9110 section 15.4.1: the server's preferred
// choice).
bool is_redirect(const http::Response& response) {
    return response.is_redirect() ||
           (response.status == 300 && response.headers.contains("Location"));
}

// Adds the redirect's target to the links, or notes in the outcome why there is none.
void add_redirect(const http::Response& response, ActiveVisit& visit) {
    Outcome& outcome = visit.outcome;
    const std::optional<std::string_view> location = response.headers.get("Location");
    if (!location || trim(*location).empty()) {
        outcome.reason = "redirect without Location";
        return;
    }
    if (response.headers.disagrees("Location")) {
        outcome.reason = "redirect with two Locations";
        return;
    }
    LinkList links(visit.url);
    links.add(*location, Via::redirect);
    if (links.size() == 1) {
        visit.links.push_back(std::move(links.take().front()));
        outcome.redirect_target = visit.links.back().url.href();
        return;
    }
    const auto target = visit.url.resolve(*location, web::kBoundedUrl);
    if (target) outcome.redirect_target = target->href();
    outcome.reason = fmt::format(
        "redirect to '{}': {}", escape_for_terminal(utf8_prefix(*location, 200)),
        target ? std::string_view("only http and https are crawled") : describe(target.error()));
}

// Makes the request conditional (RFC 9110 section 13.1): an unchanged page is answered with 304.
void add_conditions(const Outcome& before, http::Headers& headers) {
    if (!before.etag.empty()) headers.add("If-None-Match", before.etag);
    if (!before.last_modified.empty()) headers.add("If-Modified-Since", before.last_modified);
}

void note_validators(const http::Headers& headers, Outcome& outcome) {
    if (const auto etag = web::usable_etag(headers.get("ETag").value_or(""))) outcome.etag = *etag;
    const auto modified = web::usable_last_modified(headers.get("Last-Modified").value_or(""));
    if (modified) outcome.last_modified = *modified;
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

Visitor::Visitor(const Config& config, Keeps keeps, const Hooks& hooks, SeenContent& seen,
                 const KnownReferences& known)
    : config_(config),
      is_archived_(keeps.archive),
      hooks_(hooks),
      agent_(config.agent()),
      client_(make_client(config, keeps.archive, hooks.wants_content())),
      texts_(keeps.text ? config.text_wishes() : extract::Wishes{.text = extract::TextForm::none},
             agent_, text_memory(config, keeps)),
      robots_(client_,
              {.count_max = config.robots_cache_count_max,
               .bytes_max = config.robots_cache_bytes_max,
               .forbidden_denies = config.robots_forbidden_denies,
               .credentials = credentials_in_archive(config),
               .credit = &robots_credit_,
               .agent = texts_.is_wanted() ? agent_ : "",
               .headers_for = [&config](const web::Url& url) { return config.headers_for(url); }}),
      credit_(usual_credit(config), config.memory),
      large_credit_(large_credit(config), config.memory),
      robots_credit_(config.body_bytes_held_max / kRobotsCreditPart, config.memory),
      usual_credit_(std::clamp(usual_credit(config) / (2 * config.concurrency + 1), kUsualCreditMin,
                               kUsualCreditMax)),
      seen_(seen),
      // A page handler and the page log get all links.
      known_(hooks.on_page || config.keeps_links ? nullptr : &known),
      readers_({.wants_style_links =
                    config.wanted_requisites() == Requisites::all || config.reads_page_details,
                .wants_link_text = config.reads_page_details,
                .wants_text = config.finds_near_duplicates && !texts_.is_wanted(),
                .wants_anchors = config.reads_page_details}) {}

std::string Visitor::cookies() const {
    const auto& jar = client_.options().cookies;
    return jar ? jar->save(aio::EventLoop::running().wall_time()) : std::string();
}

// Two things pass through: a cancellation, which ends the worker, and an IoError, which ends the
// crawl.
Co<> Visitor::visit(ActiveVisit& visit) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint start = loop.time();
    Outcome& outcome = visit.outcome;
    outcome.date = loop.wall_time();
    visit.hold_left = visit.host.hold.left(config_.retry_after_max, start);
    try {
        visit.progress = co_await visit_page(visit);
        co_return;
    } catch (const RobotsDenied& error) {
        outcome.ending = Ending::denied;
        outcome.reason = error.what();
    } catch (const RobotsUnavailable& error) {
        outcome.failure = "robots_unavailable";
        outcome.reason = error.what();
        visit.trouble = Trouble::robots;
        visit.again_at = error.again_at();
        visit.is_again_asked_for = error.is_asked_for();
        visit.robots_status = error.status();
    } catch (const http::FetchError& error) {
        note_failure(error, visit);
    } catch (const OutOfMemory&) {
        visit.lacks_memory = true;
    } catch (const aio::IoError&) {
        throw;  // The archive cannot be written, so no later page would be kept either.
    } catch (const Error& error) {
        outcome.failure = "internal";
        outcome.reason = error.what();
    } catch (const std::bad_alloc&) {
        outcome.failure = http::name(http::Failure::no_resources);
        outcome.reason = "out of memory";
        visit.trouble = Trouble::ours;
    }
    outcome.elapsed = loop.time() - start;
    visit.progress = Progress::ended;
}

void Visitor::note_failure(const http::FetchError& error, ActiveVisit& visit) {
    visit.outcome.failure = http::name(error.failure());
    visit.outcome.reason = error.what();
    visit.trouble = trouble_of(error.failure());
    visit.is_about_host = is_about_host(error.failure());
    visit.is_hopeless = error.failure() == http::Failure::no_such_host;
    visit.failure = error.failure();
}

Co<Progress> Visitor::visit_page(ActiveVisit& visit) {
    Outcome& outcome = visit.outcome;
    if (config_.obey_robots) co_await ask_robots(visit);
    // robots.txt may have taken long.
    if (!visit.may_fetch(aio::EventLoop::running().time())) co_return Progress::not_owned;
    // Several fetches of a host may be under way (--max-per-host). A Crawl-delay spaces the starts
    // of all of them.
    if (visit.crawl_delay) {
        const TimePoint now = aio::EventLoop::running().time();
        if (now < visit.host.next_start) co_return Progress::too_soon;
        visit.host.next_start = now + *visit.crawl_delay;
    }

    Answer answer;
    visit.was_asked = true;
    find_before(visit, answer);
    try {
        co_await fetch(visit, answer);
        // A 304 counts only after a conditional request; otherwise it is a status like any other.
        if (answer.response.status == 304 && answer.before) {
            const bool is_known = co_await read_unchanged(visit, answer);
            if (!is_known) co_await fetch(visit, answer);
        }
    } catch (const http::FetchError& error) {
        if (is_archived_) capture_part(visit, answer, error.failure());
        throw;
    }
    describe_answer(visit, answer);
    if (is_redirect(answer.response)) {
        outcome.ending = Ending::redirect;
        add_redirect(answer.response, visit);
    } else {
        outcome.ending = Ending::fetched;
        read_links(visit, answer);
        read_text(visit, answer);
    }
    // A response that will be tried again is neither archived nor shown to the handler.
    if (visit.trouble != Trouble::none && !visit.is_last_try) co_return Progress::ended;
    const bool is_shown = hooks_.on_page && outcome.ending == Ending::fetched;
    if (is_shown) co_await handle(visit, answer);
    if (is_archived_) capture(visit, answer);
    visit.held = answer.content().take_loan();
    co_return Progress::ended;
}

// Finds the page in the earlier crawl. It is used only if its complete content is stored, because
// after a 304 the links are read from there.
void Visitor::find_before(const ActiveVisit& visit, Answer& answer) const {
    if (!config_.earlier || hooks_.on_page) return;
    answer.before = config_.earlier->find(visit.url.href());
    if (!answer.before) return;
    const Outcome& before = *answer.before;
    const bool is_good = before.status == 200 || before.is_unchanged;
    if (!is_good || before.archived.file.empty() || before.is_truncated) answer.before.reset();
}

// After a 304: reads the stored response of the earlier crawl in place of this one. False if it is
// lost or damaged; `before` is cleared then, so that the next fetch is unconditional.
Co<bool> Visitor::read_unchanged(const ActiveVisit& visit, Answer& answer) {
    {
        // Returned before more is borrowed: a task that holds a loan while it waits for another
        // could wait for itself.
        const BodyCredit::Loan of_the_head = answer.sink->take_loan();
    }
    const std::uint64_t stored_bytes =
        answer.before->archived.length + answer.before->content_bytes;
    const bool is_usual = stored_bytes <= usual_credit_ / kStoredGrowth;
    BodyCredit& credit = is_usual ? credit_ : large_credit_;
    BodyCredit::Loan loan = co_await credit.borrow(is_usual ? usual_credit_ : credit.bytes_max());
    std::expected<EarlierCrawl::Answer, EarlierCrawl::Lost> stored =
        co_await aio::to_thread([earlier = config_.earlier, before = *answer.before] {
            return earlier->read_answer(before);
        });
    if (stored) {
        auto sink = std::make_unique<PageSink>(read_options_for(visit), std::move(loan), readers_);
        if (auto response = replay(stored->block, *sink)) {
            answer.original = std::move(stored->original);
            answer.stored_sink = std::move(sink);
            answer.stored = *std::move(response);
            gather(visit, answer);
            co_return true;
        }
    }
    answer.before.reset();
    co_return false;
}

// Throws RobotsDenied if robots.txt disallows the URL, and whatever RobotsCache::get() throws.
Co<> Visitor::ask_robots(ActiveVisit& visit) {
    const web::Url& url = visit.url;
    const web::Robots* robots = robots_.find(url, aio::EventLoop::running().time());
    RobotsCache::Answer fetched;
    if (robots) {
        visit.terms = robots_.find_terms(url);
    } else {
        visit.has_asked_robots = true;
        fetched =
            co_await robots_.get(url, is_archived_ ? &visit.robots : nullptr, &visit.held_robots);
        robots = fetched.rules.get();
        visit.terms = fetched.terms;
        if (fetched.is_new && config_.sitemaps) add_sitemaps(*robots, visit);
    }
    const web::RobotsDecision decision = robots->decide(config_.user_agent, url.path_and_query());
    if (!decision.allowed) {
        throw RobotsDenied(fmt::format("robots.txt line {}: Disallow: {}", decision.line,
                                       escape_for_terminal(decision.rule)));
    }
    visit.crawl_delay = robots->crawl_delay(config_.user_agent);
}

// Adds the sitemaps of a new robots.txt to the links, or a guess if it names none.
void Visitor::add_sitemaps(const web::Robots& robots, ActiveVisit& visit) const {
    LinkList links(visit.url.resolve("/").value(), {}, config_.sitemap_files_per_host_max);
    for (const std::string& sitemap : robots.sitemaps()) {
        links.add(sitemap, Via::sitemap);
        if (links.is_cut()) ++visit.sitemaps_left_out;
    }
    if (links.size() == 0) links.add("/sitemap.xml", Via::guess);
    visit.links = links.take();
}

ReadOptions Visitor::read_options_for(const ActiveVisit& visit) const {
    return {.keeps_wire = is_archived_,
            .keeps_content = hooks_.wants_content(),
            .page_bytes_max = texts_.html_bytes_max(),
            .reads_styles = config_.wanted_requisites() != Requisites::none,
            .is_sitemap = visit.trail.is_sitemap(),
            .wants_skeleton = visit.look.wants_skeleton,
            .url = visit.url.href(),
            .bytes_max = static_cast<std::size_t>(
                std::min<std::uint64_t>(client_.options().limits.wire_bytes_max, SIZE_MAX / 2)),
            .link_copies = config_.keeps_links ? 4U : 1U};
}

// Fetches once as a rule. If the response is too large for the free credit, fetches it again with
// a loan for the largest response, after a polite pause.
Co<> Visitor::fetch(ActiveVisit& visit, Answer& answer) {
    const bool is_done = co_await fetch_with(credit_, usual_credit_, visit, answer);
    if (is_done) co_return;
    co_await aio::sleep(Politeness(config_.wait).pause(answer.response.timings.total, {}));
    co_await fetch_with(large_credit_, large_credit_.bytes_max(), visit, answer);
}

// False: the response was too large for the credit, and nothing of it is kept. With the large
// credit there is no further try, so a part is taken and the result is always true.
Co<bool> Visitor::fetch_with(BodyCredit& credit, std::size_t bytes, ActiveVisit& visit,
                             Answer& answer) {
    BodyCredit::Loan loan = co_await credit.borrow(bytes);
    ReadOptions read_options = read_options_for(visit);
    read_options.takes_parts = &credit == &large_credit_;
    read_options.received_bytes = &visit.received_bytes;
    answer.sink.emplace(read_options, std::move(loan), readers_);
    http::Request request{.url = visit.url, .headers = config_.headers_for(visit.url)};
    if (answer.before) add_conditions(*answer.before, request.headers);
    bool is_whole = true;
    try {
        co_await client_.fetch(request, *answer.sink, answer.response);
        if (!is_redirect(answer.response)) gather(visit, answer);
    } catch (const http::FetchError&) {
        is_whole = false;
        // When the sink lends no memory, the client ends the fetch with an error: not the server's.
        if (!answer.sink->has_overflowed() || read_options.takes_parts) throw;
    }
    if (is_whole && (!answer.sink->has_overflowed() || read_options.takes_parts)) co_return true;
    answer.html.reset();
    answer.links = {};
    answer.sink.reset();
    co_return false;
}

// Reads page and links from the content. Done here and not later because this needs credit too: if
// it overflows, the fetch is tried again with a larger loan.
void Visitor::gather(const ActiveVisit& visit, Answer& answer) const {
    PageSink& content = answer.content();
    answer.html = content.finish_page();
    if (answer.shown().status != 200) return;
    const web::HtmlPage* html = answer.html ? &*answer.html : nullptr;
    answer.links = links_of(visit.url, answer.shown().headers, html, content, known_);
}

void Visitor::describe_answer(ActiveVisit& visit, Answer& answer) {
    const http::Response& response = answer.response;
    Outcome& outcome = visit.outcome;
    outcome.status = response.status;
    outcome.elapsed = response.timings.total;
    outcome.timings = response.timings;
    outcome.address = response.peer.to_string();
    outcome.content_type = answer.content().content_type();
    outcome.content_bytes = answer.shown().content_bytes;
    outcome.is_unchanged = answer.is_unchanged();
    outcome.is_truncated = response.cut != http::Cut::none || answer.sink->has_overflowed();
    if (answer.content().is_cut()) {
        outcome.is_truncated = true;
        outcome.reason =
            "only a part of its links was read: the page has more than --memory or the limits for "
            "one page allow; what only the rest links to is not known";
    }
    // A 304 may carry newer validators than the stored response (RFC 9111 section 4.3.4).
    if (answer.shown().status == 200) note_validators(answer.shown().headers, outcome);
    if (answer.is_unchanged()) note_validators(response.headers, outcome);
    visit.is_overloaded = response.status == 429 || response.status == 503;
    if (visit.is_overloaded) {
        if (const auto header = response.headers.get("Retry-After")) {
            visit.retry_after =
                web::parse_retry_after(*header, aio::EventLoop::running().wall_time());
        }
    }
    visit.is_put_aside = visit.retry_after && *visit.retry_after > visit.hold_left;
    const std::vector<int>& retried = config_.retry_statuses;
    const bool may_pass = std::ranges::find(retried, response.status) != retried.end();
    if (may_pass && !visit.is_put_aside) visit.trouble = Trouble::overload;
}

// Takes title, directives, canonical and links from the content into the visit.
void Visitor::read_links(ActiveVisit& visit, Answer& answer) {
    Outcome& outcome = visit.outcome;
    PageSink& content = answer.content();
    outcome.skeleton = content.skeleton().value_or(0);
    const web::HtmlPage* html = answer.html ? &*answer.html : nullptr;
    if (html) {
        outcome.title = html->title.value_or("");
        outcome.charset = web::name(content.encoding());
    }
    const web::PageDirectives directives = directives_of(answer.shown().headers, html, agent_);
    outcome.says_noindex = directives.noindex;
    outcome.says_nofollow = directives.nofollow;
    if (answer.shown().status != 200) return;

    if (html && html->canonical) {
        const auto canonical = visit.url.resolve(*html->canonical, web::kBoundedUrl);
        if (canonical) outcome.canonical = canonical->href();
    }
    visit.known_link_count = answer.links.known_count;
    if (visit.links.empty()) {  // Otherwise it holds the sitemaps of robots.txt.
        visit.links = std::move(answer.links.found);
    } else {
        std::ranges::move(answer.links.found, std::back_inserter(visit.links));
    }
}

// Makes the page's line for text.jsonl. Also compares it with the pages seen before.
void Visitor::read_text(ActiveVisit& visit, Answer& answer) {
    PageSink& content = answer.content();
    const bool has_text = texts_.is_wanted() && answer.html && answer.shown().status == 200 &&
                          web::is_html_type(content.content_type());
    if (!has_text) return note_duplicates(answer, visit.outcome, nullptr);
    const http::Headers updated =
        answer.is_unchanged()
            ? with_new_reservations(answer.stored.headers, answer.response.headers)
            : http::Headers();
    const PageText::Page page{.html = content.page(),
                              .headers = answer.is_unchanged() ? updated : answer.response.headers,
                              .url = visit.outcome.url,
                              .date = visit.outcome.date,
                              .terms = visit.terms.get()};
    extract::Extract text = texts_.read(page);
    text.cut.page |= content.is_page_cut() || answer.shown().cut != http::Cut::none;
    content.drop_page();
    note_duplicates(answer, visit.outcome, &text);
    visit.text_line = texts_.line(page, text, visit.outcome.near_duplicate_of);
    if (content.lends_text(visit.text_line.capacity())) return;
    // There is no credit for the line: it keeps the facts.
    visit.text_line = texts_.short_line(page, std::move(text), visit.outcome.near_duplicate_of);
}

void Visitor::note_duplicates(Answer& answer, Outcome& outcome, const extract::Extract* text) {
    if (answer.shown().status != 200 || outcome.content_bytes == 0) return;
    const std::uint64_t digest = answer.content().digest();
    outcome.digest = fmt::format(FMT_COMPILE("xxh3:{:016x}"), digest);
    outcome.is_duplicate = seen_.is_duplicate(digest);
    if (!config_.finds_near_duplicates || !answer.html) return;
    web::TextFingerprint fingerprint;
    fingerprint.add(answer.html->text);
    const std::uint64_t value = text ? text->simhash : fingerprint.finish();
    const std::size_t words = text ? text->simhash_word_count : fingerprint.word_count();
    if (words < kNearDuplicateWordsMin) return;
    outcome.simhash = value;
    outcome.near_duplicate_of = seen_.find_near(value, outcome.url);
}

Co<> Visitor::handle(ActiveVisit& visit, Answer& answer) {
    const std::string content = answer.content().take_content();
    Page page{.url = visit.url,
              .response = answer.shown(),
              .outcome = visit.outcome,
              .content = content,
              .html = answer.html ? &*answer.html : nullptr,
              .links = visit.links,
              .encoding = answer.html ? answer.sink->encoding() : web::Encoding::utf_8,
              .extractor = page_extractor_,
              .wishes = hooks_.extracts};
    try {
        co_await hooks_.on_page(page);
    } catch (const Error& error) {
        visit.outcome.failure = "handler";
        visit.text_line = {};  // The page counts as failed: another run may fetch it again.
        visit.outcome.reason = error.what();
    }
}

// Captures what came of a response that broke off, if it will not be tried again. The record says
// `WARC-Truncated`, so that it is never taken for a whole page (H01).
void Visitor::capture_part(ActiveVisit& visit, Answer& answer, http::Failure failure) const {
    using http::Failure;
    const bool is_tried_again = !visit.is_last_try && trouble_of(failure) != Trouble::none;
    if (is_tried_again || !answer.sink || answer.response.wire_head_end == 0) return;
    const bool is_broken = failure == Failure::reset || failure == Failure::truncated;
    const bool is_late = failure == Failure::idle_timeout || failure == Failure::total_timeout ||
                         failure == Failure::too_slow;
    if (!is_broken && !is_late) return;
    capture(visit, answer);
    if (!visit.capture) return;
    visit.capture->truncated =
        is_broken ? archive::Truncated::disconnect : archive::Truncated::time;
    // The client may have tried twice. If the second connection broke before its head, the head
    // offsets are those of the first: nothing can be archived then.
    if (visit.capture->response.size() < visit.capture->response_body) visit.capture.reset();
}

void Visitor::capture(ActiveVisit& visit, Answer& answer) const {
    if (answer.sink->has_overflowed()) {
        visit.outcome.reason = "not archived: the answer is larger than the memory for answers";
        return;
    }
    archive::Capture& capture = visit.capture.emplace(
        make_capture(visit.url, visit.outcome.date, answer.response,
                     {.request = answer.sink->take_request(), .response = answer.sink->take_wire()},
                     credentials_in_archive(config_)));
    if (answer.before) {
        capture.earlier = answer.is_unchanged()
                              ? answer.original
                              : archive::Original{"", answer.before->url, answer.before->date};
        capture.earlier_digest = answer.before->payload_digest;
    }
    const Outcome& outcome = visit.outcome;
    if (!outcome.referrer.empty())
        archive::append_warc_field(capture.metadata, "via", outcome.referrer);
    archive::append_warc_field(capture.metadata, "found-as", name(outcome.via));
    archive::append_warc_field(capture.metadata, "depth", std::to_string(outcome.depth));
    archive::append_warc_field(capture.metadata, "fetchTimeMs",
                               std::to_string(outcome.elapsed / 1ms));
}

}  // namespace weft::crawl

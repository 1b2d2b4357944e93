#include "crawl/repair/rebuild.h"

#include <map>
#include <set>
#include <unordered_set>

#include <fmt/format.h>

#include "archive/index/page_reader.h"
#include "archive/warc/record_packer.h"
#include "base/hash.h"
#include "crawl/folder/earlier_crawl.h"
#include "crawl/folder/stored_response.h"
#include "crawl/politeness/kept_robots.h"
#include "crawl/scope/admission.h"
#include "crawl/scope/page_links.h"
#include "crawl/visit/page_sink.h"
#include "crawl/visit/page_text.h"
#include "web/fields/mime.h"
#include "web/url/canonical.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr std::size_t kPushedAtOnce = 1'000;
constexpr std::size_t kTextMemoryBytes = 128_MiB;  // For one page; see PageText.

// One rebuild under way. It judges links as a Crawler does, and has no network.
class Rebuild {
public:
    Rebuild(const Config& config, CrawlFolder& folder, const KnownPages& known)
        : config_(config),
          frontier_(folder.frontier()),
          files_(folder.files()),
          known_path_(known.log),
          known_(EarlierCrawl::open_log(folder.shared_files(), config.output, known.log)),
          old_texts_(known.texts),
          text_log_(folder.text_log()),
          texts_(
              text_log_ ? config.text_wishes() : extract::Wishes{.text = extract::TextForm::none},
              config.agent(), {.shard_bytes = kTextMemoryBytes}),
          terms_(config.agent()),
          admission_(config, hooks_, statistics_),
          readers_({.wants_style_links = config.wanted_requisites() == Requisites::all}) {}

    Co<RebuildCounts> run() {
        const std::filesystem::path folder = config_.output / "archive";
        if (files_.exists(folder)) {
            for (const std::string& name : files_.list(folder)) {
                if (archive::is_warc_name(name)) unnamed_files_.insert(name);
            }
        }
        co_await frontier_.push(admission_.seeds());
        co_await walk();
        co_await push_unreached();
        co_await walk();  // From the pages that the first walk did not reach.
        co_return counts_;
    }

private:
    // Completes known URLs until none waits. An unknown URL stays lent: when the folder is opened
    // again, it waits.
    Co<> walk() {
        while (frontier_.counts().waiting > 0) {
            const std::optional<frontier::Visit> visit = co_await frontier_.next();
            if (!visit) co_return;
            std::optional<Outcome> entry = known_->find(visit->candidate.url);
            if (entry) {
                co_await complete(*visit, *entry);
            } else {
                ++counts_.waiting_count;
            }
        }
    }

    Co<> complete(const frontier::Visit& visit, Outcome& entry) {
        reached_.insert(hash64(entry.url));
        ++counts_.page_count;
        frontier::Completion completion{.visit_id = visit.id, .retry_at = {}, .found = {}};
        const auto url = web::Url::parse(entry.url);
        if (url) {
            const Trail trail = Trail::unpack(visit.candidate.trail, visit.candidate.depth);
            const std::vector<FoundLink> links = stored_links(entry, *url, trail);
            Admission::Result admitted;
            admission_.admit(*url, trail, entry.says_nofollow, links, admitted);
            completion.found = std::move(admitted.candidates);
        }
        completion.outcome = archive::to_json_line(entry);
        completion.archived = place_in(entry.archived.file);
        if (text_log_) {
            std::string line = old_texts_.find(entry.url, entry.date);
            if (line.empty()) line = std::exchange(made_line_, {});
            if (!line.empty())
                completion.sides.push_back({TextLog::kName, text_log_->append(line)});
            made_line_ = {};
        }
        co_await frontier_.complete(std::move(completion));
    }

    // Makes the line for text.jsonl from a stored page.
    void read_text(const Outcome& entry, const http::Headers& headers, const PageSink& sink) {
        if (!has_terms_ && config_.obey_robots) read_kept_terms(files_, config_.output, terms_);
        has_terms_ = true;
        const std::shared_ptr<const SiteTerms> terms = terms_.find(entry.url);
        const PageText::Page page{.html = sink.page(),
                                  .headers = headers,
                                  .url = entry.url,
                                  .date = entry.date,
                                  .terms = terms.get()};
        extract::Extract text = texts_.read(page);
        text.cut.page |= sink.is_page_cut() || entry.is_truncated;
        made_line_ = texts_.line(page, text, entry.near_duplicate_of);
    }

    // The header fields with which the page itself came. The body of a revisit is that of another
    // response.
    static http::Headers fields_of(const EarlierCrawl::Answer& answer,
                                   const http::Response& stored) {
        if (answer.revisit.empty()) return stored.headers;
        http::ContentBuffer body;  // It has none.
        const auto fresh = replay(answer.revisit, body);
        if (!fresh) return stored.headers;
        return fresh->status == 304 ? with_new_reservations(stored.headers, fresh->headers)
                                    : fresh->headers;
    }

    // The links of the stored response. An entry that was made from the archive alone (it has no
    // content_bytes) also gets what the crawl would have noted: size, digest, title, charset.
    std::vector<FoundLink> stored_links(Outcome& entry, const web::Url& url, const Trail& trail) {
        if (entry.ending == Ending::redirect) {
            LinkList links(url);
            if (!entry.redirect_target.empty()) links.add(entry.redirect_target, Via::redirect);
            return links.take();
        }
        const auto answer = known_->read_answer(entry);
        if (!answer) return {};
        PageSink sink({.page_bytes_max = texts_.html_bytes_max(),
                       .reads_styles = config_.wanted_requisites() != Requisites::none,
                       .is_sitemap = trail.is_sitemap(),
                       .url = entry.url},
                      BodyCredit::Loan(), readers_);
        const auto response = replay(answer->block, sink);
        if (!response) return {};
        const bool is_bare = entry.content_bytes == 0;
        if (is_bare) entry.content_bytes = response->content_bytes;
        if (response->status != 200) return {};
        const std::optional<web::HtmlPage> html = sink.finish_page();
        if (is_bare && entry.content_bytes > 0) {
            entry.digest = fmt::format("xxh3:{:016x}", sink.digest());
            entry.is_duplicate = !digests_.insert(sink.digest()).second;
        }
        if (html && texts_.is_wanted() && web::is_html_type(sink.content_type()))
            read_text(entry, fields_of(*answer, *response), sink);
        if (is_bare && html) {
            entry.title = html->title.value_or("");
            entry.charset = web::name(sink.encoding());
        }
        return links_of(url, response->headers, html ? &*html : nullptr, sink).found;
    }

    // The archive place of a completion: a whole WARC file. The end of the page's own record would
    // be wrong, because the walk visits pages in another order than the file has them. A file that
    // no completion names is not part of the crawl, and some files hold only robots.txt. So a page
    // whose own file is named already, or that has none, names one of those instead.
    std::optional<ArchivePlace> place_in(std::string file) {
        const bool is_named = file.empty() || sizes_.contains(file);
        if (is_named && !unnamed_files_.empty()) file = *unnamed_files_.begin();
        if (file.empty()) return std::nullopt;
        unnamed_files_.erase(file);
        const auto [place, is_new] = sizes_.try_emplace(file, 0);
        if (is_new) {
            place->second =
                files_.open(config_.output / "archive" / file, aio::OpenMode::read)->size();
        }
        return ArchivePlace{.file = file, .offset = 0, .length = place->second};
    }

    // Queues known URLs that no stored page links to, such as sitemaps that robots.txt named.
    Co<> push_unreached() {
        std::vector<frontier::Candidate> candidates;
        std::vector<std::vector<frontier::Candidate>> batches;
        const std::unique_ptr<aio::File> log = files_.open(known_path_, aio::OpenMode::read);
        archive::read_pages(*log, [&](const Outcome& entry) {
            const auto url = web::Url::parse(entry.url);
            if (!url || reached_.contains(hash64(entry.url))) return;
            candidates.push_back(candidate_of(entry, *url));
            if (candidates.size() >= kPushedAtOnce)
                batches.push_back(std::exchange(candidates, {}));
        });
        batches.push_back(std::move(candidates));
        for (std::vector<frontier::Candidate>& batch : batches) {
            co_await frontier_.push(std::move(batch));
        }
    }

    frontier::Candidate candidate_of(const Outcome& entry, const web::Url& url) const {
        // The page log does not keep the trail: the URL starts with all redirects, as a link does.
        const Trail trail{
            .depth = entry.depth, .via = entry.via, .redirects_left = config_.redirects_left()};
        std::string key = web::canonical_key(url, {.drop_session_ids = !config_.keeps_session_ids});
        frontier::Candidate candidate = make_candidate(url, trail, std::move(key), entry.referrer);
        candidate.url = entry.url;  // As the log has it: walk() looks it up by its text.
        return candidate;
    }

    const Config& config_;
    frontier::Frontier& frontier_;
    aio::FileSystem& files_;
    std::filesystem::path known_path_;
    std::shared_ptr<const EarlierCrawl> known_;
    OldTexts& old_texts_;
    TextLog* text_log_;  // Null: no text is kept.
    PageText texts_;
    SiteTermsBook terms_;
    bool has_terms_ = false;  // terms_ was read from the archive.
    std::string made_line_;   // Of the page whose links were just read.
    Hooks hooks_;
    Statistics statistics_;
    Admission admission_;
    ReaderPool readers_;
    std::set<std::string> unnamed_files_;         // WARC files that no completion names yet.
    std::map<std::string, std::uint64_t> sizes_;  // Sizes of the WARC files that are named.
    std::unordered_set<std::uint64_t> reached_;   // Hashes of the URLs that were completed.
    std::unordered_set<std::uint64_t> digests_;   // Of contents whose entries had no digest.
    RebuildCounts counts_;
};

}  // namespace

Co<RebuildCounts> rebuild(const Config& config, CrawlFolder& folder, const KnownPages& known) {
    Rebuild rebuild(config, folder, known);
    co_return co_await rebuild.run();
}

}  // namespace weft::crawl

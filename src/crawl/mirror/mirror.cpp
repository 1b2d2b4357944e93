#include "crawl/mirror/mirror.h"

#include <algorithm>
#include <unordered_set>

#include <fmt/format.h>

#include "aio/files/folder.h"
#include "aio/task/errors.h"
#include "archive/index/crawl_snapshot.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/shell_word.h"
#include "crawl/folder/earlier_crawl.h"
#include "crawl/mirror/mirror_names.h"
#include "crawl/mirror/mirror_rewrite.h"
#include "crawl/mirror/mirror_text.h"
#include "web/fields/mime.h"
#include "web/html/html.h"

namespace weft::crawl {

namespace {

constexpr std::size_t kDamagesToldMax = 10;

bool is_kept(const Outcome& entry) {
    return !entry.archived.file.empty() && (entry.status == 200 || entry.is_unchanged);
}

// The base URL of the page's relative references. As in the HTML standard ("document base URL"), a
// <base> with data: or javascript: is ignored.
web::Url base_of(const web::Url& url, const web::HtmlPage& page) {
    if (!page.base_href) return url;
    const auto named = url.resolve(*page.base_href, web::kBoundedUrl);
    return named && named->is_http() ? *named : url;
}

// One copy under way. The first pass over the page log chooses all names, so that the second pass,
// which writes the files, can rewrite links to pages that come later.
class Mirror {
public:
    Mirror(aio::FileSystem& files, const archive::CrawlSnapshot& snapshot,
           const std::filesystem::path& target, const MirrorOptions& options)
        : snapshot_(snapshot),
          earlier_(EarlierCrawl::open(files, snapshot.folder(),
                                      {.earlier = options.earlier, .digests = options.digests})),
          out_(target),
          names_(secret_seed()) {}

    MirrorReport write() {
        each_page([this](const Outcome& entry, const web::Url& url) {
            if (is_kept(entry)) names_.add(url, entry.content_type);
            if (entry.redirect_target.empty()) return;
            const auto to = web::Url::parse(entry.redirect_target);
            if (to) names_.add_redirect(url, *to);
        });
        each_page([this](const Outcome& entry, const web::Url& url) {
            if (is_kept(entry)) add(entry, url);
        });
        report_.was_running = snapshot_.is_running();
        report_.missing_earlier = earlier_->missing().value_or("");
        return std::move(report_);
    }

private:
    // Both passes see the same pages, even if the crawl adds some in between: the snapshot is
    // fixed.
    void each_page(const std::function<void(const Outcome&, const web::Url&)>& take) const {
        snapshot_.each_page([&](const Outcome& entry) {
            const auto url = web::Url::parse(entry.url);
            if (url && url->is_http()) take(entry, *url);
        });
    }

    void add(const Outcome& entry, const web::Url& url) {
        const std::string path(names_.add(url, entry.content_type));
        // A manipulated page log may have a page twice.
        if (!written_.insert(hash64(path, secret_seed())).second) return;
        const auto answer = earlier_->read_answer(entry);
        if (!answer) return note(answer.error());
        http::ContentBuffer body;
        const auto response = replay(answer->block, body);
        if (!response) {
            return note({EarlierCrawl::Loss::damaged,
                         fmt::format("{}: {}", escape_for_terminal(entry.url), response.error())});
        }
        const std::string content = rewritten(entry, url, path, *response, body.content);
        out_.remove(path);
        out_.create(path)->append(content);
        ++report_.file_count;
        report_.bytes += content.size();
    }

    void note(const EarlierCrawl::Lost& lost) {
        if (lost.kind == EarlierCrawl::Loss::no_original) {
            ++report_.no_original_count;
            return;
        }
        ++report_.damaged_count;
        if (report_.damages.size() < kDamagesToldMax) report_.damages.push_back(lost.what);
    }

    // The content of the file. HTML and CSS get new references. Other text is only converted to
    // UTF-8, because a file has no Content-Type header that names its charset.
    std::string rewritten(const Outcome& entry, const web::Url& url, std::string_view path,
                          const http::Response& response, std::string& content) const {
        const std::string_view header = response.headers.get("Content-Type").value_or("");
        if (web::is_html_type(entry.content_type)) {
            const bool is_xml = entry.content_type == "application/xhtml+xml";
            const std::string text = page_text(content, header);
            const web::Url base = base_of(url, web::read_html(text));
            return rewrite_html(
                text, relative_reference(path, path),
                [&](std::string_view reference) {
                    return reference_from(path, url, base, reference);
                },
                is_xml ? Markup::xml : Markup::html);
        }
        if (entry.content_type == "text/css") {
            const std::string text = sheet_text(content, header, charset_around(entry));
            return rewrite_css(text, [&](std::string_view reference) {
                return reference_from(path, url, url, reference);
            });
        }
        const auto type = web::MimeType::parse(entry.content_type);
        if (!type) return std::move(content);
        if (type->is_javascript()) {
            return other_text(std::move(content), header, charset_around(entry));
        }
        if (type->is_xml()) return xml_text(std::move(content), header);
        return type->type == "text" ? other_text(std::move(content), header, "")
                                    : std::move(content);
    }

    // The charset of the page that a style sheet or script was found on. A browser uses it for a
    // sheet or script that names no charset.
    std::string charset_around(const Outcome& entry) const {
        const auto page = earlier_->find(entry.referrer);
        return page ? page->charset : "";
    }

    // The new text of a reference: relative to the file at `path` if its target is in the mirror,
    // else the absolute URL. References that are not http or https stay as they are.
    std::string reference_from(std::string_view path, const web::Url& page, const web::Url& base,
                               std::string_view reference) const {
        const std::string_view trimmed = trim(reference);
        if (trimmed.empty() || (trimmed.starts_with('#') && base.href() == page.href())) {
            return std::string(reference);
        }
        const auto url = base.resolve(trimmed, web::kBoundedUrl);
        if (!url || !url->is_http()) return std::string(reference);
        const auto target = names_.find(*url);
        if (!target) return std::string(url->href());
        return relative_reference(path, *target) + std::string(url->hash());
    }

    const archive::CrawlSnapshot& snapshot_;
    std::shared_ptr<const EarlierCrawl> earlier_;
    aio::Folder out_;
    MirrorNames names_;
    std::unordered_set<std::uint64_t> written_;  // Hashes of paths.
    MirrorReport report_;
};

}  // namespace

void check_mirror_target(aio::FileSystem& files, const std::filesystem::path& target) {
    if (!files.exists(target) || files.list(target).empty()) return;
    if (files.exists(target / kUnfinishedName)) return;
    throw UsageError(fmt::format("{} is not empty: a mirror needs a folder of its own",
                                 escape_for_terminal(target.string())));
}

MirrorReport write_mirror(aio::FileSystem& files, const std::filesystem::path& crawl,
                          const std::filesystem::path& target, const MirrorOptions& options) {
    check_mirror_target(files, target);
    const archive::CrawlSnapshot snapshot(files, crawl);
    files.create_directories(target);
    const std::unique_ptr<aio::FileLock> lock = files.try_lock(target / kUnfinishedName);
    if (!lock) {
        throw UsageError(fmt::format("{} is being made by another process",
                                     escape_for_terminal(target.string())));
    }
    try {
        MirrorReport report = Mirror(files, snapshot, target, options).write();
        files.remove(target / kUnfinishedName);
        return report;
    } catch (const aio::IoError& error) {
        throw archive::ArchiveError(
            fmt::format("cannot finish the copy in {}: {} (the crawl is whole; to make the copy "
                        "again: `weft mirror {} {}`)",
                        escape_for_terminal(target.string()), error.what(),
                        shell_word(crawl.string()), shell_word(target.string())));
    }
}

}  // namespace weft::crawl

#include "crawl/mirror.h"

#include <fmt/format.h>

#include "aio/errors.h"
#include "aio/folder.h"
#include "archive/page_reader.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "crawl/earlier_crawl.h"
#include "crawl/mirror_names.h"
#include "crawl/mirror_rewrite.h"
#include "web/html.h"
#include "web/page_decoder.h"

namespace weft::crawl {

namespace {

// Says that a file is UTF-8, over anything that the page itself says.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_html(std::string_view type) {
    return type == "text/html" || type == "application/xhtml+xml";
}

bool is_kept(const archive::PageEntry& entry) {
    return !entry.warc_file.empty() && (entry.status == 200 || entry.is_unchanged);
}

std::string to_utf8(std::string_view bytes, std::string_view content_type) {
    web::PageDecoder decoder(content_type);
    std::string text(decoder.feed(bytes));
    text += decoder.finish();
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    return text;
}

class Mirror {
public:
    Mirror(aio::FileSystem& files, const std::filesystem::path& crawl,
           const std::filesystem::path& target)
        : files_(files.inside(crawl)),
          crawl_(crawl),
          earlier_(EarlierCrawl::open(files, crawl)),
          out_(target) {}

    MirrorReport write() {
        each_entry([this](const archive::PageEntry& entry, const web::Url& url) {
            if (is_kept(entry)) names_.add(url, entry.content_type);
            if (entry.redirect_target.empty()) return;
            const auto to = web::Url::parse(entry.redirect_target);
            if (to) names_.add_redirect(url, *to);
        });
        each_entry([this](const archive::PageEntry& entry, const web::Url& url) {
            if (is_kept(entry)) add(entry, url);
        });
        return report_;
    }

private:
    void each_entry(const std::function<void(const archive::PageEntry&, const web::Url&)>& take) {
        const std::unique_ptr<aio::File> log =
            files_->open(crawl_ / "pages" / "pages.jsonl", aio::OpenMode::read);
        archive::read_pages(*log, [&](const archive::PageEntry& entry) {
            const auto url = web::Url::parse(entry.url);
            if (url && url->is_http()) take(entry, *url);
        });
    }

    void add(const archive::PageEntry& entry, const web::Url& url) {
        const auto answer = earlier_->read_answer(entry);
        http::ContentBuffer body;
        if (!answer) {
            ++report_.lost_count;
            return;
        }
        const auto response = replay(answer->block, body);
        if (!response) {
            ++report_.lost_count;
            return;
        }
        const std::string path(names_.find(url).value());
        const std::string content = rewritten(entry, url, path, *response, body.content);
        out_.create(path)->append(content);
        ++report_.file_count;
        report_.bytes += content.size();
    }

    std::string rewritten(const archive::PageEntry& entry, const web::Url& url,
                          std::string_view path, const http::Response& response,
                          std::string& content) const {
        if (is_html(entry.content_type)) {
            const std::string text =
                to_utf8(content, response.headers.get("Content-Type").value_or(""));
            const web::HtmlPage page = web::read_html(text);
            const auto named = page.base_href ? url.resolve(*page.base_href, web::kBoundedUrl)
                                              : std::expected<web::Url, web::UrlError>(url);
            const web::Url base = named.value_or(url);
            const std::string own = relative_reference(path, path);
            return std::string(kByteOrderMark) +
                   rewrite_html(text, own, [&](std::string_view reference) {
                       return reference_from(path, url, base, reference);
                   });
        }
        if (entry.content_type == "text/css") {
            return rewrite_css(content, [&](std::string_view reference) {
                return reference_from(path, url, url, reference);
            });
        }
        return std::move(content);
    }

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

    std::unique_ptr<aio::FileSystem> files_;  // Of the crawl.
    const std::filesystem::path& crawl_;
    std::shared_ptr<const EarlierCrawl> earlier_;
    aio::Folder out_;
    MirrorNames names_;
    MirrorReport report_;
};

}  // namespace

void check_mirror_target(aio::FileSystem& files, const std::filesystem::path& target) {
    if (!files.exists(target) || files.list(target).empty()) return;
    throw UsageError(fmt::format("{} is not empty: a mirror needs a folder of its own",
                                 escape_for_terminal(target.string())));
}

MirrorReport write_mirror(aio::FileSystem& files, const std::filesystem::path& crawl,
                          const std::filesystem::path& target) {
    check_mirror_target(files, target);
    files.create_directories(target);
    try {
        return Mirror(files, crawl, target).write();
    } catch (const aio::IoError& error) {
        const std::string copy = escape_for_terminal(target.string());
        throw aio::IoError(
            fmt::format("cannot finish the copy in {} (the crawl is whole; remove the copy, then "
                        "`weft mirror {} {}`)",
                        copy, escape_for_terminal(crawl.string()), copy),
            error.code());
    }
}

}  // namespace weft::crawl

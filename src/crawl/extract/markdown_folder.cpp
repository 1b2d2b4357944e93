#include "crawl/extract/markdown_folder.h"

#include <utility>

#include <fmt/format.h>

#include "base/error.h"
#include "base/escape.h"
#include "base/hash.h"
#include "web/url/url.h"

namespace weft::crawl {
namespace {

// A quoted text of JSON is one of YAML, too.
void add_fact(std::string_view name, std::string_view value, std::string& out) {
    if (value.empty()) return;
    out.append(name).append(": \"");
    append_for_json(out, value);
    out += "\"\n";
}

}  // namespace

MarkdownFolder::MarkdownFolder(aio::FileSystem& files, std::filesystem::path target)
    : files_(files), target_(std::move(target)), names_(secret_seed()) {
    const std::filesystem::path mark = target_ / kUnfinishedExtractName;
    if (files_.exists(target_) && !files_.list(target_).empty() && !files_.exists(mark)) {
        throw UsageError(fmt::format("{} is not empty: Markdown files need a folder of their own",
                                     escape_for_terminal(target_.string())));
    }
    files_.create_directories(target_);
    lock_ = files_.try_lock(mark);
    if (!lock_) {
        throw UsageError(fmt::format("{} is being made by another process",
                                     escape_for_terminal(target_.string())));
    }
    out_ = std::make_unique<aio::Folder>(target_);
}

void MarkdownFolder::make(const ArchivedPage& page, const extract::Extract& extract, PageWorker&,
                          std::string& out) const {
    if (extract.text.empty()) return;
    if (!web::Url::parse(page.url)) throw Error("its URL is none, so its file has no name");
    const extract::Metadata& fields = extract.fields;
    out += "---\n";
    add_fact("title", fields.title, out);
    add_fact("url", page.url, out);
    add_fact("fetched", to_iso8601(page.date), out);
    add_fact("author", fields.byline, out);
    add_fact("published", fields.published, out);
    add_fact("modified", fields.modified, out);
    add_fact("lang", extract.lang_detected.empty() ? fields.lang : extract.lang_detected, out);
    add_fact("site", fields.site, out);
    add_fact("description", fields.description, out);
    out += "---\n\n";
    out += extract.text;
}

void MarkdownFolder::write(std::string_view url, std::string_view made) {
    const std::string& path = names_.add(web::Url::parse(url).value(), "text/markdown");
    out_->remove(path);
    out_->create(path)->append(made);
}

void MarkdownFolder::finish() {
    files_.remove(target_ / kUnfinishedExtractName);
}

}  // namespace weft::crawl

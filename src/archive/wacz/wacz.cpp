#include "archive/wacz/wacz.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "archive/index/crawl_index.h"
#include "archive/index/digest.h"
#include "archive/index/line_sorter.h"
#include "archive/wacz/zip_writer.h"
#include "archive/warc/gzip_member.h"
#include "archive/warc/record_packer.h"
#include "archive/warc/repack.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/units.h"
#include "web/fields/mime.h"

namespace weft::archive {

namespace {

constexpr std::size_t kIndexBlockLines = 3'000;  // As other tools do; about 100 KiB compressed.
constexpr std::size_t kWriteBytes = 256_KiB;
constexpr std::string_view kIndexFileName = "index.cdx.gz";
constexpr std::string_view kOriginalsName = "originals";

std::filesystem::path beside(std::filesystem::path path, std::string_view ending) {
    path += ending;
    return path;
}

// A temporary file for data that are too large for memory. The destructor removes it.
class ScratchFile {
public:
    ScratchFile(aio::FileSystem& files, std::filesystem::path path)
        : files_(files), path_(std::move(path)) {
        files_.remove(path_);
        file_ = files_.open(path_, aio::OpenMode::create);
    }
    ~ScratchFile() {
        try {
            files_.remove(path_);
        } catch (const Error&) {
            // The next scratch file of this name replaces it.
        }
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    void add(std::string_view bytes) {
        pending_ += bytes;
        if (pending_.size() >= kWriteBytes) file_->append(std::exchange(pending_, {}));
    }

    // For writers that write directly, without add().
    aio::File& file() { return *file_; }

    // Writes the rest and opens the file for reading.
    std::unique_ptr<aio::File> finish() {
        file_->append(std::exchange(pending_, {}));
        return files_.open(path_, aio::OpenMode::read);
    }

private:
    aio::FileSystem& files_;
    std::filesystem::path path_;
    std::unique_ptr<aio::File> file_;
    std::string pending_;
};

// Whether a replay tool should list it: an HTML page, not an image or a style sheet of one.
bool is_page(const Outcome& entry) {
    const bool has_content = entry.status == 200 || entry.is_unchanged;
    const bool is_html = web::is_html_type(entry.content_type);
    return has_content && is_html && !entry.archived.file.empty() && entry.via != Via::requisite;
}

std::string page_line(const Outcome& entry) {
    const std::string_view title = entry.title.empty() ? entry.url : entry.title;
    std::string line =
        fmt::format(R"({{"id":"{:016x}","url":"{}","ts":"{}","title":"{}","size":{},"depth":{})",
                    hash64(entry.url), escape_for_json(entry.url), to_iso8601(entry.date, 3),
                    escape_for_json(title), entry.content_bytes, entry.depth);
    if (entry.via == Via::seed) line += ",\"seed\":true";
    if (!entry.text.empty()) line += fmt::format(",\"text\":\"{}\"", escape_for_json(entry.text));
    return line + "}\n";
}

// Writes one WACZ file. The order of the parts matters: the index needs all WARC files, and the
// description needs the digests of everything before it.
class WaczWriter {
public:
    WaczWriter(aio::FileSystem& files, const CrawlSnapshot& crawl,
               const std::filesystem::path& scratch, aio::File& out, const WaczOptions& options)
        : files_(files),
          crawl_(crawl),
          scratch_(scratch),
          options_(options),
          zip_(out, options.created),
          index_(files, beside(scratch, ".sorting")) {}

    WaczSummary write() {
        add_archive();
        add_originals();
        add_index();
        add_pages();
        // The digest of the description is in a file of its own, because it cannot contain itself.
        const std::string description = make_description();
        zip_.add("datapackage.json", description);
        zip_.add("datapackage-digest.json",
                 fmt::format("{{\n  \"path\": \"datapackage.json\",\n  \"hash\": \"{}\"\n}}\n",
                             sha256_label(description)));
        zip_.finish();
        return summary_;
    }

private:
    // Adds a file to the list of resources in the description.
    void add(const std::string& path, const ZipMember& member) {
        const std::string name = path.substr(path.rfind('/') + 1);
        resources_ += fmt::format(
            "{}\n    {{\"name\": \"{}\", \"path\": \"{}\", \"hash\": \"{}\", \"bytes\": {}}}",
            resources_.empty() ? "" : ",", escape_for_json(name), escape_for_json(path),
            member.sha256, member.bytes);
    }

    void add_archive() {
        std::set<std::string, std::less<>> repacked;
        for (const std::string& name : crawl_.warc_files()) {
            const std::unique_ptr<aio::File> file = crawl_.open_warc(name);
            if (name.ends_with(warc_extension(Packing::zstd))) {
                repack(name, *file);
                repacked.insert(name);
            } else {
                add_warc(name, *file);
            }
        }
        // The logs know the positions in files that are copied as they are. Repacked records have
        // new positions, which the Repacker has already added to the index.
        const auto add_line = [&](const Outcome& entry) {
            if (repacked.contains(entry.archived.file)) return;
            if (const auto cdx = to_cdx_entry(entry)) index_.add(make_cdxj_line(*cdx));
        };
        crawl_.each_page(add_line);
        crawl_.each_robots(add_line);
    }

    void add_warc(const std::string& name, aio::File& file) {
        const std::string path = "archive/" + name;
        add(path, zip_.add(path, file));
        warc_names_.insert(name);
    }

    void repack(const std::string& name, aio::File& from) {
        const std::string stem = name.substr(0, name.size() - warc_extension(Packing::zstd).size());
        const std::string fresh = free_name(stem);
        ScratchFile out(files_, beside(scratch_, ".warc.gz"));
        Repacker repacker(out.file(), fresh,
                          [this](const CdxEntry& cdx) { index_.add(make_cdxj_line(cdx)); });
        demand(repacker.copy(from), crawl_.folder() / "archive" / name);
        add_warc(fresh, *out.finish());
    }

    void add_originals() {
        if (!options_.each_original) return;
        const std::string name = free_name(std::string(kOriginalsName));
        ScratchFile out(files_, beside(scratch_, ".warc.gz"));
        Repacker repacker(out.file(), name,
                          [this](const CdxEntry& cdx) { index_.add(make_cdxj_line(cdx)); });
        options_.each_original([&](const std::filesystem::path& path, std::uint64_t offset) {
            const std::unique_ptr<aio::File> from = files_.open(path, aio::OpenMode::read);
            demand(repacker.copy(*from, offset, 1), path);
        });
        summary_.original_count = repacker.record_count();
        if (summary_.original_count > 0) add_warc(name, *out.finish());
    }

    // A name for a new WARC file that no other WARC file has, in the ZIP or in the crawl.
    std::string free_name(const std::string& stem) const {
        std::string name = stem + std::string(warc_extension(Packing::gzip));
        const std::vector<std::string> others = crawl_.warc_files();
        for (int i = 1;
             warc_names_.contains(name) || std::ranges::find(others, name) != others.end(); ++i) {
            name = fmt::format("{}-{}{}", stem, i, warc_extension(Packing::gzip));
        }
        return name;
    }

    static void demand(const std::expected<void, std::string>& copied,
                       const std::filesystem::path& path) {
        if (copied) return;
        throw ArchiveError(fmt::format("{}: {}: `weft repair` takes out what is damaged",
                                       escape_for_terminal(path.string()), copied.error()));
    }

    // Writes the index lines in blocks that are compressed separately, and an index of the blocks.
    // A reader loads the index of blocks and then only the blocks that it needs.
    void add_index() {
        ScratchFile packed(files_, beside(scratch_, ".cdx.gz"));
        std::string idx = fmt::format(
            "!meta 0 {{\"format\": \"cdxj-gzip-1.0\", \"filename\": "
            "\"{}\"}}\n",
            kIndexFileName);
        GzipPacker packer(GzipPacker::kSmallLevel);
        std::string block;
        std::size_t line_count = 0;
        std::uint64_t offset = 0;
        const auto end_block = [&] {
            if (block.empty()) return;
            std::string member;
            const std::string_view whole = block;
            packer.append_member(std::span(&whole, 1), member);
            // The key of the block is that of its first line: "com,example)/ 20260301120000".
            const std::string_view first = whole.substr(0, whole.find(" {"));
            idx += fmt::format(
                "{} {{\"offset\": {}, \"length\": {}, \"digest\": \"{}\", "
                "\"filename\": \"{}\"}}\n",
                first, offset, member.size(), sha256_label(member), kIndexFileName);
            packed.add(member);
            offset += member.size();
            block.clear();
            line_count = 0;
        };
        index_.finish([&](std::string_view line) {
            block += line;
            ++summary_.record_count;
            if (++line_count == kIndexBlockLines) end_block();
        });
        end_block();
        const std::unique_ptr<aio::File> file = packed.finish();
        add("indexes/index.cdx.gz", zip_.add("indexes/index.cdx.gz", *file));
        add("indexes/index.idx", zip_.add("indexes/index.idx", idx));
    }

    void add_pages() {
        ScratchFile pages(files_, beside(scratch_, ".pages.jsonl"));
        pages.add(kPagesFormatLine);
        crawl_.each_page([&](const Outcome& entry) {
            if (!is_page(entry)) return;
            // The first page of the log opens when a reader opens the file.
            if (main_page_.url.empty()) {
                main_page_.url = entry.url;
                main_page_.date = entry.date;
            }
            pages.add(page_line(entry));
            ++summary_.page_count;
        });
        const std::unique_ptr<aio::File> file = pages.finish();
        add("pages/pages.jsonl", zip_.add("pages/pages.jsonl", *file));
    }

    std::string make_description() const {
        std::string text = fmt::format(
            "{{\n  \"profile\": \"data-package\",\n  \"wacz_version\": \"1.1.1\",\n"
            "  \"title\": \"{}\",\n  \"software\": \"{}\",\n  \"created\": \"{}\",\n",
            escape_for_json(options_.title), escape_for_json(options_.software),
            to_iso8601(options_.created));
        if (!main_page_.url.empty()) {
            text += fmt::format("  \"mainPageUrl\": \"{}\",\n  \"mainPageDate\": \"{}\",\n",
                                escape_for_json(main_page_.url), to_iso8601(main_page_.date));
        }
        return text + fmt::format("  \"resources\": [{}\n  ]\n}}\n", resources_);
    }

    aio::FileSystem& files_;
    const CrawlSnapshot& crawl_;
    const std::filesystem::path& scratch_;
    const WaczOptions& options_;
    ZipWriter zip_;
    LineSorter index_;
    std::set<std::string, std::less<>> warc_names_;  // The WARC files in the ZIP.
    std::string resources_;                          // JSON objects of the description.
    Outcome main_page_;
    WaczSummary summary_;
};

}  // namespace

WaczSummary write_wacz(aio::FileSystem& files, const CrawlSnapshot& crawl,
                       const std::filesystem::path& path, const WaczOptions& options) {
    const std::filesystem::path fresh = beside(path, ".new");
    files.remove(fresh);
    WaczSummary summary;
    try {
        const std::unique_ptr<aio::File> out = files.open(fresh, aio::OpenMode::create);
        summary = WaczWriter(files, crawl, fresh, *out, options).write();
        out->sync();
        summary.bytes = out->size();
    } catch (const Error&) {
        files.remove(fresh);
        throw;
    }
    // Only a complete and synced file gets the name.
    files.rename(fresh, path);
    files.sync_directory(path.has_parent_path() ? path.parent_path() : ".");
    return summary;
}

}  // namespace weft::archive

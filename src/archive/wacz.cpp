#include "archive/wacz.h"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "archive/crawl_index.h"
#include "archive/digest.h"
#include "archive/gzip_member.h"
#include "archive/line_reader.h"
#include "archive/page_reader.h"
#include "archive/record_packer.h"
#include "archive/zip_writer.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/units.h"

namespace weft::archive {

namespace {

constexpr std::size_t kIndexBlockLines = 3'000;  // As others do: some 100 KiB packed.
constexpr std::size_t kWriteBytes = 256_KiB;
constexpr std::string_view kIndexFileName = "index.cdx.gz";

// A file of its own for what is too large to be held, gone with this object.
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
            // The next one of this name replaces it.
        }
    }
    ScratchFile(const ScratchFile&) = delete;
    ScratchFile& operator=(const ScratchFile&) = delete;

    void add(std::string_view bytes) {
        pending_ += bytes;
        if (pending_.size() >= kWriteBytes) file_->append(std::exchange(pending_, {}));
    }

    // For reading.
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

bool is_page(const PageEntry& entry) {
    const bool has_content = entry.status == 200 || entry.is_unchanged;
    const bool is_html =
        entry.content_type == "text/html" || entry.content_type == "application/xhtml+xml";
    return has_content && is_html && !entry.warc_file.empty() && entry.via != "requisite";
}

std::string page_line(const PageEntry& entry) {
    const std::string_view title = entry.title.empty() ? entry.url : entry.title;
    std::string line =
        fmt::format(R"({{"id":"{:016x}","url":"{}","ts":"{}","title":"{}","size":{},"depth":{})",
                    hash64(entry.url), escape_for_json(entry.url), to_iso8601(entry.date, 3),
                    escape_for_json(title), entry.content_bytes, entry.depth);
    if (entry.via == "seed") line += ",\"seed\":true";
    if (!entry.text.empty()) line += fmt::format(",\"text\":\"{}\"", escape_for_json(entry.text));
    return line + "}\n";
}

class WaczWriter {
public:
    WaczWriter(aio::FileSystem& files, const std::filesystem::path& folder, aio::File& out,
               const WaczOptions& options)
        : files_(files), folder_(folder), options_(options), zip_(out, options.created) {}

    WaczSummary write() {
        add_archive();
        add_index();
        add_pages();
        const std::string description = make_description();
        zip_.add("datapackage.json", description);
        zip_.add("datapackage-digest.json",
                 fmt::format("{{\n  \"path\": \"datapackage.json\",\n  \"hash\": \"{}\"\n}}\n",
                             sha256_label(description)));
        zip_.finish();
        return summary_;
    }

private:
    void add(const std::string& path, const ZipMember& member) {
        const std::string name = path.substr(path.rfind('/') + 1);
        resources_ += fmt::format(
            "{}\n    {{\"name\": \"{}\", \"path\": \"{}\", \"hash\": \"{}\", \"bytes\": {}}}",
            resources_.empty() ? "" : ",", escape_for_json(name), escape_for_json(path),
            member.sha256, member.bytes);
    }

    void add_archive() {
        for (const std::string& name : files_.list(folder_ / "archive")) {
            if (!is_warc_name(name)) continue;
            if (name.ends_with(warc_extension(Packing::zstd))) {
                throw UsageError(
                    fmt::format("{}: packed by zstd, which replay tools do not read: crawl with "
                                "--compress gzip for a WACZ file",
                                escape_for_terminal(name)));
            }
            const std::string path = "archive/" + name;
            const std::unique_ptr<aio::File> file =
                files_.open(folder_ / path, aio::OpenMode::read);
            add(path, zip_.add(path, *file));
        }
    }

    // The lines in blocks, each packed for itself, and an index of the blocks: a reader loads the
    // latter and then only the blocks it needs.
    void add_index() {
        summary_.record_count = write_crawl_index(files_, folder_);
        const std::unique_ptr<aio::File> index =
            files_.open(folder_ / kIndexName, aio::OpenMode::read);
        ScratchFile packed(files_, folder_ / "indexes" / "index.cdx.gz.new");
        std::string idx = fmt::format(
            "!meta 0 {{\"format\": \"cdxj-gzip-1.0\", \"filename\": "
            "\"{}\"}}\n",
            kIndexFileName);
        GzipPacker packer;
        std::string block;
        std::size_t line_count = 0;
        std::uint64_t offset = 0;
        const auto end_block = [&] {
            if (block.empty()) return;
            std::string member;
            const std::string_view whole = block;
            packer.append_member(std::span(&whole, 1), member);
            // "com,example)/ 20260301120000" of the first line.
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
        LineReader lines(*index);
        while (const auto line = lines.next()) {
            block += *line;
            if (++line_count == kIndexBlockLines) end_block();
        }
        end_block();
        const std::unique_ptr<aio::File> file = packed.finish();
        add("indexes/index.cdx.gz", zip_.add("indexes/index.cdx.gz", *file));
        add("indexes/index.idx", zip_.add("indexes/index.idx", idx));
    }

    void add_pages() {
        const std::unique_ptr<aio::File> log =
            files_.open(folder_ / "pages" / "pages.jsonl", aio::OpenMode::read);
        ScratchFile pages(files_, folder_ / "pages" / "wacz-pages.jsonl.new");
        pages.add(kPagesFormatLine);
        read_pages(*log, [&](const PageEntry& entry) {
            if (!is_page(entry)) return;
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
    const std::filesystem::path& folder_;
    const WaczOptions& options_;
    ZipWriter zip_;
    std::string resources_;
    PageEntry main_page_;
    WaczSummary summary_;
};

}  // namespace

WaczSummary write_wacz(aio::FileSystem& files, const std::filesystem::path& folder,
                       const std::filesystem::path& path, const WaczOptions& options) {
    std::filesystem::path fresh = path;
    fresh += ".new";
    files.remove(fresh);
    WaczSummary summary;
    const std::unique_ptr<aio::FileSystem> inside = files.inside(folder);
    try {
        const std::unique_ptr<aio::File> out = files.open(fresh, aio::OpenMode::create);
        summary = WaczWriter(*inside, folder, *out, options).write();
        out->sync();
        summary.bytes = out->size();
    } catch (const Error&) {
        files.remove(fresh);
        throw;
    }
    files.rename(fresh, path);
    files.sync_directory(path.has_parent_path() ? path.parent_path() : ".");
    return summary;
}

}  // namespace weft::archive

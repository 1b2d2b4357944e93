#pragma once

#include <filesystem>
#include <memory>

#include "aio/files/files.h"
#include "aio/files/folder.h"
#include "crawl/extract/extract_output.h"
#include "crawl/mirror/mirror_names.h"

namespace weft::crawl {

// A Markdown file for each page with text, with the facts about it in front (YAML between lines of
// `---`). MirrorNames chooses the names; nothing outside of the folder is written, whatever the
// URLs are. If a URL comes again, the later page counts.
class MarkdownFolder final : public ExtractOutput {
public:
    // `target` must be empty, or not exist, or hold the files of a run that did not finish, which
    // kUnfinishedExtractName marks. Throws UsageError or IoError.
    MarkdownFolder(aio::FileSystem& files, std::filesystem::path target);

    // Throws Error if the page's URL is none.
    void make(const ArchivedPage& page, const extract::Extract& extract, PageWorker& worker,
              std::string& out) const override;
    void write(std::string_view url, std::string_view made) override;
    void finish() override;

private:
    aio::FileSystem& files_;
    std::filesystem::path target_;
    std::unique_ptr<aio::FileLock> lock_;
    std::unique_ptr<aio::Folder> out_;
    MirrorNames names_;
};

inline constexpr const char* kUnfinishedExtractName = ".weft-unfinished-extract";

}  // namespace weft::crawl

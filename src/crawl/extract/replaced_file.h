#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "aio/files/files.h"
#include "crawl/extract/extract_output.h"

namespace weft::crawl {

// A file that is replaced in one step: the new one is written beside it, and finish() syncs it and
// gives it the name. Until then, and after a crash, the old one is whole. Without finish() the
// destructor removes the new one. All throw IoError.
class ReplacedFile final : public ByteSink {
public:
    // `files` must outlive this object.
    ReplacedFile(aio::FileSystem& files, std::filesystem::path path);
    ~ReplacedFile() override;
    ReplacedFile(const ReplacedFile&) = delete;
    ReplacedFile& operator=(const ReplacedFile&) = delete;

    void write(std::string_view bytes) override;
    void finish() override;

private:
    void flush();

    aio::FileSystem& files_;
    std::filesystem::path path_;
    std::filesystem::path aside_;
    std::unique_ptr<aio::File> file_;
    std::string buffer_;
};

}  // namespace weft::crawl

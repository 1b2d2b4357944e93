#pragma once

#include "archive/warc/warc_writer.h"
#include "crawl/folder/text_log.h"

namespace weft::crawl {

// Where the commit of a page writes what was fetched. Null: nothing of that kind is written.
struct PageFiles {
    archive::WarcWriter* writer = nullptr;
    TextLog* text = nullptr;

    PageFiles() = default;
    PageFiles(std::nullptr_t) {}
    PageFiles(archive::WarcWriter* warc_writer, TextLog* text_log = nullptr)
        : writer(warc_writer), text(text_log) {}
};

}  // namespace weft::crawl

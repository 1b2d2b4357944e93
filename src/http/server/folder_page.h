#pragma once

#include <span>
#include <string>
#include <string_view>

#include "aio/files/folder.h"

namespace weft::http {

// The page for a folder: a link to each entry, folders first, and one to the folder above.
// `path` is what the client asked for, decoded: "/" or "/pages/". Names are bytes of strangers:
// they reach the page escaped, in links percent-encoded.
std::string folder_page(std::string_view path, std::span<const aio::Folder::Entry> entries,
                        bool is_complete);

}  // namespace weft::http

#pragma once

#include <span>
#include <string>
#include <string_view>

#include "aio/files/folder.h"

namespace weft::http {

// The HTML page for a folder: a link to each entry, folders first, and one to the parent folder.
// `path` is the decoded path of the request: "/" or "/pages/". `is_complete` is false if `entries`
// are not all. File names may come from strangers, so they are escaped, and percent-encoded in
// links.
std::string folder_page(std::string_view path, std::span<const aio::Folder::Entry> entries,
                        bool is_complete);

}  // namespace weft::http

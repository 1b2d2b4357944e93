#pragma once

#include <filesystem>

// Files that were fetched with a login are only for their owner. Both functions set the umask of
// the process, so that a file is private from its creation. Call them before threads are started.
namespace weft::cli {

// From now on, new files and folders are readable only by their owner.
void make_files_private();

// The same if the folder is private: what is made from a private crawl (WACZ file, mirror, report)
// is private too. A folder that does not exist is not private.
void keep_private_as(const std::filesystem::path& folder);

}  // namespace weft::cli

#pragma once

#include <filesystem>

// Files that come of a login are for its owner alone. Both work by the umask of the process, so
// that a file is private from the moment it is there; call them before threads are started.
namespace weft::cli {

// From now on the files and folders that are made are readable by their owner alone.
void make_files_private();

// The same if the folder is one that others may not look into: what is made of a private crawl
// (WACZ file, mirror, report) is private too. A folder that is not there is not.
void keep_private_as(const std::filesystem::path& folder);

}  // namespace weft::cli

#include "cli/crawl/private_files.h"

#include <sys/stat.h>  // tidy: allow banned-include: umask

namespace weft::cli {

void make_files_private() {
    const mode_t before = ::umask(077);
    // The umask can only be read by setting it.
    ::umask(before | 077);
}

void keep_private_as(const std::filesystem::path& folder) {
    struct stat status = {};
    // tidy: allow banned-call: no loop runs yet.
    if (::stat(folder.c_str(), &status) == 0 && (status.st_mode & 077) == 0) make_files_private();
}

}  // namespace weft::cli

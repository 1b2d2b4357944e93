#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "aio/files/folder.h"
#include "aio/task/co.h"
#include "http/server/server.h"

namespace weft::http {

// Serves the files of a folder: GET and HEAD, ETag and Last-Modified, conditional requests, one
// range, index.html or a page that lists a folder.
//
// Nothing outside the folder is served (aio::Folder), and nothing whose name or whose folder's name
// begins with a dot, but for /.well-known/. Files are read in the loop's executor, a piece at a
// time, as fast as the client takes them.
//
// Outlives the handlers it gives out.
class FolderSite {
public:
    // Throws IoError if there is no such folder.
    explicit FolderSite(const std::filesystem::path& folder);

    aio::Co<> answer(const ServerRequest& request, Responder& responder) const;
    Handler handler() const;

private:
    struct Target;

    aio::Co<> send_file(const ServerRequest& request, Responder& responder, std::string name,
                        aio::Folder::Opened opened) const;
    aio::Co<> send_folder(const Target& target, Responder& responder) const;

    std::shared_ptr<const aio::Folder> folder_;
};

}  // namespace weft::http

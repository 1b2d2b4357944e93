#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "aio/files/folder.h"
#include "aio/task/co.h"
#include "http/server/server.h"

namespace weft::http {

// Serves the files of a folder: GET and HEAD, ETag and Last-Modified, conditional requests, single
// ranges. For a folder it serves index.html, or a page that lists its entries.
//
// It never serves anything outside the folder (aio::Folder), nor files and folders whose name
// begins with a dot, except /.well-known/. Files are read on the loop's executor, piece by piece,
// as fast as the client takes them.
//
// Must outlive the handlers that it returns.
class FolderSite {
public:
    // Throws IoError if the folder cannot be opened.
    explicit FolderSite(const std::filesystem::path& folder);

    // Responds to one request. Throws Refusal, for the server to send.
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

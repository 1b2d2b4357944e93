#pragma once

#include <span>
#include <string_view>

#include "http/server/responder.h"

namespace weft::http {

// A file that was put into the program when it was built (see weft_embed() in cmake/): served
// without a file system, so that no path leads anywhere else.
struct Asset {
    std::string_view path;  // As listed, "/"-separated: "css/page.css".
    std::string_view bytes;
    std::string_view etag;  // With its quotes.
};

const Asset* find_asset(std::span<const Asset> assets, std::string_view path);

// The asset, or 304 if the client has it. The type is that of its name.
Reply asset_reply(const Asset& asset, const ServerRequest& request);

}  // namespace weft::http

#pragma once

#include <span>
#include <string_view>

#include "http/server/responder.h"

namespace weft::http {

// A file that is embedded into the program at build time (see weft_embed() in cmake/). Serving it
// needs no file system, so no path can lead to another file. The views are valid forever.
struct Asset {
    std::string_view path;  // As listed, "/"-separated: "css/page.css".
    std::string_view bytes;
    std::string_view etag;  // With its quotes.
};

// The asset with exactly this path; null if there is none.
const Asset* find_asset(std::span<const Asset> assets, std::string_view path);

// A reply with the asset, or 304 if the client already has it. The Content-Type follows its name.
Reply asset_reply(const Asset& asset, const ServerRequest& request);

}  // namespace weft::http

#include "http/server/asset.h"

#include <algorithm>

#include "http/message/content_type.h"
#include "http/server/precondition.h"

namespace weft::http {

const Asset* find_asset(std::span<const Asset> assets, std::string_view path) {
    const auto found = std::ranges::find(assets, path, &Asset::path);
    return found == assets.end() ? nullptr : &*found;
}

Reply asset_reply(const Asset& asset, const ServerRequest& request) {
    // no-cache: a browser may store it, but asks each time and gets a 304 if nothing has changed.
    Reply reply{.headers = {{"ETag", std::string(asset.etag)}, {"Cache-Control", "no-cache"}}};
    switch (judge_preconditions(request, {.etag = std::string(asset.etag)}, WallTime())) {
        case Precondition::not_modified: reply.status = 304; return reply;
        case Precondition::fails: return status_reply(412);
        case Precondition::holds: break;
    }
    reply.headers.emplace_back("Content-Type", content_type_of(asset.path));
    reply.headers.emplace_back("X-Content-Type-Options", "nosniff");
    reply.body = asset.bytes;
    return reply;
}

}  // namespace weft::http

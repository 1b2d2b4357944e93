#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "http/server/server_request.h"
#include "web/fields/date.h"

namespace weft::http {

// What tells one state of a resource from another.
struct Validators {
    std::string etag;  // With its quotes; weak ones with W/. Empty: none.
    std::optional<web::DateSeconds> modified = std::nullopt;
};

// What a conditional request comes to (RFC 9110, 13.2.2).
enum class Precondition {
    holds,         // Or there was none.
    not_modified,  // 304: the client has it.
    fails,         // 412.
};
Precondition judge_preconditions(const ServerRequest& request, const Validators& validators,
                                 WallTime now);

// Whether If-Range, if there, still speaks of this state: else Range is to be ignored.
bool allows_range(const ServerRequest& request, const Validators& validators, WallTime now);

}  // namespace weft::http

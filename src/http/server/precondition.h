#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "http/server/server_request.h"
#include "web/fields/date.h"

namespace weft::http {

// What identifies one state of a resource (RFC 9110, 8.8).
struct Validators {
    std::string etag;  // With its quotes, and W/ if it is weak. Empty: none.
    std::optional<web::DateSeconds> modified = std::nullopt;
};

// The result of the conditions in a request.
enum class Precondition {
    holds,         // Respond normally; also if there is no condition.
    not_modified,  // Respond 304: the client has this state.
    fails,         // Respond 412.
};

// Evaluates If-Match, If-Unmodified-Since, If-None-Match and If-Modified-Since in the order of
// RFC 9110, 13.2.2. `now` is needed to read dates with two-digit years.
Precondition judge_preconditions(const ServerRequest& request, const Validators& validators,
                                 WallTime now);

// Whether Range applies: there is no If-Range, or it names this state. Otherwise ignore Range.
bool allows_range(const ServerRequest& request, const Validators& validators, WallTime now);

}  // namespace weft::http

#pragma once

#include "cluster/calls.h"

// Reads what the functions of frontier.lua answer. All throw CallError if an answer has another
// form than frontier.lua says, so a server with other functions of the same name is noticed.
namespace weft::cluster::answer {

Result<std::vector<Verdict>> push(const redis::Answer& answer);
Result<Claimed> claim(const redis::Answer& answer);
Result<Due> due(const redis::Answer& answer);
Result<std::vector<HostEntries>> take(const redis::Answer& answer);
Result<Done> done(const redis::Answer& answer);
Result<Fate> fate(const redis::Answer& answer);
Result<Look> look(const redis::Answer& answer);
Result<Grant> grant(const redis::Answer& answer);
Result<std::vector<Heard>> beat(const redis::Answer& answer);

Result<Ok> ok(const redis::Answer& answer);
Result<std::uint64_t> count(const redis::Answer& answer);

}  // namespace weft::cluster::answer

#pragma once

#include <string>
#include <unordered_map>

#include "crawl/scope/scope.h"
#include "crawl/visit/outcome.h"

namespace weft::crawl {

// Follows the redirects of seeds. The user means the place where they end: if that is out of the
// scope, the seed moves there.
//
// Owned by the Admission, used on its loop.
class SeedWays {
public:
    // `scope` outlives the object.
    explicit SeedWays(Scope& scope) : scope_(scope) {}

    // A seed, or the target of a seed's redirects (Trail::is_seed_way), has ended.
    void follow(const web::Url& url, const Outcome& outcome);

    // The same for any outcome of an earlier run, whose trail is not known. Outcomes must come in
    // the order of the log.
    void remember(const Outcome& outcome);

private:
    Scope& scope_;
    std::unordered_map<std::string, web::Url> seed_of_;  // The seed, by its redirect target so far.
};

}  // namespace weft::crawl

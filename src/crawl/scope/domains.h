#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "web/host/public_suffix.h"

namespace weft::crawl {

// Whose host is it? Hosts of one registrable domain belong to one owner, who is asked politely and
// given one budget. A host that has none (an address, "localhost", a public suffix) is its own.
//
// Immutable; any thread may ask.
class Domains {
public:
    // Read once a path and process. Throws Error if it cannot be read.
    static std::shared_ptr<const Domains> load(const std::filesystem::path& path);

    // The same, but every host its own where there is no list.
    static std::shared_ptr<const Domains> load_if_there(const std::filesystem::path& path);

    // A part of `hostname`, without a trailing dot.
    std::string_view domain_of(std::string_view hostname) const;

private:
    std::optional<web::PublicSuffixList> list_;
};

}  // namespace weft::crawl

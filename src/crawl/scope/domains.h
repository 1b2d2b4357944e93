#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include "web/host/public_suffix.h"

namespace weft::crawl {

// Finds the registrable domain of a host (public suffix list). Hosts of one registrable domain
// belong to one owner, so they share turns and a budget. A host that has none (an address,
// "localhost", a public suffix) is its own domain.
//
// Immutable; may be used from any thread.
class Domains {
public:
    // Loads a list. Each path is read once per process and shared. Throws Error if it cannot be
    // read.
    static std::shared_ptr<const Domains> load(const std::filesystem::path& path);

    // The same, but if the list cannot be read, every host is its own domain.
    static std::shared_ptr<const Domains> load_if_there(const std::filesystem::path& path);

    // The result is a part of `hostname`, without a trailing dot.
    std::string_view domain_of(std::string_view hostname) const;

private:
    std::optional<web::PublicSuffixList> list_;
};

}  // namespace weft::crawl

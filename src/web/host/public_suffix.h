#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

struct psl_ctx_st;

namespace weft::web {

// The Public Suffix List: under which names ("com", "co.uk", "github.io") anyone can register a
// domain. Hosts of one registrable domain belong to one owner, so that budgets, politeness and
// cookies go by it.
//
// Immutable once loaded and usable from many threads at once. Hosts may be in upper case or in
// UTF-8; a trailing dot counts for nothing. The views returned are parts of the host given, as it
// was written there, and live as long as it does.
class PublicSuffixList {
public:
    // Where Debian's package `publicsuffix` puts it: the packed form, which needs no parsing.
    static constexpr const char* kDefaultPath = "/usr/share/publicsuffix/public_suffix_list.dafsa";

    // Which rules count. The list's private part names sites that let others publish under their
    // own domain, such as github.io; browsers use all of it.
    enum class Rules : std::uint8_t { all, icann };

    // The list as text or packed (DAFSA). Throws Error where the file cannot be read. It is read
    // here and never again.
    static PublicSuffixList load(const std::filesystem::path& path = kDefaultPath);

    // "co.uk" for "www.example.co.uk". A top-level domain that is not on the list is a suffix too.
    // Empty for an IP address or a host with an empty label.
    std::string_view suffix(std::string_view host, Rules rules = Rules::all) const;

    // "example.co.uk" for "www.example.co.uk": the suffix and one label. Nothing where the host is
    // a suffix itself, and where there is no suffix.
    std::optional<std::string_view> registrable_domain(std::string_view host,
                                                       Rules rules = Rules::all) const;

private:
    struct Free {
        void operator()(psl_ctx_st* list) const;
    };

    explicit PublicSuffixList(psl_ctx_st* list) : list_(list) {}

    std::unique_ptr<psl_ctx_st, Free> list_;
};

}  // namespace weft::web

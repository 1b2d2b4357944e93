#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

struct psl_ctx_st;

namespace weft::web {

// The Public Suffix List: the names ("com", "co.uk", "github.io") under which anyone can register a
// domain. Hosts of one registrable domain have one owner, so budgets, politeness and cookies use
// the registrable domain.
//
// It never changes after loading, so many threads may use it at once. Hosts may be in upper case or
// in UTF-8, and one trailing dot is ignored. The returned views are parts of the given host and
// valid as long as it is.
class PublicSuffixList {
public:
    // The file of Debian's package `publicsuffix`, in the packed form that needs no parsing.
    static constexpr const char* kDefaultPath = "/usr/share/publicsuffix/public_suffix_list.dafsa";

    // Which rules to use. The private part of the list names sites that let others publish under
    // their own domain, such as github.io. Browsers use all rules.
    enum class Rules : std::uint8_t { all, icann };

    // Reads the list, as text or packed (DAFSA). Throws Error if the file cannot be read. The file
    // is not needed afterwards.
    static PublicSuffixList load(const std::filesystem::path& path = kDefaultPath);

    // "co.uk" for "www.example.co.uk". A top-level domain that is not on the list is a suffix too.
    // Empty for an IP address or a host with an empty label.
    std::string_view suffix(std::string_view host, Rules rules = Rules::all) const;

    // "example.co.uk" for "www.example.co.uk": the suffix and one more label. Nothing if the host
    // is a suffix itself or has no suffix.
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

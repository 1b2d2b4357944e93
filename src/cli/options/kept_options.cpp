#include "cli/options/kept_options.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "base/error.h"

namespace weft::cli {
namespace {

using enum Keeping;

// One row for each option. A crawl cannot be started if an option has none: see keeping_of().
constexpr auto kKeeping = std::to_array<std::pair<std::string_view, Keeping>>({
    // Where to go.
    {"scope", kept},
    {"strict", kept},
    {"lenient", kept},
    {"no-parent", kept},
    {"span-hosts", kept},
    {"recursive", kept},
    {"domains", kept},
    {"depth", kept},
    {"include", kept},
    {"exclude", kept},
    {"extra-hops", kept},
    {"requisites", kept},
    {"requisite-hops", kept},
    {"page-requisites", kept},
    {"ports", kept},
    {"max-redirect", kept},
    {"no-sitemaps", kept},
    {"keep-session-ids", kept},
    {"psl", given_again},  // A file.
    // How much.
    {"limit", kept},
    {"quota", kept},
    {"max-time", kept},
    {"host-limit", kept},
    {"host-quota", kept},
    {"host-time", kept},
    {"domain-limit", kept},
    {"domain-quota", kept},
    {"domain-time", kept},
    {"hosts-per-domain", kept},
    {"pattern-limit", kept},
    {"max-body-size", kept},
    {"memory", kept},
    {"disk-reserve", kept},
    // How hard.
    {"concurrency", kept},
    {"threads", kept},
    {"max-per-host", kept},
    {"max-per-domain", kept},
    {"max-per-address", kept},
    {"rate-limit", kept},
    {"limit-rate", kept},
    {"wait", kept},
    {"max-retry-after", kept},
    {"tries", kept},
    {"retry-on-http-error", kept},
    {"timeout", kept},
    {"connect-timeout", kept},
    {"dns-timeout", kept},
    {"read-timeout", kept},
    // Identity and access.
    {"robots", kept},
    {"robots-403", kept},
    {"user-agent", kept},
    {"from", kept},
    {"header", kept},                      // Except secret ones: secret_options().
    {"header-anywhere", given_again},      // A folder must not decide who gets a secret,
    {"archive-credentials", given_again},  // nor that it is stored.
    {"ipv4", kept},
    {"ipv6", kept},
    {"allow-net", kept},
    {"bind-address", kept},
    {"dns-servers", kept},
    {"http1", kept},
    {"http2", kept},
    {"http2-prior-knowledge", kept},
    {"noproxy", kept},
    {"proxy", kept},
    {"resolve", kept},
    {"basic", kept},
    {"ca-certificate", given_again},
    {"cert", given_again},
    {"key", given_again},
    {"load-cookies", given_again},
    {"netrc", given_again},  // With --resolve from a folder it would give a password away.
    {"netrc-file", given_again},
    {"no-check-certificate", kept},
    {"oauth2-bearer", given_again},
    {"password", given_again},
    {"save-cookies", this_run},  // Writes a file outside the folder.
    {"user", given_again},
    // What is kept and shown.
    {"no-archive", kept},
    {"compress", kept},
    {"wacz", kept},
    {"warc-file", kept},
    {"warc-cdx", kept},
    {"warc-max-size", kept},
    {"links", kept},
    {"mirror", this_run},  // Writes a folder; `weft mirror` can make one at any time.
    {"text", kept},
    {"earlier", kept},  // The folder of another crawl, which is only read.
    {"near-duplicates", kept},
    {"sync", kept},
    {"fail-on", kept},
    {"log-format", kept},
    {"jsonl", kept},
    {"metrics", this_run},
    {"progress", this_run},
    {"color", this_run},
    {"quiet", this_run},
    {"verbose", this_run},
    {"debug", this_run},
    {"input-file", this_run},  // The seeds from it are kept.
    {"output", this_run},
    {"directory-prefix", this_run},
    {"url", kept},
    {"retry-failed", this_run},
    {"without-missing", this_run},
});

consteval bool has_doubles() {
    for (std::size_t i = 0; i < kKeeping.size(); ++i) {
        for (std::size_t j = i + 1; j < kKeeping.size(); ++j) {
            if (kKeeping[i].first == kKeeping[j].first) return true;
        }
    }
    return false;
}
static_assert(!has_doubles(), "an option has one row");

}  // namespace

Keeping keeping_of(std::string_view option) {
    const auto* row =
        std::ranges::find(kKeeping, option, &std::pair<std::string_view, Keeping>::first);
    if (row == kKeeping.end()) {
        throw Error(fmt::format("--{} has no row in kept_options.cpp", option));
    }
    return row->second;
}

}  // namespace weft::cli

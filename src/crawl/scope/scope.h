#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "crawl/run/config.h"
#include "crawl/scope/domains.h"
#include "crawl/scope/refusal.h"
#include "crawl/visit/trail.h"
#include "http/connect/origin.h"
#include "web/url/url.h"

namespace weft::crawl {

// What one rule says of a URL.
struct RuleVerdict {
    std::string_view rule;           // "scope", "exclude": as the options are named.
    std::optional<Refused> refused;  // Nothing: it has nothing against it.
    std::string why;                 // For people.
};

// Do we want it? Asked for every link, redirect, requisite and sitemap entry, before anything is
// fetched; what is fetched was judged.
//
// Pure: made from a Config alone, it gives the same verdict on the same URL at any time, so that
// `explain` can ask it again. Hosts compare without "www." and without a trailing dot; addresses
// match only themselves; user and password in a URL count for nothing.
class Scope {
public:
    // Throws Error if the registrable domains are needed and their list cannot be read.
    explicit Scope(const Config& config);

    // May a page at `from` lead to `url`? Gives the URL's own place in the crawl.
    std::expected<Step, Refused> judge(const web::Url& url, Via via, const Step& from) const;

    // What every rule says, in the order in which judge() asks them; that one stops at the first
    // that refuses.
    std::vector<RuleVerdict> examine(const web::Url& url, Via via, const Step& from) const;

    // The seed has led to `end` by redirects: that is its place from now on.
    void move_seed(const web::Url& seed, const web::Url& end);

    // Whether the place itself (host, port, prefix) is one of the seeds'.
    bool is_in_place(const web::Url& url) const { return !refuses_place(url); }

private:
    // What the seeds make of a host (or a domain): how many are there, and on which ports.
    struct Place {
        std::size_t seed_count = 0;
        std::vector<std::uint16_t> ports;
        std::vector<std::string> prefixes;  // Of scope `prefix` and `page`: path beginnings.
    };
    struct Hash {
        using is_transparent = void;
        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };

    void add_seed(const web::Url& seed);
    void remove_seed(const web::Url& seed);
    std::string_view place_name(const web::Url& url) const;
    std::optional<Refusal> refuses_place(const web::Url& url) const;
    bool is_in_named_domain(const web::Url& url) const;
    bool is_seed_origin(const web::Url& url) const;
    std::optional<Refusal> refuses_port(const web::Url& url, const Place* place) const;
    std::optional<Refused> refuses_pattern(const web::Url& url, bool is_page) const;
    bool may_leave(Refusal refusal, Via via, const Step& from, Step& step) const;
    std::optional<Refusal> refuses_way(Via via, const Step& from, Step& step) const;

    const Config& config_;
    std::shared_ptr<const Domains> domains_;
    std::unordered_map<std::string, Place, Hash, std::equal_to<>> places_;
    std::set<http::Origin> odd_origins_;  // Of seeds at ports that links may not lead to.
    std::int32_t year_max_;
};

}  // namespace weft::crawl

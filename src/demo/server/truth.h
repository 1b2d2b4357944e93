#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::demo {

struct Options;

// What a crawler must follow at least to find a URL from its host's home page, without leaving the
// host. A crawler that obeys robots.txt and rel=nofollow, follows links and loads the resources of
// pages finds exactly the URLs up to `asset`. One that treats rel=nofollow as a hint finds those up
// to `rel_nofollow`, and so on.
enum class Reach {
    link,           // Links and redirects are enough.
    asset,          // An image, style sheet, script or frame of a page.
    rel_nofollow,   // A link with rel=nofollow, which is a hint and not a ban.
    style,          // A URL in a style sheet.
    sitemap,        // A sitemap.
    nofollow,       // A link on a page that asks not to follow its links.
    behind_robots,  // A page that robots.txt disallows.
};
std::string_view name(Reach reach);

// One URL and the truth about it.
struct TrueUrl {
    std::string url;
    Reach reach = Reach::link;
    unsigned depth = 0;            // Steps from the home page on the shortest path within `reach`.
    int status = 200;              // 0: no valid response comes.
    std::string type;              // Content-Type as sent.
    std::uint64_t size_bytes = 0;  // Of the decoded body; the full size if the server cuts it.
    std::string redirect;    // The target of a redirect, absolute, without fragment; else empty.
    std::string final_url;   // The end of the redirects: itself if none, empty for a loop.
    int final_status = 200;  // The status there; 0 for a loop or if there is no response.
    std::string behaviour;   // As name(Behaviour), if the server does not just send the body.
    bool robots_disallowed = false;

    // The pages that link to it. Only for URLs that a link checker calls broken: a final status of
    // 0 or from 400 up.
    std::vector<std::string> linked_from;
};

struct TrueHost {
    std::string host;       // "127.0.0.1"
    std::string home;       // "http://127.0.0.1:8080/"
    std::string character;  // One line for people.
    int robots_status = 200;
    unsigned crawl_delay_s = 0;
    std::vector<TrueUrl> urls;          // Sorted by url.
    std::vector<std::string> external;  // Links that leave the host, sorted, without duplicates.
    std::vector<std::string> endless;   // Endless prefixes; `urls` holds only their first URLs.
    std::vector<std::string> never;     // Prefixes that only a wrong parser requests.
};

struct Truth {
    std::vector<TrueHost> hosts;
};

// The truth about all hosts, or about the one named.
Truth find_truth(const Options& options, std::string_view host = {});

std::string to_json(const Truth& truth);

}  // namespace weft::demo

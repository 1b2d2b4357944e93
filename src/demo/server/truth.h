#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace weft::demo {

struct Options;

// The weakest rule by which a URL is found from its host's home page without leaving the host. A
// crawl that obeys robots.txt and rel=nofollow, follows links and also loads what pages show finds
// exactly the URLs up to `asset`; one that takes rel=nofollow for the hint it is those up to
// `rel_nofollow`, and so on.
enum class Reach {
    link,           // By links and redirects alone.
    asset,          // Needs an image, style sheet, script or frame that a page names.
    rel_nofollow,   // Needs a link that says rel=nofollow: a hint, and no ban.
    style,          // Needs what a style sheet names.
    sitemap,        // Needs a sitemap.
    nofollow,       // Needs a page that asks not to follow its links.
    behind_robots,  // Only from pages that robots.txt keeps out.
};
std::string_view name(Reach reach);

// One URL and what is true of it.
struct TrueUrl {
    std::string url;
    Reach reach = Reach::link;
    unsigned depth = 0;            // Steps from the home page by the shortest way within `reach`.
    int status = 200;              // 0: nothing that could be called an answer comes.
    std::string type;              // Content-Type as sent.
    std::uint64_t size_bytes = 0;  // Of the body, content codings undone; what was meant if cut.
    std::string redirect;    // Where a redirect leads, absolute, without fragment; else empty.
    std::string final_url;   // The end of the redirects: itself if none, empty for a loop.
    int final_status = 200;  // The status there; 0 for a loop or if the end is no answer.
    std::string behaviour;   // As name(Behaviour), if the server does not just send the body.
    bool robots_disallowed = false;

    // Pages that link to it; kept only for what a link checker calls broken: a final status of 0
    // or from 400 up.
    std::vector<std::string> linked_from;
};

struct TrueHost {
    std::string host;       // "127.0.0.1"
    std::string home;       // "http://127.0.0.1:8080/"
    std::string character;  // One line for people.
    int robots_status = 200;
    unsigned crawl_delay_s = 0;
    std::vector<TrueUrl> urls;          // Sorted by url.
    std::vector<std::string> external;  // Links that leave the host, sorted, each once.
    std::vector<std::string> endless;   // Prefixes without end; `urls` has only their mouths.
    std::vector<std::string> never;     // Prefixes that only a wrong parser requests.
};

struct Truth {
    std::vector<TrueHost> hosts;
};

// Of all hosts, or of the one named.
Truth find_truth(const Options& options, std::string_view host = {});

std::string to_json(const Truth& truth);

}  // namespace weft::demo

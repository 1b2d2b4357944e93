#include "demo/server/truth.h"

#include <algorithm>
#include <queue>
#include <set>
#include <unordered_map>

#include <fmt/format.h>

#include "demo/server/site_part.h"

namespace weft::demo {

namespace {

// The end of a chain of redirects.
struct End {
    std::string url;  // Empty for a loop.
    int status = 0;
};

int status_of(const Document& document) {
    const bool is_answer =
        document.behaviour != Behaviour::silent && document.behaviour != Behaviour::hang_up;
    return is_answer ? document.status : 0;
}

// Computes the truth about one host: a walk over the definitions of its documents, ordered by reach
// and then by depth, as in Dijkstra's algorithm. So each URL is visited first on its best path.
class HostSurvey {
public:
    HostSurvey(const Options& options, const SiteHost& host)
        : options_(options), host_(host), origin_(place("/").origin()) {}

    TrueHost run() {
        note("/", Reach::link, 0);
        const Document robots = find_document(place("/robots.txt"));
        for (const Edge& edge : robots.edges) note(edge.target, edge.reach, 1);
        while (!waiting_.empty()) {
            const Waiting next = waiting_.top();
            waiting_.pop();
            if (!is_done_[next.id]) visit(next);
        }
        return report(robots.status);
    }

private:
    struct Waiting {
        Reach reach;
        unsigned depth;
        unsigned id;

        auto operator<=>(const Waiting&) const = default;
    };

    DemoPlace place(std::string_view target) const { return find_place(options_, host_, target); }

    // Returns the number of a target on this host. It is queued unless it was visited.
    unsigned note(std::string_view target, Reach reach, unsigned depth) {
        const auto [found, is_new] =
            ids_.try_emplace(std::string(target), static_cast<unsigned>(targets_.size()));
        if (is_new) {
            targets_.push_back(&found->first);
            is_done_.push_back(false);
        }
        if (!is_done_[found->second]) waiting_.push({reach, depth, found->second});
        return found->second;
    }

    void visit(const Waiting& next) {
        is_done_[next.id] = true;
        const DemoPlace here = place(*targets_[next.id]);
        const Document document = find_document(here);
        TrueUrl entry;
        entry.url = origin_ + *targets_[next.id];
        entry.reach = next.reach;
        entry.depth = next.depth;
        entry.status = status_of(document);
        entry.type = document.type;
        entry.size_bytes = document.body.size();
        entry.robots_disallowed = host_.disallows(here.path);
        if (document.behaviour != Behaviour::whole) entry.behaviour = name(document.behaviour);

        // What is linked from a page needs at least the reach of that page.
        const Reach floor = entry.robots_disallowed ? Reach::behind_robots : next.reach;
        if (!document.redirect.empty()) {
            entry.redirect = absolute(document.redirect);
            follow({document.redirect, Reach::link}, floor, next.id, next.depth);
        }
        // Links of endless pages are not followed here.
        const bool is_endless = here.path.starts_with(kEndlessPrefix);
        for (const Edge& edge : document.edges) {
            if (!is_endless) follow(edge, floor, next.id, next.depth + 1);
        }
        const End end = find_end(entry);
        entry.final_url = end.url;
        entry.final_status = end.status;
        entry_of_[next.id] = entries_.size();
        entries_.push_back(std::move(entry));
    }

    void follow(const Edge& edge, Reach floor, unsigned from, unsigned depth) {
        std::string_view target = edge.target;
        if (target.starts_with(origin_)) target.remove_prefix(origin_.size());
        if (!target.starts_with('/')) {
            external_.emplace(target);
            return;
        }
        links_.emplace_back(from, note(target, std::max(floor, edge.reach), depth));
    }

    std::string absolute(std::string_view target) const {
        return target.starts_with('/') ? origin_ + std::string(target) : std::string(target);
    }

    // Follows the redirects from a URL, also to other hosts.
    End find_end(const TrueUrl& entry) const {
        constexpr std::size_t scheme_length = std::string_view("http://").size();
        std::set<std::string> passed = {entry.url};
        End end{entry.url, entry.status};
        std::string next = entry.redirect;
        while (!next.empty()) {
            if (!passed.insert(next).second) return {};
            const std::string origin = next.substr(0, next.find('/', scheme_length));
            const std::string name =
                origin.substr(scheme_length, origin.rfind(':') - scheme_length);
            const SiteHost* host = find_host(name);
            if (host == nullptr) return {next, 0};
            const Document there =
                find_document(find_place(options_, *host, next.substr(origin.size())));
            end = {next, status_of(there)};
            next = there.redirect.starts_with('/') ? origin + there.redirect : there.redirect;
        }
        return end;
    }

    TrueHost report(int robots_status) {
        for (const auto& [from, to] : links_) {
            TrueUrl& entry = entries_[entry_of_[to]];
            if (entry.final_status != 0 && entry.final_status < 400) continue;
            entry.linked_from.push_back(origin_ + *targets_[from]);
        }
        for (TrueUrl& entry : entries_) {
            std::ranges::sort(entry.linked_from);
            const auto repeated = std::ranges::unique(entry.linked_from);
            entry.linked_from.erase(repeated.begin(), repeated.end());
        }
        std::ranges::sort(entries_, {}, &TrueUrl::url);
        TrueHost result{.host = std::string(host_.name),
                        .home = origin_ + "/",
                        .character = std::string(host_.character),
                        .robots_status = robots_status,
                        .crawl_delay_s = host_.crawl_delay_s,
                        .urls = std::move(entries_),
                        .external = {external_.begin(), external_.end()},
                        .endless = {},
                        .never = {origin_ + std::string(kNeverPrefix)}};
        if (find_document(place("/calendar/2026-01.html")).status == 200) {
            result.endless.push_back(origin_ + std::string(kEndlessPrefix));
        }
        return result;
    }

    const Options& options_;
    const SiteHost& host_;
    std::string origin_;
    std::unordered_map<std::string, unsigned> ids_;  // By target; `targets_` points to its keys.
    std::vector<const std::string*> targets_;
    std::vector<bool> is_done_;
    std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
    std::unordered_map<unsigned, std::size_t> entry_of_;
    std::vector<TrueUrl> entries_;
    std::vector<std::pair<unsigned, unsigned>> links_;
    std::set<std::string> external_;
};

}  // namespace

std::string_view name(Reach reach) {
    switch (reach) {
        case Reach::link: return "link";
        case Reach::asset: return "asset";
        case Reach::style: return "style";
        case Reach::sitemap: return "sitemap";
        case Reach::rel_nofollow: return "rel_nofollow";
        case Reach::nofollow: return "nofollow";
        case Reach::behind_robots: return "behind_robots";
    }
    std::unreachable();
}

Truth find_truth(const Options& options, std::string_view host) {
    Truth truth;
    for (const SiteHost& each : hosts()) {
        if (!host.empty() && host != each.name) continue;
        truth.hosts.push_back(HostSurvey(options, each).run());
    }
    return truth;
}

}  // namespace weft::demo

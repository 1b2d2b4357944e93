#include "crawl/simulated_web.h"

#include <algorithm>

#include <fmt/format.h>

#include "aio/task/sleep.h"
#include "aio/task/task_group.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr std::string_view kForbidden = "/private/";
constexpr Duration kFaultsEnd = 10min;

std::string origin_of(std::string_view host) {
    return fmt::format("http://{}", host);
}

}  // namespace

SimulatedWeb::SimulatedWeb(aio::SimulatedLoop& loop, std::uint64_t seed)
    : loop_(loop), random_(seed) {
    limits_.max_per_host = 1 + random_.below(3);
    limits_.max_per_domain = limits_.max_per_host + random_.below(3);
    limits_.max_per_address = 1 + random_.below(4);
    if (random_.below(3) > 0) limits_.wait = std::chrono::milliseconds(random_.below(3'000));
    limits_.concurrency = 1 + random_.below(40);
    const std::size_t count = 2 + random_.below(5);
    for (std::size_t i = 0; i < count; ++i) make_site(i);
    link_sites();
    make_faults();
    find_truth();
}

Config SimulatedWeb::config() const {
    Config config = limits_;
    config.scope = ScopeKind::any;
    config.seeds.push_back(web::Url::parse(origin_of(sites_.front().name) + "/").value());
    config.try_count_max = 30;
    config.breaker_opening_max = 100;
    config.limits.first_byte_timeout = 5s;
    config.limits.idle_timeout = 5s;
    config.limits.connect_timeout = 5s;
    return config;
}

void SimulatedWeb::make_site(std::size_t index) {
    Site site;
    // Two domains, so that hosts share one; every third host shares its neighbour's machine.
    site.name = fmt::format("h{}.d{}.test", index, index % 2);
    site.machine = index % 3 == 2 ? sites_.back().machine : site.name;
    site.has_robots = random_.below(4) > 0;
    site.pages["/"] = {};
    const std::size_t count = 3 + random_.below(15);
    std::vector<std::string> paths = {"/"};
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_forbidden = site.has_robots && random_.below(6) == 0;
        const std::string path =
            fmt::format("{}word{}/{}", is_forbidden ? kForbidden : "/", random_.below(3), i);
        Page page;
        if (random_.below(8) == 0) page.status = random_.below(2) == 0 ? 404 : 410;
        page.is_listed_only = site.has_robots && random_.below(8) == 0;
        const std::string parent = paths[random_.below(paths.size())];
        if (!page.is_listed_only) site.pages[parent].links.push_back(path);
        if (page.status == 200) paths.push_back(path);
        site.pages[path] = std::move(page);
    }
    if (random_.below(2) == 0) {
        site.pages["/image.png"] = {.type = "image/png"};
        site.pages["/"].images.emplace_back("image.png");
    }
    sites_.push_back(std::move(site));
}

std::string SimulatedWeb::other_page(const Site& from) {
    const Site& site = sites_[random_.below(sites_.size())];
    auto place = site.pages.begin();
    std::advance(place, static_cast<std::ptrdiff_t>(random_.below(site.pages.size())));
    return site.name == from.name ? place->first : origin_of(site.name) + place->first;
}

void SimulatedWeb::link_sites() {
    for (Site& site : sites_) {
        for (std::uint64_t i = random_.below(4); i > 0; --i) {
            const std::string from = fmt::format("/moved/{}", i);
            site.pages["/"].links.push_back(from);
            const std::string target = other_page(site);
            site.pages[from] = {.status = 301, .location = target};
        }
        for (auto& [path, page] : site.pages) {
            for (std::uint64_t i = random_.below(4); i > 0; --i) {
                page.links.push_back(other_page(site));
            }
        }
    }
    for (std::size_t i = 1; i < sites_.size(); ++i) {
        sites_[i - 1].pages["/"].links.push_back(origin_of(sites_[i].name) + "/");
    }
}

void SimulatedWeb::make_faults() {
    aio::SimulatedNetwork& network = loop_.network();
    for (Site& site : sites_) {
        aio::SimulatedHost& machine = network.host(site.machine);
        if (site.machine != site.name) network.name(site.name).addresses({machine.address()});
        machine.latency(std::chrono::milliseconds(1 + random_.below(200)));
        machine.jitter(std::chrono::milliseconds(random_.below(50)));
        machine.loss(static_cast<double>(random_.below(3)) * 0.01);
        site.robots_failures = random_.below(4) == 0 ? 1 : 0;
        for (auto& [path, page] : site.pages) {
            if (random_.below(8) == 0) page.busy_count = random_.below(2) == 0 ? 1 : 2;
            if (random_.below(8) == 0) page.broken_count = 1;
            if (random_.below(16) == 0) page.stalled_count = 1;
        }
        const Duration begin = std::chrono::seconds(random_.below(60));
        const Duration end = begin + std::chrono::seconds(random_.below(300));
        const std::string name = site.name;
        const std::string host = site.machine;
        switch (random_.below(6)) {
            case 0:
                network.name(name).time_to_live(30s);
                network.at(begin, [&network, name] {
                    network.name(name).fails(aio::NameFault::server_failure);
                });
                network.at(end,
                           [&network, name] { network.name(name).fails(aio::NameFault::none); });
                break;
            case 1:
                network.at(begin,
                           [&network, host] { network.host(host).reach(aio::Reach::black_hole); });
                network.at(end, [&network, host] { network.host(host).reach(aio::Reach::normal); });
                break;
            case 2:
                network.at(begin,
                           [&network, host] { network.host(host).reach(aio::Reach::refusing); });
                network.at(end, [&network, host] { network.host(host).reach(aio::Reach::normal); });
                break;
            case 3:
                network.at(begin, [this, &network, host] {
                    network.reset_connections(host);
                    cut_at_[host] = loop_.now();
                });
                break;
            case 4: network.at(begin, [&network, host] { network.lose_connections(host); }); break;
            default: break;
        }
    }
    network.at(kFaultsEnd, [] {});
}

void SimulatedWeb::find_truth() {
    visit_truth(origin_of(sites_.front().name) + "/");
}

// What is written is resolved by hand: a host's own pages begin with a slash, others' in full.
void SimulatedWeb::visit_truth(const std::string& first) {
    std::vector<std::string> waiting = {first};
    while (!waiting.empty()) {
        const std::string url = waiting.back();
        waiting.pop_back();
        const std::size_t path_at = url.find('/', std::string_view("http://").size());
        const std::string name = url.substr(7, path_at - 7);
        const std::string path = url.substr(path_at);
        const Site& site = *std::ranges::find(sites_, name, &Site::name);
        if (site.has_robots && path.starts_with(kForbidden)) {
            denied_.insert(url);
            continue;
        }
        if (!reachable_.insert(url).second) continue;
        const Page& page = site.pages.at(path);
        const auto add = [&](const std::string& link) {
            waiting.push_back(link.starts_with('/') ? origin_of(name) + link : link);
        };
        if (!page.location.empty()) add(page.location);
        if (page.status != 200 || path.ends_with(".png")) continue;
        for (const std::string& link : page.links) add(link);
        for (const std::string& image : page.images) add("/" + image);
        if (!site.has_robots) continue;
        for (const auto& [other, listed] : site.pages) {
            if (listed.is_listed_only) add(other);
        }
    }
}

Co<> SimulatedWeb::serve() {
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        std::set<std::string> machines;
        for (const Site& site : sites_) machines.insert(site.machine);
        for (const std::string& machine : machines) {
            http::Handler handler = [this](const http::ServerRequest& request,
                                           http::Responder& responder) -> Co<> {
                co_await answer(request, responder);
            };
            group.create_task(http::serve(loop_.network().listen(machine, 80), std::move(handler)));
        }
        co_return;
    });
}

Co<> SimulatedWeb::answer(const http::ServerRequest& request, http::Responder& responder) {
    ++request_count_;
    const std::string name(request.headers.get("Host").value_or(""));
    Site& site = *std::ranges::find(sites_, name, &Site::name);
    const std::string& path = request.target;
    if (path == "/robots.txt" || path == "/sitemap.xml" || path == "/map.xml") {
        co_await responder.reply(path == "/robots.txt" ? robots_of(site) : sitemap_of(site));
        co_return;
    }
    if (site.has_robots && path.starts_with(kForbidden)) complain("asked for " + name + path);
    // A request on a kept connection that breaks before an answer is sent once more at once (H09).
    const bool is_resent = site.last_path == path;
    if (limits_.wait && limits_.max_per_host == 1 && !is_resent) {
        const Duration pause = loop_.now() - site.last_answer;
        if (pause < *limits_.wait) {
            complain(fmt::format("{} came {} ns after an answer", path, pause.count()));
        }
    }
    const auto found = site.pages.find(path);
    if (found == site.pages.end()) {
        complain("asked for " + name + path + ", which nobody links to");
        co_await responder.reply({.status = 404});
        co_return;
    }
    std::size_t& at_machine = machine_in_flight_[site.machine];
    ++site.in_flight;
    ++at_machine;
    // A server does not hear at once that a connection was cut under it, and works on.
    const auto cut = cut_at_.find(site.machine);
    const bool may_be_unheard = cut != cut_at_.end() && loop_.now() - cut->second < 2s;
    if (!may_be_unheard) {
        if (site.in_flight > limits_.max_per_host) complain("too many at host " + name);
        if (at_machine > *limits_.max_per_address) complain("too many at " + site.machine);
    }
    co_await aio::sleep(std::chrono::milliseconds(random_.below(300)));
    --site.in_flight;
    --at_machine;
    site.last_answer = loop_.now();
    site.last_path = path;
    co_await answer_page(site, found->second, responder);
}

Co<> SimulatedWeb::answer_page(Site& site, Page& page, http::Responder& responder) {
    if (page.busy_count > 0) {
        --page.busy_count;
        co_await responder.reply({.status = 503, .headers = {{"Retry-After", "3"}}});
    } else if (page.broken_count > 0) {
        --page.broken_count;
        co_await responder.stream().write("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\n<a ");
    } else if (page.stalled_count > 0) {
        --page.stalled_count;
        static_cast<void>(responder.stream());
        co_await aio::sleep(30s);
    } else if (!page.location.empty()) {
        const std::string location =
            page.location.starts_with('/') ? origin_of(site.name) + page.location : page.location;
        co_await responder.reply({.status = page.status, .headers = {{"Location", location}}});
    } else {
        co_await responder.reply({.status = page.status,
                                  .headers = {{"Content-Type", page.type}},
                                  .body = html_of(page)});
    }
}

http::Reply SimulatedWeb::robots_of(Site& site) {
    if (site.robots_failures > 0) {
        --site.robots_failures;
        return {.status = 500};
    }
    if (!site.has_robots) return {.status = 404};
    return {.body = fmt::format("User-agent: *\nDisallow: {}\nSitemap: {}/map.xml\n", kForbidden,
                                origin_of(site.name))};
}

http::Reply SimulatedWeb::sitemap_of(const Site& site) const {
    if (!site.has_robots) return {.status = 404};
    std::string xml = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\">";
    for (const auto& [path, page] : site.pages) {
        if (!page.is_listed_only) continue;
        xml += fmt::format("<url><loc>{}{}</loc></url>", origin_of(site.name), path);
    }
    return {.headers = {{"Content-Type", "application/xml"}}, .body = xml + "</urlset>"};
}

std::string SimulatedWeb::html_of(const Page& page) const {
    std::string html = "<title>made</title>";
    for (const std::string& link : page.links) html += fmt::format("<a href='{}'>x</a>", link);
    for (const std::string& image : page.images) html += fmt::format("<img src='{}'>", image);
    return html;
}

void SimulatedWeb::complain(std::string what) {
    violations_.push_back(
        fmt::format("at {} s: {}", std::chrono::duration<double>(loop_.now()).count(), what));
}

}  // namespace weft::crawl

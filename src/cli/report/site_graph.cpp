#include "cli/report/site_graph.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include <fmt/format.h>

#include "base/escape.h"

namespace weft::cli {

void SiteGraphBuilder::add(const archive::Outcome& entry) {
    if (is_too_large_ || entry.via == archive::Via::requisite || entry.via == archive::Via::sitemap)
        return;
    const bool is_page =
        entry.ending == archive::Ending::redirect || entry.is_broken() ||
        (entry.ending == archive::Ending::fetched && entry.content_type == "text/html");
    // A guess, such as /sitemap.xml, has no page that links to it.
    if (!is_page || entry.via == archive::Via::guess) return;
    if (graph_.nodes.size() == kNodesMax) {
        is_too_large_ = true;
        graph_ = {};
        found_.clear();
        numbers_.clear();
        return;
    }
    const auto number = static_cast<std::uint32_t>(graph_.nodes.size());
    numbers_.emplace(entry.url, number);
    graph_.nodes.push_back({entry.url, entry.title, entry.status, entry.depth, entry.is_broken()});
    if (!entry.referrer.empty()) found_.emplace_back(entry.referrer, number);
}

void SiteGraphBuilder::add_links(const archive::Outcome& entry) {
    if (is_too_large_ || entry.links.empty()) return;
    has_links_ = true;
    for (const std::string& link : entry.links) {
        const auto to = numbers_.find(link);
        if (to != numbers_.end()) add_edge(entry.url, to->second);
    }
}

void SiteGraphBuilder::add_edge(std::string_view from, std::uint32_t to) {
    const auto found = numbers_.find(std::string(from));
    if (found == numbers_.end() || found->second == to) return;
    if (graph_.edges.size() < kEdgesMax) graph_.edges.emplace_back(found->second, to);
}

SiteGraph SiteGraphBuilder::finish() {
    if (!has_links_) {
        for (const auto& [referrer, number] : found_) add_edge(referrer, number);
    }
    return std::move(graph_);
}

namespace {

constexpr double kWidth = 1'000;
constexpr double kHeight = 640;
constexpr int kSteps = 250;

struct Point {
    double x = 0;
    double y = 0;
};

// A force-directed layout: rings by depth at first, then springs between linked pages and repulsion
// between all. Without random numbers, so the same graph is always drawn the same way.
class Layout {
public:
    explicit Layout(const SiteGraph& graph)
        : graph_(graph),
          spring_(0.8 * std::sqrt(kWidth * kHeight / static_cast<double>(graph.nodes.size()))) {
        // The golden angle spreads the points of a ring evenly.
        const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const double radius = 40 + 60.0 * std::min<std::uint32_t>(graph.nodes[i].depth, 6);
            const double angle = golden * static_cast<double>(i);
            points_.push_back({radius * std::cos(angle), radius * std::sin(angle)});
        }
    }

    std::vector<Point> run() {
        for (int step = 0; step < kSteps; ++step) {
            moves_.assign(points_.size(), {});
            repel();
            attract();
            // The longest move of a step. It falls, so that the drawing comes to rest.
            const double heat = 60.0 * (1 - static_cast<double>(step) / kSteps) + 0.5;
            for (std::size_t i = 0; i < points_.size(); ++i) {
                const double length = std::hypot(moves_[i].x, moves_[i].y) + 1e-9;
                const double share = std::min(length, heat) / length;
                points_[i].x += moves_[i].x * share;
                points_[i].y += moves_[i].y * share;
            }
        }
        fit();
        return std::move(points_);
    }

private:
    void push(std::size_t a, std::size_t b, double strength, double dx, double dy) {
        moves_[a].x += dx * strength;
        moves_[a].y += dy * strength;
        moves_[b].x -= dx * strength;
        moves_[b].y -= dy * strength;
    }

    void repel() {
        for (std::size_t a = 0; a < points_.size(); ++a) {
            for (std::size_t b = a + 1; b < points_.size(); ++b) {
                const double dx = points_[a].x - points_[b].x;
                const double dy = points_[a].y - points_[b].y;
                push(a, b, spring_ * spring_ / (dx * dx + dy * dy + 0.01) / 4, dx, dy);
            }
            // To the middle, so that separate parts stay together.
            moves_[a].x -= points_[a].x * 0.02;
            moves_[a].y -= points_[a].y * 0.02;
        }
    }

    void attract() {
        for (const auto& [from, to] : graph_.edges) {
            const double dx = points_[from].x - points_[to].x;
            const double dy = points_[from].y - points_[to].y;
            push(from, to, -std::hypot(dx, dy) / spring_ / 6, dx, dy);
        }
    }

    void fit() {
        double reach_x = 1;
        double reach_y = 1;
        for (const Point& point : points_) {
            reach_x = std::max(reach_x, std::abs(point.x));
            reach_y = std::max(reach_y, std::abs(point.y));
        }
        for (Point& point : points_) {
            point.x = kWidth / 2 + point.x / reach_x * (kWidth / 2 - 20);
            point.y = kHeight / 2 + point.y / reach_y * (kHeight / 2 - 20);
        }
    }

    const SiteGraph& graph_;
    double spring_;
    std::vector<Point> points_;
    std::vector<Point> moves_;
};

std::string_view tone_of(const SiteGraph::Node& node) {
    if (node.is_broken) return "bad";
    return node.status >= 300 && node.status < 400 ? "warn" : "good";
}

}  // namespace

std::string to_svg(const SiteGraph& graph) {
    if (graph.nodes.empty()) return "";
    const std::vector<Point> points = Layout(graph).run();
    std::string svg = fmt::format(
        "<svg class=\"graph\" viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"pages and links\">\n",
        kWidth, kHeight);
    const auto out = std::back_inserter(svg);
    for (const auto& [from, to] : graph.edges) {
        fmt::format_to(out, "<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>\n",
                       points[from].x, points[from].y, points[to].x, points[to].y);
    }
    for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
        const SiteGraph::Node& node = graph.nodes[i];
        std::string words = node.url;
        if (node.status != 0) words += fmt::format(" ({})", node.status);
        if (!node.title.empty()) words += " " + node.title;
        fmt::format_to(out,
                       "<circle class=\"{}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\">"
                       "<title>{}</title></circle>\n",
                       tone_of(node), points[i].x, points[i].y, node.depth == 0 ? 9 : 6,
                       escape_for_html(escape_for_terminal(words)));
    }
    return svg + "</svg>\n";
}

}  // namespace weft::cli

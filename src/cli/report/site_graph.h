#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "archive/index/outcome.h"

namespace weft::cli {

// The pages of a small site and the links between them.
struct SiteGraph {
    struct Node {
        std::string url;
        std::string title;
        int status = 0;
        std::uint32_t depth = 0;
        bool is_broken = false;
    };
    std::vector<Node> nodes;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;  // From, to.
};

// Builds the graph from the page log. It has all edges if the crawl kept links; otherwise for each
// page the one from the page on which it was first found. Resources of pages (images, styles) are
// left out. A site with more than kNodesMax pages gives an empty graph.
class SiteGraphBuilder {
public:
    static constexpr std::size_t kNodesMax = 150;
    static constexpr std::size_t kEdgesMax = 3'000;

    void add(const archive::Outcome& entry);

    // Whether a second pass with add_links() is of use. REQUIRES: all entries were added.
    bool wants_links() const { return !is_too_large_ && !graph_.nodes.empty(); }
    void add_links(const archive::Outcome& entry);

    SiteGraph finish();

private:
    void add_edge(std::string_view from, std::uint32_t to);

    SiteGraph graph_;
    std::vector<std::pair<std::string, std::uint32_t>> found_;  // Referrer and node.
    std::unordered_map<std::string, std::uint32_t> numbers_;
    bool is_too_large_ = false;
    bool has_links_ = false;
};

// The graph as SVG, without scripts and styles; it uses the CSS classes of the report. Text from
// outside is escaped.
std::string to_svg(const SiteGraph& graph);

}  // namespace weft::cli

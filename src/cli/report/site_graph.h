#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "archive/index/page_entry.h"

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

// Gathers it from the page log: every edge if the crawl kept links, else for each page the one on
// which it was first found. What pages only show (pictures, styles) is left out. Of a site with
// more than kNodesMax pages nothing is kept.
class SiteGraphBuilder {
public:
    static constexpr std::size_t kNodesMax = 150;
    static constexpr std::size_t kEdgesMax = 3'000;

    void add(const archive::PageEntry& entry);

    // A second pass, once all are added.
    bool wants_links() const { return !is_too_large_ && !graph_.nodes.empty(); }
    void add_links(const archive::PageEntry& entry);

    SiteGraph finish();

private:
    void add_edge(std::string_view from, std::uint32_t to);

    SiteGraph graph_;
    std::vector<std::pair<std::string, std::uint32_t>> found_;  // Referrer and node.
    std::unordered_map<std::string, std::uint32_t> numbers_;
    bool is_too_large_ = false;
    bool has_links_ = false;
};

// Draws it, as SVG without scripts or styles of its own; its classes are those of the report. Text
// from outside is escaped.
std::string to_svg(const SiteGraph& graph);

}  // namespace weft::cli

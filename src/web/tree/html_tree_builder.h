#pragma once

#include <memory>
#include <string_view>

#include "web/markup/html_names.h"
#include "web/tree/html_tree.h"
#include "web/tree/html_tree_nodes.h"

namespace weft::web {

// The element that a fragment is parsed in: its name, such as "td", in lower case.
struct FragmentContext {
    std::string_view name;
    Namespace space = Namespace::html;
};

// Parses HTML pages into trees, one after another. There are no errors: any bytes make a tree. The
// input is UTF-8 (web/charset decodes), and a byte order mark is skipped. What is beyond the limits
// is left out, and the tree says that it is cut. Used by one thread at a time.
//
// Scripts do not run, so the content of noscript is markup, as in a browser without scripts.
class HtmlTreeBuilder {
public:
    enum class Scripting : bool { off, on };

    explicit HtmlTreeBuilder(HtmlTreeLimits limits = {}, Scripting scripting = Scripting::off);
    ~HtmlTreeBuilder();
    HtmlTreeBuilder(HtmlTreeBuilder&&) noexcept;
    HtmlTreeBuilder& operator=(HtmlTreeBuilder&&) noexcept;

    // The tree is the builder's own, and valid until the next call. The buffers are reused, so a
    // builder that has read some pages allocates nothing.
    const HtmlTree& parse(std::string_view document);

    // Parses as `innerHTML` does (HTML standard, section 13.2.9). The nodes of the fragment are the
    // children of node 1.
    const HtmlTree& parse_fragment(std::string_view document, FragmentContext context);

    // The memory of the tree and of all buffers.
    std::size_t memory_bytes() const;

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace weft::web

#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "web/tree/html_tree.h"

namespace weft::extract {

// A page's meta tags: those of HTML, Open Graph, Twitter, Dublin Core and others alike.
struct MetaTag {
    std::string_view name;  // The value of name, property or itemprop, as written.
    std::string_view content;
};

inline constexpr std::size_t kMetaTagsMax = 1000;

class MetaTags {
public:
    // Reads the first kMetaTagsMax tags. The views are of the tree.
    void read(const web::HtmlTree& tree);

    const std::vector<MetaTag>& all() const { return tags_; }
    // The content of the first tag of that name that has one, without regard to case; else empty.
    std::string_view find(std::string_view name) const;
    // Likewise for the first of several names.
    std::string_view find_first(std::initializer_list<std::string_view> names) const;

private:
    std::vector<MetaTag> tags_;
};

}  // namespace weft::extract

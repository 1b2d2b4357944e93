#include "extract/fields/open_graph.h"

#include "base/bytes.h"

namespace weft::extract {

void MetaTags::read(const web::HtmlTree& tree) {
    tags_.clear();
    for (std::uint32_t i = 0; i < tree.size() && tags_.size() < kMetaTagsMax; ++i) {
        if (!tree[i].is_html(web::Element::meta)) continue;
        const std::string_view content = trim(tree.attribute(i, "content").value_or(""));
        if (content.empty()) continue;
        for (const std::string_view key : {"property", "name", "itemprop"}) {
            if (const auto name = tree.attribute(i, key)) {
                tags_.push_back({trim(*name), content});
                break;
            }
        }
    }
}

std::string_view MetaTags::find(std::string_view name) const {
    for (const MetaTag& tag : tags_) {
        if (equals_ignore_case(tag.name, name)) return tag.content;
    }
    return {};
}

std::string_view MetaTags::find_first(std::initializer_list<std::string_view> names) const {
    for (const std::string_view name : names) {
        if (const std::string_view content = find(name); !content.empty()) return content;
    }
    return {};
}

}  // namespace weft::extract

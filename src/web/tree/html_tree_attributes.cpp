#include <algorithm>

#include "base/bytes.h"
#include "web/charset/utf8_text.h"
#include "web/markup/html_reference.h"
#include "web/markup/html_scan.h"
#include "web/tree/foreign_names.h"
#include "web/tree/html_tree_nodes.h"

// The names and attributes of HtmlTreeNodes.
namespace weft::web {
namespace {

// Up to this many attributes of a tag are compared one by one, more by a hash table.
constexpr std::size_t kFewAttributes = 16;
constexpr std::size_t kSeenSlots = 2048;
static_assert(kSeenSlots >= 2 * limits::kAttributeCountMax);

std::size_t hash_of(std::string_view name) {
    std::uint32_t hash = 2166136261u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
    return (hash ^ hash >> 15) % kSeenSlots;
}

}  // namespace

std::uint32_t HtmlTreeNodes::store_name(std::string_view name) {
    tree_->names_.push_back({static_cast<std::uint32_t>(tree_->values_.size()),
                             static_cast<std::uint32_t>(name.size())});
    tree_->values_ += name;
    return static_cast<std::uint32_t>(tree_->names_.size());
}

void HtmlTreeNodes::add_doctype(const HtmlDoctype& doctype) {
    if (!has_room()) return;
    HtmlNode node{.kind = NodeKind::doctype};
    node.begin = static_cast<std::uint32_t>(tree_->attributes_.size());
    node.name = store_name(doctype.name.value_or(""));
    const auto store = [&](std::string_view name, std::string_view value) {
        tree_->attributes_.push_back({static_cast<std::uint32_t>(tree_->values_.size()),
                                      static_cast<std::uint32_t>(name.size()),
                                      static_cast<std::uint32_t>(value.size())});
        (tree_->values_ += name) += value;
        ++node.count;
    };
    if (doctype.public_id) store("public", *doctype.public_id);
    if (doctype.system_id) store("system", *doctype.system_id);
    add(node, {0});
}

// Of attributes with the same name, the first one counts.
void HtmlTreeNodes::store_attributes(HtmlNode& node, const HtmlTag& tag) {
    const std::uint32_t first = node.begin;
    for (std::size_t k = 0; k < tag.attribute_count(); ++k) {
        const HtmlAttribute attribute = tag.attribute(k);
        if (store_attribute_name(attribute.name, node.space, first)) {
            store_attribute_value(attribute.value);
        }
    }
    node.count = static_cast<std::uint32_t>(tree_->attributes_.size()) - first;
}

// Returns false, and stores nothing, if the element has an attribute of that name.
bool HtmlTreeNodes::store_attribute_name(std::string_view raw, Namespace space,
                                         std::uint32_t first) {
    std::string& values = tree_->values_;
    const std::size_t begin = values.size();
    values += raw;
    bool has_nul = false;
    for (std::size_t i = begin; i < values.size(); ++i) {
        values[i] = to_lower(values[i]);
        has_nul |= values[i] == '\0';
    }
    if (has_nul) {
        const std::string name = values.substr(begin);
        values.resize(begin);
        for (const char c : name) c == '\0' ? values += kReplacementText : values += c;
    }
    if (space != Namespace::html) {
        const std::string lower = values.substr(begin);
        values.replace(begin, lower.size(), foreign_attribute_name(lower, space));
    }
    if (is_stored(first, std::string_view(values).substr(begin))) {
        values.resize(begin);
        return false;
    }
    tree_->attributes_.push_back(
        {static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(values.size() - begin), 0});
    return true;
}

void HtmlTreeNodes::store_attribute_value(std::string_view raw) {
    const std::string_view value = decode_attribute(raw, scratch_);
    tree_->values_ += value;
    tree_->attributes_.back().value_size = static_cast<std::uint32_t>(value.size());
}

std::string_view HtmlTreeNodes::stored_name(const StoredAttribute& attribute) const {
    return {tree_->values_.data() + attribute.begin, attribute.name_size};
}

bool HtmlTreeNodes::is_stored(std::uint32_t first, std::string_view name) {
    const std::vector<StoredAttribute>& attributes = tree_->attributes_;
    if (attributes.size() - first >= kFewAttributes) return is_in_seen(first, name);
    for (std::size_t i = first; i < attributes.size(); ++i) {
        if (stored_name(attributes[i]) == name) return true;
    }
    return false;
}

// The table has the indexes of the attributes from `first` on, plus 1.
bool HtmlTreeNodes::is_in_seen(std::uint32_t first, std::string_view name) {
    const std::vector<StoredAttribute>& attributes = tree_->attributes_;
    const auto slot_of = [&](std::string_view wanted) {
        std::size_t slot = hash_of(wanted);
        while (seen_[slot] != 0 && stored_name(attributes[seen_[slot] - 1]) != wanted) {
            slot = (slot + 1) % kSeenSlots;
        }
        return slot;
    };
    const auto count = static_cast<std::uint32_t>(attributes.size());
    if (count - first == kFewAttributes && seen_first_ != first) {
        seen_first_ = first;
        seen_.assign(kSeenSlots, 0);
        for (std::uint32_t i = first; i < count; ++i)
            seen_[slot_of(stored_name(attributes[i]))] = i + 1;
    }
    const std::size_t slot = slot_of(name);
    if (seen_[slot] != 0) return true;
    seen_[slot] = count + 1;  // The caller stores it there.
    return false;
}

// A page may have many <html> tags, so their attributes are collected apart.
void HtmlTreeNodes::merge_attributes(std::uint32_t node, const HtmlTag& tag) {
    if (tree_->is_cut_ || tag.attribute_count() == 0) return;
    auto merged = std::ranges::find(merged_, node, &Merged::node);
    if (merged == merged_.end()) merged = merged_.insert(merged, {node, {}});
    const HtmlNode& element = nodes()[node];
    for (std::size_t k = 0; k < tag.attribute_count(); ++k) {
        if (element.count + merged->attributes.size() >= limits::kMergedAttributeCountMax) return;
        const auto end = static_cast<std::uint32_t>(tree_->attributes_.size());
        const HtmlAttribute attribute = tag.attribute(k);
        if (!store_attribute_name(attribute.name, element.space, end)) continue;
        const StoredAttribute added = tree_->attributes_.back();
        const auto is_same = [&](const StoredAttribute& other) {
            return stored_name(other) == stored_name(added);
        };
        const auto own = tree_->attributes_.begin() + element.begin;
        if (std::any_of(own, own + element.count, is_same) ||
            std::ranges::any_of(merged->attributes, is_same)) {
            tree_->values_.resize(added.begin);
        } else {
            store_attribute_value(attribute.value);
            merged->attributes.push_back(tree_->attributes_.back());
        }
        tree_->attributes_.pop_back();
    }
}

void HtmlTreeNodes::finish_merged() {
    std::vector<StoredAttribute>& attributes = tree_->attributes_;
    for (const Merged& merged : merged_) {
        HtmlNode& node = nodes()[merged.node];
        const auto begin = static_cast<std::uint32_t>(attributes.size());
        for (std::uint32_t k = 0; k < node.count; ++k) {
            attributes.push_back(StoredAttribute(attributes[node.begin + k]));
        }
        attributes.insert(attributes.end(), merged.attributes.begin(), merged.attributes.end());
        node.begin = begin;
        node.count = static_cast<std::uint32_t>(attributes.size()) - begin;
    }
}

}  // namespace weft::web

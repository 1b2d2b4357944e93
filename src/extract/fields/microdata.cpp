#include "extract/fields/microdata.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/bytes.h"
#include "base/escape.h"

namespace weft::extract {
namespace {

constexpr std::string_view kHtmlSpaces = " \t\n\f\r";

// The parts of a value that is a list with spaces, each once.
std::vector<std::string_view> tokens_of(std::string_view text) {
    std::vector<std::string_view> tokens;
    for (std::size_t i = 0; (i = text.find_first_not_of(kHtmlSpaces, i)) != text.npos;) {
        const std::size_t end = std::min(text.find_first_of(kHtmlSpaces, i), text.size());
        tokens.push_back(text.substr(i, end - i));
        i = end;
    }
    return tokens;
}

void append_json_text(std::string& out, std::string_view text) {
    out += '"';
    append_for_json(out, text);
    out += '"';
}

class MicrodataWriter {
public:
    MicrodataWriter(const web::HtmlTree& tree, const web::Url* base) : tree_(tree), base_(base) {}

    std::string write() {
        for (std::uint32_t i = 1; i < tree_.size() && has_room(); ++i) {
            if (!is_item(i) || tree_.attribute(i, "itemprop")) continue;
            const std::size_t before = out_.size();
            out_ += out_.empty() ? '[' : ',';
            append_item(i);
            if (!has_room()) out_.resize(before);  // Not whole.
        }
        if (!out_.empty()) out_ += ']';
        return std::move(out_);
    }

private:
    bool has_room() const {
        return out_.size() <= kMicrodataBytesMax && steps_ <= kMicrodataStepsMax;
    }
    bool is_item(std::uint32_t i) const {
        return tree_[i].is_element() && tree_.attribute(i, "itemscope").has_value();
    }

    void append_item(std::uint32_t item) {
        stack_.push_back(item);
        out_ += '{';
        const auto types = tokens_of(tree_.attribute(item, "itemtype").value_or(""));
        if (!types.empty()) {
            out_ += "\"type\":";
            char before = '[';
            for (const std::string_view type : types) {
                out_ += std::exchange(before, ',');
                append_json_text(out_, type);
            }
            out_ += "],";
        }
        if (const auto id = tree_.attribute(item, "itemid")) {
            out_ += "\"id\":";
            append_json_text(out_, resolved(trim(*id)));
            out_ += ',';
        }
        out_ += "\"properties\":{";
        append_properties(item);
        out_ += "}}";
        stack_.pop_back();
    }

    // The elements with itemprop that belong to an item, in the order of the page: "the properties
    // of an item" of the standard.
    std::set<std::uint32_t> properties_of(std::uint32_t item) {
        std::set<std::uint32_t> found;
        walk(item + 1, tree_[item].end, found);
        for (const std::string_view id : tokens_of(tree_.attribute(item, "itemref").value_or(""))) {
            if (!has_room()) break;
            const auto& ids = elements_by_id();
            if (const auto at = ids.find(id); at != ids.end() && at->second != item)
                walk(at->second, tree_[at->second].end, found);
        }
        return found;
    }

    void walk(std::uint32_t begin, std::uint32_t end, std::set<std::uint32_t>& found) {
        for (std::uint32_t i = begin; i < end && has_room();) {
            ++steps_;
            const bool is_property =
                tree_[i].is_element() && !trim(tree_.attribute(i, "itemprop").value_or("")).empty();
            if (is_property) found.insert(i);
            i = is_item(i) ? tree_[i].end : i + 1;
        }
    }

    // Each name once, with all its values, in the order of their first value.
    void append_properties(std::uint32_t item) {
        std::vector<std::pair<std::string_view, std::vector<std::uint32_t>>> names;
        std::unordered_map<std::string_view, std::size_t> index;
        for (const std::uint32_t node : properties_of(item)) {
            for (const auto name : tokens_of(tree_.attribute(node, "itemprop").value_or(""))) {
                const auto [at, is_new] = index.try_emplace(name, names.size());
                if (is_new) names.push_back({name, {}});
                auto& values = names[at->second].second;
                if (values.empty() || values.back() != node) values.push_back(node);
            }
        }
        char before = 0;
        for (const auto& [name, values] : names) {
            if (!has_room()) return;
            if (std::exchange(before, ',') != 0) out_ += ',';
            append_json_text(out_, name);
            out_ += ':';
            append_values(values);
        }
    }

    void append_values(const std::vector<std::uint32_t>& nodes) {
        char before = '[';
        for (const std::uint32_t node : nodes) {
            if (!has_room()) return;
            out_ += std::exchange(before, ',');
            if (!is_item(node)) {
                append_json_text(out_, value_of(node));
            } else if (std::ranges::find(stack_, node) != stack_.end() ||
                       stack_.size() >= kMicrodataDepthMax) {
                out_ += "\"ERROR\"";
            } else {
                append_item(node);
            }
        }
        out_ += ']';
    }

    std::string value_of(std::uint32_t i) {
        const std::string_view name = tree_.name(i);
        const auto attribute = [&](std::string_view key) {
            return tree_.attribute(i, key).value_or("");
        };
        if (name == "meta") return std::string(attribute("content"));
        if (name == "audio" || name == "embed" || name == "iframe" || name == "img" ||
            name == "source" || name == "track" || name == "video")
            return resolved(attribute("src"));
        if (name == "a" || name == "area" || name == "link") return resolved(attribute("href"));
        if (name == "object") return resolved(attribute("data"));
        if (name == "data" || name == "meter") return std::string(attribute("value"));
        if (const auto time = tree_.attribute(i, "datetime"); name == "time" && time)
            return std::string(*time);
        std::string text;
        steps_ += tree_[i].end - i;
        tree_.append_text(i, text);
        return text;
    }

    std::string resolved(std::string_view reference) const {
        if (reference.empty() || !base_) return std::string(reference);
        const auto url = base_->resolve(reference, web::kBoundedUrl);
        return url ? url->href() : std::string();
    }

    const std::unordered_map<std::string_view, std::uint32_t>& elements_by_id() {
        if (!has_ids_) {
            has_ids_ = true;
            for (std::uint32_t i = 1; i < tree_.size(); ++i) {
                if (!tree_[i].is_element()) continue;
                if (const auto id = tree_.attribute(i, "id")) ids_.try_emplace(*id, i);
            }
        }
        return ids_;
    }

    const web::HtmlTree& tree_;
    const web::Url* base_;
    std::string out_;
    std::size_t steps_ = 0;
    std::vector<std::uint32_t> stack_;  // The items that are being written.
    bool has_ids_ = false;
    std::unordered_map<std::string_view, std::uint32_t> ids_;
};

}  // namespace

std::string microdata_json(const web::HtmlTree& tree, const web::Url* base) {
    return MicrodataWriter(tree, base).write();
}

}  // namespace weft::extract

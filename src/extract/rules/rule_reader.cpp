#include "extract/rules/rule_reader.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

namespace weft::extract {
namespace {

constexpr std::uint32_t kNoSlot = std::numeric_limits<std::uint32_t>::max();
// Of a value, besides its text: so empty values are bounded, too.
constexpr std::size_t kValueOverhead = 32;

}  // namespace

RuleReader::RuleReader(std::shared_ptr<const Rules> rules) : rules_(std::move(rules)) {
    if (!rules_) return;
    std::vector<Selector> page;
    selected_ = add_fields(rules_->selected, page);
    for (const Rule& rule : rules_->rules) {
        RuleSlots slots;
        if (rule.each) {
            slots.each = static_cast<std::uint32_t>(page.size());
            page.push_back(*rule.each);
            std::vector<Selector> row;
            slots.fields = add_fields(rule.fields, row);
            slots.matcher = std::make_unique<SelectorMatcher>(std::move(row));
        } else {
            slots.fields = add_fields(rule.fields, page);
        }
        rule_slots_.push_back(std::move(slots));
    }
    page_matcher_ = std::make_unique<SelectorMatcher>(std::move(page));
}

RuleReader::FieldSlots RuleReader::add_fields(const std::vector<FieldRule>& fields,
                                              std::vector<Selector>& selectors) {
    FieldSlots slots{.fields = &fields};
    for (const FieldRule& field : fields) {
        slots.slots.push_back(field.is_of_row ? kNoSlot
                                              : static_cast<std::uint32_t>(selectors.size()));
        if (!field.is_of_row) selectors.push_back(field.selector);
    }
    return slots;
}

void RuleReader::read(const web::HtmlTree& tree, std::string_view url, const web::Url* base,
                      Extract& out) {
    if (!rules_) return;
    tree_ = &tree;
    base_ = base;
    steps_left_ = SelectorMatcher::kStepCountMax;
    bytes_left_ = kFieldBytesPerPageMax;
    is_cut_ = false;
    page_matcher_->begin(tree, steps_left_);
    page_matcher_->search(0);
    spend(page_matcher_->step_count());
    const std::uint32_t html = tree.find(web::Element::html);
    out.selected = read_fields(selected_, *page_matcher_, html);
    for (std::size_t i = 0; i < rule_slots_.size() && !is_cut_; ++i) {
        const Rule& rule = rules_->rules[i];
        if (rule.match && !url.empty() && !rule.match->matches(url)) continue;
        if (rule.each) {
            read_rows(rule, rule_slots_[i], out);
        } else {
            add_row(read_fields(rule_slots_[i].fields, *page_matcher_, html), out);
        }
    }
    out.cut.fields = is_cut_;
}

void RuleReader::read_rows(const Rule&, RuleSlots& slots, Extract& out) {
    SelectorMatcher& matcher = *slots.matcher;
    matcher.begin(*tree_, steps_left_);
    std::uint64_t spent = 0;
    for (const std::uint32_t node : page_matcher_->matches(slots.each)) {
        if (is_cut_) return;
        matcher.search(node);
        // Rows may lie in each other: each looks at all its nodes again.
        spend(matcher.step_count() - spent + ((*tree_)[node].end - node));
        spent = matcher.step_count();
        add_row(read_fields(slots.fields, matcher, node), out);
    }
}

// A row in which no field was found says nothing.
void RuleReader::add_row(std::vector<SelectedField> row, Extract& out) {
    const auto has_value = [](const SelectedField& field) { return !field.values.empty(); };
    if (std::ranges::none_of(row, has_value)) return;
    if (out.rows.size() == kRowsPerPageMax) {
        is_cut_ = true;
        return;
    }
    out.rows.push_back(std::move(row));
}

std::vector<SelectedField> RuleReader::read_fields(const FieldSlots& slots,
                                                   const SelectorMatcher& matcher,
                                                   std::uint32_t row) {
    std::vector<SelectedField> found;
    for (std::size_t i = 0; i < slots.slots.size(); ++i) {
        const FieldRule& rule = (*slots.fields)[i];
        SelectedField field{.name = rule.name, .values = {}, .is_list = rule.is_list};
        if (slots.slots[i] == kNoSlot) {
            read_values(rule, {row}, field.values);
        } else {
            read_values(rule, matcher.matches(slots.slots[i]), field.values);
        }
        found.push_back(std::move(field));
    }
    return found;
}

void RuleReader::read_values(const FieldRule& rule, const std::vector<std::uint32_t>& nodes,
                             std::vector<std::string>& values) {
    for (const std::uint32_t node : nodes) {
        if (is_cut_ || (!rule.is_list && !values.empty())) return;
        std::string value;
        const bool has_part = append_part(*tree_, node, rule.selector, base_, value);
        if (rule.selector.part != SelectorPart::attribute) spend((*tree_)[node].end - node);
        if (!has_part || value.empty()) continue;
        const std::size_t size = value.size() + kValueOverhead;
        if (size > bytes_left_) {
            is_cut_ = true;
            return;
        }
        bytes_left_ -= size;
        values.push_back(std::move(value));
    }
}

bool RuleReader::spend(std::uint64_t step_count) {
    if (step_count > steps_left_) is_cut_ = true;
    steps_left_ -= std::min(step_count, steps_left_);
    return !is_cut_;
}

}  // namespace weft::extract

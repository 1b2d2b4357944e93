#include "extract/select/selector_matcher.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.h"

namespace weft::extract {
namespace {

using web::HtmlNode;
using Test = SelectorTest;

bool is_class_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

// Calls `use` with each word of a text until that returns true; returns whether it did.
template <class Use>
bool any_word(std::string_view text, Use use) {
    for (std::size_t i = 0; i < text.size();) {
        while (i < text.size() && is_class_space(text[i])) ++i;
        const std::size_t begin = i;
        while (i < text.size() && !is_class_space(text[i])) ++i;
        if (i > begin && use(text.substr(begin, i - begin))) return true;
    }
    return false;
}

const Test* find_test(const CompoundSelector& compound, Test::Kind kind) {
    const auto found = std::ranges::find(compound.tests, kind, &Test::kind);
    return found == compound.tests.end() ? nullptr : &*found;
}

bool is_at(const Test& test, std::uint32_t place) {
    const std::int64_t distance = static_cast<std::int64_t>(place) - test.offset;
    if (test.step == 0) return distance == 0;
    return distance % test.step == 0 && distance / test.step >= 0;
}

}  // namespace

SelectorMatcher::SelectorMatcher(std::vector<Selector> selectors, std::uint64_t step_count_max)
    : selectors_(std::move(selectors)),
      step_count_max_(step_count_max),
      by_element_(256),
      matches_(selectors_.size()) {
    for (std::uint32_t i = 0; i < selectors_.size(); ++i) {
        for (const ComplexSelector& complex : selectors_[i].lists[0]) add_rule({i, &complex});
        for (const auto& list : selectors_[i].lists) {
            for (const ComplexSelector& complex : list) {
                for (const CompoundSelector& compound : complex.compounds) {
                    counts_types_ |= std::ranges::any_of(compound.tests, &Test::is_of_type);
                }
            }
        }
    }
}

void SelectorMatcher::add_to(Key& key, const std::string& name, const Rule& rule) {
    key.rules[name].push_back(rule);
    key.lengths |= Key::length_bit(name);
}

// Under the rarest thing that an element must have.
void SelectorMatcher::add_rule(const Rule& rule) {
    const CompoundSelector& last = rule.complex->compounds.back();
    if (const Test* id = find_test(last, Test::Kind::id)) {
        add_to(by_id_, id->value, rule);
    } else if (const Test* word = find_test(last, Test::Kind::class_name)) {
        add_to(by_class_, word->value, rule);
    } else if (const Test* type = find_test(last, Test::Kind::type)) {
        if (type->element == web::Element::unknown) {
            add_to(by_name_, type->name, rule);
        } else {
            by_element_[static_cast<std::size_t>(type->element)].push_back(rule);
        }
    } else {
        others_.push_back(rule);
    }
}

void SelectorMatcher::begin(const web::HtmlTree& tree, std::uint64_t step_count_max) {
    tree_ = &tree;
    step_count_max_ = step_count_max;
    step_count_ = 0;
    places_.clear();
}

void SelectorMatcher::search(std::uint32_t root) {
    const web::HtmlTree& tree = *tree_;
    root_ = root;
    for (auto& matches : matches_) matches.clear();
    for (std::uint32_t i = root + 1; i < tree[root].end && !is_cut(); ++i) {
        const HtmlNode& node = tree[i];
        if (!node.is_element()) continue;
        try_rules(others_, i);
        if (node.element == web::Element::unknown) {
            if (by_name_.lengths != 0) try_named(by_name_, tree.name(i), i);
        } else {
            try_rules(by_element_[static_cast<std::size_t>(node.element)], i);
        }
        if (node.count == 0) continue;
        if (by_class_.lengths != 0) try_classes(i);
        if (by_id_.lengths == 0) continue;
        if (const auto id = tree.attribute(i, "id")) try_named(by_id_, *id, i);
    }
}

void SelectorMatcher::try_rules(const std::vector<Rule>& rules, std::uint32_t node) {
    for (const Rule& rule : rules) {
        std::vector<std::uint32_t>& matches = matches_[rule.selector];
        if (!matches.empty() && matches.back() == node) continue;
        if (matches_complex(selectors_[rule.selector], *rule.complex, node)) {
            matches.push_back(node);
        }
    }
}

void SelectorMatcher::try_named(const Key& key, std::string_view name, std::uint32_t node) {
    if ((key.lengths & Key::length_bit(name)) == 0) return;
    const auto found = key.rules.find(name);
    if (found != key.rules.end()) try_rules(found->second, node);
}

void SelectorMatcher::try_classes(std::uint32_t node) {
    const auto classes = tree_->attribute(node, "class");
    if (!classes) return;
    any_word(*classes, [&](std::string_view word) {
        try_named(by_class_, word, node);
        return !step();
    });
}

bool SelectorMatcher::matches_complex(const Selector& selector, const ComplexSelector& complex,
                                      std::uint32_t node) {
    const std::size_t last = complex.compounds.size() - 1;
    return matches_compound(selector, complex.compounds[last], node) &&
           matches_left(selector, complex, last, node);
}

// Whether what is left of the compound `last`, which has matched `node`, matches, too. The
// recursion is as deep as the selector is long. A relative selector begins at scope_.
bool SelectorMatcher::matches_left(const Selector& selector, const ComplexSelector& complex,
                                   std::size_t last, std::uint32_t node) {
    if (last == 0 && scope_ == 0) return true;
    const auto fits = [&](std::uint32_t candidate) {
        if (last == 0) return candidate == scope_;
        return matches_compound(selector, complex.compounds[last - 1], candidate) &&
               matches_left(selector, complex, last - 1, candidate);
    };
    const web::HtmlTree& tree = *tree_;
    switch (complex.compounds[last].combinator) {
        case Combinator::child: {
            const std::uint32_t parent = tree[node].parent;
            return parent != 0 && step() && fits(parent);
        }
        case Combinator::descendant:
            for (std::uint32_t up = tree[node].parent; up != 0 && step(); up = tree[up].parent) {
                if (fits(up)) return true;
            }
            return false;
        case Combinator::next_sibling: {
            const std::uint32_t before = previous_element(node);
            return before != 0 && step() && fits(before);
        }
        case Combinator::later_sibling:
            for (std::uint32_t before = previous_element(node); before != 0 && step();
                 before = previous_element(before)) {
                if (fits(before)) return true;
            }
            return false;
    }
    return false;
}

bool SelectorMatcher::matches_compound(const Selector& selector, const CompoundSelector& compound,
                                       std::uint32_t node) {
    if (!step(1 + compound.tests.size())) return false;
    return std::ranges::all_of(compound.tests,
                               [&](const Test& test) { return passes(selector, test, node); });
}

bool SelectorMatcher::passes(const Selector& selector, const Test& test, std::uint32_t node) {
    const web::HtmlTree& tree = *tree_;
    const auto matches_any = [&] {
        const std::uint32_t scope = std::exchange(scope_, 0);
        const bool is_match =
            std::ranges::any_of(selector.lists[test.list], [&](const ComplexSelector& complex) {
                return matches_complex(selector, complex, node);
            });
        scope_ = scope;
        return is_match;
    };
    switch (test.kind) {
        case Test::Kind::type:
            return tree[node].element == test.element &&
                   (test.element != web::Element::unknown ||
                    equals_ignore_case(tree.name(node), test.name));
        case Test::Kind::id: return tree.attribute(node, "id") == test.value;
        case Test::Kind::class_name: {
            const auto classes = tree.attribute(node, "class");
            return classes &&
                   any_word(*classes, [&](std::string_view word) { return word == test.value; });
        }
        case Test::Kind::attribute: return passes_attribute(test, node);
        case Test::Kind::nth: return passes_nth(test, node);
        case Test::Kind::empty: return is_empty(node);
        case Test::Kind::root: return tree[node].parent == 0;
        case Test::Kind::contains: return contains(test, node);
        case Test::Kind::is: return matches_any();
        case Test::Kind::not_any: return !matches_any();
        case Test::Kind::has: return passes_has(selector, test, node);
    }
    return false;
}

bool SelectorMatcher::passes_attribute(const Test& test, std::uint32_t node) const {
    const auto found = tree_->attribute(node, test.name);
    if (!found) return false;
    if (test.operation == 0) return true;
    std::string lower_value;
    std::string lower_wanted;
    std::string_view value = *found;
    std::string_view wanted = test.value;
    if (test.ignores_case) {
        value = lower_value = to_lower(value);
        wanted = lower_wanted = to_lower(wanted);
    }
    switch (test.operation) {
        case '=': return value == wanted;
        case '~': return any_word(value, [&](std::string_view word) { return word == wanted; });
        case '|':
            return value.starts_with(wanted) &&
                   (value.size() == wanted.size() || value[wanted.size()] == '-');
        // An empty value matches nothing.
        case '^': return !wanted.empty() && value.starts_with(wanted);
        case '$': return !wanted.empty() && value.ends_with(wanted);
        default: return !wanted.empty() && value.contains(wanted);
    }
}

bool SelectorMatcher::passes_nth(const Test& test, std::uint32_t node) {
    const Places& at = places(node);
    if (test.is_of_type) return is_at(test, test.is_from_end ? at.of_type_from_end : at.of_type);
    return is_at(test, test.is_from_end ? at.child_from_end : at.child);
}

bool SelectorMatcher::is_empty(std::uint32_t node) const {
    for (const std::uint32_t child : tree_->children(node)) {
        if ((*tree_)[child].is_element() || (*tree_)[child].is_text()) return false;
    }
    return true;
}

bool SelectorMatcher::contains(const Test& test, std::uint32_t node) {
    if (!step((*tree_)[node].end - node)) return false;
    std::string text;
    tree_->append_text(node, text);
    return step(text.size() / 16) && text.contains(test.value);
}

bool SelectorMatcher::passes_has(const Selector& selector, const Test& test, std::uint32_t node) {
    const std::uint32_t scope = std::exchange(scope_, node);
    const bool is_match = std::ranges::any_of(
        selector.lists[test.list],
        [&](const ComplexSelector& complex) { return has_relative(selector, complex, node); });
    scope_ = scope;
    return is_match;
}

// Looks at all elements that the last compound could match: below the element, or below and beside
// its next siblings.
bool SelectorMatcher::has_relative(const Selector& selector, const ComplexSelector& complex,
                                   std::uint32_t node) {
    const web::HtmlTree& tree = *tree_;
    const Combinator first = complex.compounds[0].combinator;
    const bool is_beside = first == Combinator::next_sibling || first == Combinator::later_sibling;
    const bool is_flat = complex.compounds.size() == 1 && first != Combinator::descendant;
    const std::uint32_t begin = is_beside ? tree[node].end : node + 1;
    const std::uint32_t end = is_beside ? tree[tree[node].parent].end : tree[node].end;
    for (std::uint32_t i = begin; i < end; i = is_flat ? tree[i].end : i + 1) {
        if (!step()) return false;
        if (!tree[i].is_element()) continue;
        // An inner :has() leaves the scope as it was; an inner :is() has none.
        if (matches_complex(selector, complex, i)) return true;
    }
    return false;
}

std::uint32_t SelectorMatcher::previous_element(std::uint32_t node) {
    places(node);
    return previous_[node];
}

const SelectorMatcher::Places& SelectorMatcher::places(std::uint32_t node) {
    if (places_.size() != tree_->size()) {
        places_.assign(tree_->size(), {});
        previous_.assign(tree_->size(), 0);
    }
    if (places_[node].child == 0) fill_places((*tree_)[node].parent);
    return places_[node];
}

// Once for a parent, so that it is linear in sum.
void SelectorMatcher::fill_places(std::uint32_t parent) {
    const web::HtmlTree& tree = *tree_;
    std::uint32_t count = 0;
    std::uint32_t before = 0;
    for (const std::uint32_t child : tree.children(parent)) {
        if (!tree[child].is_element()) continue;
        places_[child].child = ++count;
        previous_[child] = std::exchange(before, child);
    }
    for (std::uint32_t child = before; child != 0; child = previous_[child]) {
        step();
        places_[child].child_from_end = count - places_[child].child + 1;
    }
    if (counts_types_) count_types(parent, before);
}

void SelectorMatcher::count_types(std::uint32_t parent, std::uint32_t last) {
    const web::HtmlTree& tree = *tree_;
    std::array<std::uint32_t, 256> known{};
    std::unordered_map<std::string_view, std::uint32_t> unknown;
    const auto count_of = [&](std::uint32_t node) -> std::uint32_t& {
        if (tree[node].element == web::Element::unknown) return unknown[tree.name(node)];
        return known[static_cast<std::size_t>(tree[node].element)];
    };
    for (const std::uint32_t child : tree.children(parent)) {
        if (tree[child].is_element()) places_[child].of_type = ++count_of(child);
    }
    for (std::uint32_t child = last; child != 0; child = previous_[child]) {
        places_[child].of_type_from_end = count_of(child) - places_[child].of_type + 1;
    }
}

}  // namespace weft::extract

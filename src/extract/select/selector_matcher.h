#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "extract/select/selector.h"
#include "web/tree/html_tree.h"
#include "web/url/url.h"

namespace weft::extract {

// Finds the elements of pages that match some selectors. All selectors are looked for in one pass;
// each element is compared only with those whose last compound could match its id, its classes or
// its type. A compound is matched from right to left. For one thread; the buffers are reused.
class SelectorMatcher {
public:
    // The work for a page is bounded: after this many steps the rest of the page is not searched.
    // 20 M steps take a tenth of a second or so; a page of 100 KB takes some thousand for a
    // selector.
    static constexpr std::uint64_t kStepCountMax = 20'000'000;

    explicit SelectorMatcher(std::vector<Selector> selectors,
                             std::uint64_t step_count_max = kStepCountMax);

    const std::vector<Selector>& selectors() const { return selectors_; }

    // Searches the subtree of `root`, without `root` itself. The results are in matches().
    void read(const web::HtmlTree& tree, std::uint32_t root = 0) {
        begin(tree);
        search(root);
    }

    // The same for several roots of one tree, which share the steps: begin() once, then search()
    // for each. `step_count_max` replaces that of the constructor.
    void begin(const web::HtmlTree& tree) { begin(tree, step_count_max_); }
    void begin(const web::HtmlTree& tree, std::uint64_t step_count_max);
    void search(std::uint32_t root);

    // The elements that match a selector, in document order. Valid until the next read().
    const std::vector<std::uint32_t>& matches(std::size_t selector) const {
        return matches_[selector];
    }

    // The last page took too many steps, so matches may be missing.
    bool is_cut() const { return step_count_ > step_count_max_; }
    std::uint64_t step_count() const { return step_count_; }

private:
    // A complex selector of the outermost list of a selector.
    struct Rule {
        std::uint32_t selector;
        const ComplexSelector* complex;
    };
    // A place of an element among its siblings, from 1; 0 if it is not known yet.
    struct Places {
        std::uint32_t child = 0, child_from_end = 0;
        std::uint32_t of_type = 0, of_type_from_end = 0;
    };
    struct NameHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view name) const {
            return std::hash<std::string_view>()(name);
        }
    };
    // Rules by a name. `lengths` has a bit for each length of a name, so that most words of a page
    // are not looked up at all.
    struct Key {
        std::unordered_map<std::string, std::vector<Rule>, NameHash, std::equal_to<>> rules;
        std::uint64_t lengths = 0;

        static std::uint64_t length_bit(std::string_view name) {
            return std::uint64_t{1} << (name.size() & 63);
        }
    };

    void add_rule(const Rule& rule);
    static void add_to(Key& key, const std::string& name, const Rule& rule);
    void try_rules(const std::vector<Rule>& rules, std::uint32_t node);
    void try_named(const Key& key, std::string_view name, std::uint32_t node);
    void try_classes(std::uint32_t node);
    bool matches_complex(const Selector& selector, const ComplexSelector& complex,
                         std::uint32_t node);
    bool matches_left(const Selector& selector, const ComplexSelector& complex, std::size_t last,
                      std::uint32_t node);
    bool matches_compound(const Selector& selector, const CompoundSelector& compound,
                          std::uint32_t node);
    bool passes(const Selector& selector, const SelectorTest& test, std::uint32_t node);
    bool passes_attribute(const SelectorTest& test, std::uint32_t node) const;
    bool passes_nth(const SelectorTest& test, std::uint32_t node);
    bool passes_has(const Selector& selector, const SelectorTest& test, std::uint32_t node);
    bool has_relative(const Selector& selector, const ComplexSelector& complex, std::uint32_t node);
    bool contains(const SelectorTest& test, std::uint32_t node);
    bool is_empty(std::uint32_t node) const;
    std::uint32_t previous_element(std::uint32_t node);
    const Places& places(std::uint32_t node);
    void fill_places(std::uint32_t parent);
    void count_types(std::uint32_t parent, std::uint32_t last);
    bool step(std::uint64_t count = 1) { return (step_count_ += count) <= step_count_max_; }

    std::vector<Selector> selectors_;
    std::uint64_t step_count_max_;
    Key by_id_, by_class_, by_name_;
    std::vector<std::vector<Rule>> by_element_;
    std::vector<Rule> others_;

    const web::HtmlTree* tree_ = nullptr;
    std::uint32_t root_ = 0;
    std::vector<std::vector<std::uint32_t>> matches_;
    std::vector<Places> places_;           // Filled for all children of a parent at once.
    std::vector<std::uint32_t> previous_;  // The element before; 0 if none. With places_.
    bool counts_types_ = false;            // A selector has :nth-of-type or the like.
    std::uint64_t step_count_ = 0;
    std::uint32_t scope_ = 0;  // What a relative selector is relative to, while one is matched.
};

// What a selector's part (::text, ::attr(name) …) is of an element. An element without the
// attribute gives nothing: false. URLs in Markdown are resolved against `base`, if that is not
// null.
bool append_part(const web::HtmlTree& tree, std::uint32_t node, const Selector& selector,
                 const web::Url* base, std::string& out);

}  // namespace weft::extract

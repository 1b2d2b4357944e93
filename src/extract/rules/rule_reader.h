#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "extract/extract.h"
#include "extract/rules/rules.h"
#include "extract/select/selector_matcher.h"
#include "web/tree/html_tree.h"
#include "web/url/url.h"

namespace weft::extract {

// What a page may give; the rest is left out.
inline constexpr std::size_t kRowsPerPageMax = 100'000;
// Of all values of a page. An element may be in many rows, and so may its text.
inline constexpr std::size_t kFieldBytesPerPageMax = std::size_t{16} << 20;

// Reads the fields and rows that rules ask for. All selectors of a page, and all of a row, are
// looked for in one pass. A page has SelectorMatcher::kStepCountMax steps in all. For one thread;
// the buffers are reused.
class RuleReader {
public:
    // Null: nothing is asked for.
    explicit RuleReader(std::shared_ptr<const Rules> rules);

    // Sets `out.selected`, `out.rows` and `out.cut.fields`. A page without a URL is matched by all
    // rules. URLs in Markdown are resolved against `base`, if that is not null.
    void read(const web::HtmlTree& tree, std::string_view url, const web::Url* base, Extract& out);

private:
    // The selectors of some fields, in a matcher. `slots` has the index of each field's selector
    // there, or kNone if the field is of the row itself.
    struct FieldSlots {
        const std::vector<FieldRule>* fields = nullptr;
        std::vector<std::uint32_t> slots;
    };
    // A rule with `each` has a matcher for its rows; without, its fields are in the page's matcher.
    struct RuleSlots {
        std::uint32_t each = 0;
        FieldSlots fields;
        std::unique_ptr<SelectorMatcher> matcher;
    };

    static FieldSlots add_fields(const std::vector<FieldRule>& fields,
                                 std::vector<Selector>& selectors);
    void read_rows(const Rule& rule, RuleSlots& slots, Extract& out);
    void add_row(std::vector<SelectedField> row, Extract& out);
    std::vector<SelectedField> read_fields(const FieldSlots& slots, const SelectorMatcher& matcher,
                                           std::uint32_t row);
    void read_values(const FieldRule& rule, const std::vector<std::uint32_t>& nodes,
                     std::vector<std::string>& values);
    bool spend(std::uint64_t step_count);

    std::shared_ptr<const Rules> rules_;
    std::unique_ptr<SelectorMatcher> page_matcher_;
    FieldSlots selected_;
    std::vector<RuleSlots> rule_slots_;

    const web::HtmlTree* tree_ = nullptr;
    const web::Url* base_ = nullptr;
    std::uint64_t steps_left_ = 0;
    std::size_t bytes_left_ = 0;
    bool is_cut_ = false;
};

}  // namespace weft::extract

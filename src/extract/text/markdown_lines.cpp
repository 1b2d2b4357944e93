#include "extract/text/markdown_lines.h"

#include <algorithm>

namespace weft::extract {

void MarkdownLines::write_paragraph(std::string_view text) {
    separate(Block::paragraph);
    write_lines(text);
    before_ = Block::paragraph;
}

void MarkdownLines::write_heading(std::string_view line) {
    separate(Block::heading);
    write_lines(line);
    before_ = Block::heading;
}

void MarkdownLines::write_table(std::string_view rows) {
    separate(Block::table);
    write_lines(rows);
    before_ = Block::table;
}

// A fence is longer than any run of backticks in the code.
void MarkdownLines::write_code(std::string_view code, std::string_view language) {
    std::size_t longest = 0;
    std::size_t run = 0;
    for (const char c : code) {
        run = c == '`' ? run + 1 : 0;
        longest = std::max(longest, run);
    }
    const char sign = language.contains('`') ? '~' : '`';
    const std::string fence(sign == '~' ? 3 : std::max<std::size_t>(3, longest + 1), sign);
    separate(Block::code);
    begin_line();
    ((out_ += fence) += language) += '\n';
    if (code.ends_with('\n')) code.remove_suffix(1);
    if (!code.empty()) write_lines(code);
    begin_line();
    (out_ += fence) += '\n';
    before_ = Block::code;
}

// Hyphens could underline the text before, or continue a list of `-`; so could asterisks one of
// `*`.
void MarkdownLines::write_rule() {
    separate(Block::rule);
    const bool has_stars = std::ranges::any_of(lists_, [](const List& l) { return l.sign == '*'; });
    write_lines(has_stars ? "___" : "***");
    before_ = Block::rule;
}

void MarkdownLines::begin_quote() {
    separate(Block::quote);
    Container quote{.is_quote = true};
    if (containers_.size() < kContainerDepthMax) quote.marker = "> ";
    containers_.push_back(quote);
    before_ = Block::none;
}

void MarkdownLines::end_quote() {
    if (before_ == Block::none && !containers_.back().marker.empty()) write_lines("");
    containers_.pop_back();
    before_ = Block::quote;
}

// Two lists in a row would be one, so the second has another sign.
void MarkdownLines::begin_list(bool is_ordered, std::uint32_t number, bool is_loose) {
    separate(Block::list);
    List list{.is_ordered = is_ordered, .is_loose = is_loose, .number = number};
    const bool repeats = before_ == Block::list && last_list_.is_ordered == is_ordered;
    list.sign = is_ordered ? '.' : '-';
    if (repeats && last_list_.sign == list.sign) list.sign = is_ordered ? ')' : '*';
    list.depth = containers_.size();
    lists_.push_back(list);
    before_ = Block::none;
}

void MarkdownLines::end_list() {
    last_list_ = lists_.back();
    lists_.pop_back();
    before_ = last_list_.item_count > 0 ? Block::list : Block::none;
}

void MarkdownLines::begin_item() {
    if (lists_.empty() || lists_.back().depth != containers_.size()) {
        begin_list(false, 1, false);
        lists_.back().is_lone_item = true;
    }
    List& list = lists_.back();
    if (list.item_count++ > 0 && list.is_loose) blank_line();
    Container item{.is_tight = !list.is_loose};
    if (containers_.size() < kContainerDepthMax) {
        item.marker = list.is_ordered ? std::to_string(list.number++) : std::string();
        (item.marker += list.sign) += ' ';
    }
    containers_.push_back(item);
    before_ = Block::none;
}

void MarkdownLines::end_item() {
    if (!containers_.back().is_marked && !containers_.back().marker.empty()) write_lines("");
    containers_.pop_back();
    before_ = Block::list;
    if (lists_.back().is_lone_item) end_list();
}

void MarkdownLines::separate(Block next) {
    if (before_ == Block::none) return;
    const bool may_touch =
        is_tight() &&
        !(next == Block::paragraph && (before_ == Block::paragraph || before_ == Block::quote ||
                                       before_ == Block::list || before_ == Block::table)) &&
        !(next == Block::list && before_ == Block::list) &&
        !(next == Block::quote && before_ == Block::quote) &&
        !(next == Block::table && before_ != Block::heading);
    if (!may_touch) blank_line();
}

void MarkdownLines::begin_line() {
    for (Container& container : containers_) {
        if (container.is_quote || !container.is_marked) {
            out_ += container.marker;
        } else {
            out_.append(container.marker.size(), ' ');
        }
        container.is_marked = true;
    }
}

// Without spaces at its end.
void MarkdownLines::blank_line() {
    begin_line();
    while (out_.ends_with(' ')) out_.pop_back();
    out_ += '\n';
}

void MarkdownLines::write_lines(std::string_view lines) {
    for (std::size_t begin = 0;;) {
        const std::size_t end = std::min(lines.find('\n', begin), lines.size());
        if (end == begin) {
            blank_line();
        } else {
            begin_line();
            (out_ += lines.substr(begin, end - begin)) += '\n';
        }
        if (end == lines.size()) return;
        begin = end + 1;
    }
}

}  // namespace weft::extract

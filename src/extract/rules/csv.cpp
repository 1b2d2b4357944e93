#include "extract/rules/csv.h"

#include <algorithm>
#include <utility>

#include "base/escape.h"

namespace weft::extract {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
constexpr std::string_view kListSeparator = "; ";

bool is_allowed(char32_t c) {
    return c >= 0x20 ? c != 0x7F : c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

void append_csv_cell(std::string_view text, std::string& out) {
    const bool is_formula = !text.empty() && std::string_view("=+-@\t\r").contains(text.front());
    // Spaces at the ends are part of a field (RFC 4180, 2.4), but some readers drop them.
    const bool is_quoted = text.find_first_of(",\"\r\n") != std::string_view::npos ||
                           text.starts_with(' ') || text.ends_with(' ');
    if (is_quoted) out += '"';
    if (is_formula) out += '\'';
    while (!text.empty()) {
        const Utf8Step step = utf8_step(text);
        const std::size_t length = std::max(step.length, 1U);
        if (step.length == 0 || !is_allowed(step.code_point)) {
            out += kReplacement;
        } else {
            if (text.front() == '"') out += '"';
            out += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    if (is_quoted) out += '"';
}

void append_csv_line(const std::vector<std::string>& cells, std::string& out) {
    bool is_first = true;
    for (const std::string& cell : cells) {
        if (!is_first) out += ',';
        is_first = false;
        append_csv_cell(cell, out);
    }
    out += "\r\n";
}

CsvTable::CsvTable(std::vector<std::string> fixed, const std::vector<std::string>& columns)
    : names_(std::move(fixed)) {
    for (const std::string& column : columns) {
        if (places_.emplace(column, names_.size()).second) names_.push_back(column);
    }
}

void CsvTable::append_row(std::vector<std::string> fixed, const std::vector<SelectedField>& row,
                          std::string& out) const {
    std::vector<std::string> cells = std::move(fixed);
    cells.resize(names_.size());
    for (const SelectedField& field : row) {
        const auto place = places_.find(field.name);
        if (place == places_.end()) continue;
        std::string& cell = cells[place->second];
        for (const std::string& value : field.values) {
            if (!cell.empty()) cell += kListSeparator;
            cell += value;
        }
    }
    append_csv_line(cells, out);
}

}  // namespace weft::extract

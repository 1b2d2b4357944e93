#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/hash.h"
#include "extract/extract.h"

namespace weft::extract {

// Appends a cell of a table as comma-separated values (RFC 4180), in quotes where it needs them. If
// it begins like a formula (= + - @, a tab or a carriage return), an apostrophe is put in front, so
// that no spreadsheet evaluates it. Bytes that are not UTF-8 and control characters other than tabs
// and line ends become U+FFFD.
void append_csv_cell(std::string_view text, std::string& out);

// Appends cells and the line end.
void append_csv_line(const std::vector<std::string>& cells, std::string& out);

// Writes rows of fields below a line of column names. A list of values is one cell, separated by
// "; ". For one thread.
class CsvTable {
public:
    // `fixed` are the first columns; the cells of these are given with each row.
    CsvTable(std::vector<std::string> fixed, const std::vector<std::string>& columns);

    void append_names(std::string& out) const { append_csv_line(names_, out); }
    // REQUIRES: there are as many cells as fixed columns, and each field is a column.
    void append_row(std::vector<std::string> fixed, const std::vector<SelectedField>& row,
                    std::string& out) const;

private:
    std::vector<std::string> names_;
    std::unordered_map<std::string, std::size_t, SecretHash, std::equal_to<>> places_;
};

}  // namespace weft::extract

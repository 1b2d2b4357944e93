#include "extract/rules/row_line.h"

#include "base/escape.h"
#include "extract/rules/rules.h"

namespace weft::extract {
namespace {

void append_quoted(std::string_view text, std::string& out) {
    out += '"';
    append_for_json(out, text);
    out += '"';
}

void append_value(const SelectedField& field, std::string& out) {
    if (!field.is_list) return append_quoted(field.values.front(), out);
    char before = '[';
    for (const std::string& value : field.values) {
        out += before;
        before = ',';
        append_quoted(value, out);
    }
    out += ']';
}

void append_members(const std::vector<SelectedField>& fields, bool is_first, std::string& out) {
    for (const SelectedField& field : fields) {
        if (field.values.empty()) continue;
        if (!is_first) out += ',';
        is_first = false;
        append_quoted(field.name, out);
        out += ':';
        append_value(field, out);
    }
}

}  // namespace

void append_row_line(std::string_view page_url, const std::vector<SelectedField>& row,
                     std::string& out) {
    out += '{';
    if (!page_url.empty()) {
        append_quoted(kPageUrlName, out);
        out += ':';
        append_quoted(page_url, out);
    }
    append_members(row, page_url.empty(), out);
    out += "}\n";
}

void append_fields_line(const std::vector<SelectedField>& fields, std::string& out) {
    append_row_line({}, fields, out);
}

}  // namespace weft::extract

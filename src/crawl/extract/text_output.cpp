#include "crawl/extract/text_output.h"

#include "extract/line/text_line.h"
#include "extract/rules/row_line.h"

namespace weft::crawl {
namespace {

using extract::CsvTable;
using extract::Extract;

CsvTable text_table(extract::TextForm form, const extract::Rules* rules) {
    std::vector<std::string> fixed = {"url",       "ts",   "title",         "byline", "published",
                                      "modified",  "lang", "lang_detected", "site",   "description",
                                      "canonical", "kind", "words"};
    std::vector<std::string> columns;
    if (rules) {
        for (const extract::FieldRule& field : rules->selected) columns.push_back(field.name);
    }
    fixed.emplace_back(form == extract::TextForm::markdown ? "markdown" : "text");
    return CsvTable(std::move(fixed), columns);
}

std::vector<std::string> cells_of(const ArchivedPage& page, const Extract& extract) {
    const extract::Metadata& fields = extract.fields;
    return {page.url,
            to_iso8601(page.date, 3),
            fields.title,
            fields.byline,
            fields.published,
            fields.modified,
            fields.lang,
            extract.lang_detected,
            fields.site,
            fields.description,
            fields.canonical,
            extract.kind == extract::PageKind::article ? "article" : "list",
            std::to_string(extract.word_count),
            extract.text};
}

}  // namespace

void TextLines::make(const ArchivedPage& page, const Extract& extract, PageWorker&,
                     std::string& out) const {
    extract::append_text_line({.url = page.url, .date = page.date, .form = form_, .page = extract},
                              out);
}

TextTable::TextTable(std::unique_ptr<ByteSink> into, extract::TextForm form,
                     const extract::Rules* rules)
    : StreamOutput(std::move(into)), table_(text_table(form, rules)) {}

void TextTable::begin(Random&) {
    std::string names;
    table_.append_names(names);
    sink().write(names);
}

void TextTable::make(const ArchivedPage& page, const Extract& extract, PageWorker&,
                     std::string& out) const {
    table_.append_row(cells_of(page, extract), extract.selected, out);
}

void RowLines::make(const ArchivedPage& page, const Extract& extract, PageWorker&,
                    std::string& out) const {
    for (const auto& row : extract.rows) extract::append_row_line(page.url, row, out);
}

RowTable::RowTable(std::unique_ptr<ByteSink> into, const extract::Rules& rules)
    : StreamOutput(std::move(into)),
      table_({std::string(extract::kPageUrlName)}, rules.columns()) {}

void RowTable::begin(Random&) {
    std::string names;
    table_.append_names(names);
    sink().write(names);
}

void RowTable::make(const ArchivedPage& page, const Extract& extract, PageWorker&,
                    std::string& out) const {
    for (const auto& row : extract.rows) table_.append_row({page.url}, row, out);
}

}  // namespace weft::crawl

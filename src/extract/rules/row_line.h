#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "extract/extract.h"

namespace weft::extract {

// Appends a JSON object and a line feed: `{"page_url":"…","name":"…","tags":["…"]}`. The URL may be
// empty. Fields without a value are left out.
void append_row_line(std::string_view page_url, const std::vector<SelectedField>& row,
                     std::string& out);

// The same without the URL: what `selected` has of a page.
void append_fields_line(const std::vector<SelectedField>& fields, std::string& out);

}  // namespace weft::extract

#pragma once

#include <string>
#include <string_view>

#include "base/clock.h"
#include "extract/extract.h"
#include "extract/extractor.h"

namespace weft::extract {

// A page's line in text.jsonl: one JSON object with what was extracted. docs/reference/text.md
// describes the members.
struct TextLine {
    std::string_view url;
    WallTime date;  // When the page was fetched.
    TextForm form;  // Names the member with the text: "text" or "markdown".
    const Extract& page;
    std::string_view near_duplicate_of = {};  // The URL of an earlier page with nearly this text.
};

// Appends the line with its line feed. Members that are empty are left out. Bounds: kTextBytesMax,
// kLineLinksMax and those of the fields, which Extractor keeps.
void append_text_line(const TextLine& line, std::string& out);

}  // namespace weft::extract

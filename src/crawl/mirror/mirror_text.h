#pragma once

#include <string>
#include <string_view>

namespace weft::crawl {

// The text of an answer's content as UTF-8 with a byte order mark, which a browser believes before
// all else. A file has no Content-Type header: without the mark a browser would read the bytes in
// another encoding than the server named, and what is text in one can be a tag in the other (H102).
//
// `header` is the answer's Content-Type; `around` is the charset of the page that asked for a style
// sheet or a script, or empty.
std::string page_text(std::string_view content, std::string_view header);
std::string sheet_text(std::string_view content, std::string_view header, std::string_view around);

// Of scripts and plain text. As it is if it is UTF-8, or nothing outside of it says its encoding.
std::string other_text(std::string content, std::string_view header, std::string_view around);

// Of XML, which may name another encoding than the header did. As it is if the header names none.
std::string xml_text(std::string content, std::string_view header);

}  // namespace weft::crawl

#pragma once

#include <string>
#include <string_view>

namespace weft::crawl {

// Convert the content of a response to UTF-8 with a byte order mark, which a browser trusts before
// anything else. A file has no Content-Type header: without the mark a browser might read the bytes
// in another encoding than the server named, and what is text in one can be a tag in the other
// (H102).
//
// `header` is the response's Content-Type. `around` is the charset of the page that uses a style
// sheet or script, or empty.
std::string page_text(std::string_view content, std::string_view header);
std::string sheet_text(std::string_view content, std::string_view header, std::string_view around);

// For scripts and plain text. The content is not changed if it is UTF-8, or if neither the header
// nor the page around it names an encoding.
std::string other_text(std::string content, std::string_view header, std::string_view around);

// For XML, whose own declaration may name another encoding than the header. The content is not
// changed if neither the header nor a byte order mark names one.
std::string xml_text(std::string content, std::string_view header);

}  // namespace weft::crawl

#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "web/charset/encoding.h"

// The encoding that an HTML document declares, read from its bytes before they can be decoded: the
// HTML standard's prescan (section 13.2.3.2) and related steps.
namespace weft::web::detail {

// How many bytes the prescan looks at, as the standard advises. A tag that starts later is ignored.
inline constexpr std::size_t kPrescanBytes = 1024;

struct Declared {
    std::optional<Encoding> encoding;

    // More bytes would give the same encoding.
    bool is_final = false;
};

// The standard's "prescan a byte stream to determine its encoding", without its last step, the XML
// declaration. It does not know elements: a meta tag in a script counts, too.
Declared prescan(std::string_view bytes);

// The standard's "get an XML encoding": from an XML declaration at the very start.
std::optional<Encoding> xml_encoding(std::string_view bytes);

// The encoding from the first meta element in the head after the part that the prescan reads.
// Browsers use it by loading the page again; a caller that still has the bytes can do the same. It
// knows just enough HTML to find the end of the head, scripts and templates.
Declared late_meta(std::string_view bytes);

}  // namespace weft::web::detail

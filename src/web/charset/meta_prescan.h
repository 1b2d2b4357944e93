#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "web/charset/encoding.h"

// What an HTML document says of its own encoding, read from its bytes before they can be decoded:
// the HTML standard's prescan and what goes with it.
namespace weft::web::detail {

// How far the prescan goes, by the standard's advice: a tag that starts later is not looked at.
inline constexpr std::size_t kPrescanBytes = 1024;

struct Declared {
    std::optional<Encoding> encoding;

    // The bytes sufficed: more of them would give the same encoding.
    bool is_final = false;
};

// The standard's "prescan a byte stream to determine its encoding", without its last resort, the
// XML declaration. Knows no elements: a meta tag in a script counts, too.
Declared prescan(std::string_view bytes);

// The standard's "get an XML encoding": that of an XML declaration at the very start.
std::optional<Encoding> xml_encoding(std::string_view bytes);

// The encoding of the first meta element of the head that the prescan does not reach. Browsers
// honour it by starting the page anew; so can who still has the bytes. Knows just enough of HTML to
// tell where the head ends, and what lies in a script or a template.
Declared late_meta(std::string_view bytes);

}  // namespace weft::web::detail

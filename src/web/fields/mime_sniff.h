#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "web/fields/mime.h"

// What a body is, whatever its label says: the MIME Sniffing standard, section 7.
namespace weft::web {

// As many first bytes of a body as the standard ever looks at.
inline constexpr std::size_t kSniffBytesMax = 1445;

struct SniffInput {
    // The response's Content-Type fields, in order; may be empty.
    std::span<const std::string_view> content_types;

    // The server forbids guessing (is_nosniff()).
    bool nosniff = false;

    // The beginning of the decoded body; more than kSniffBytesMax bytes are no use.
    std::string_view head;
};

// The type to treat the body as. HTML and XML are believed when they are named; a missing type is
// guessed; "text/plain" as old servers send it for everything may turn out to be binary.
MimeType sniff_mime_type(const SniffInput& input);

}  // namespace weft::web

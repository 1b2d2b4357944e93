#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "web/fields/mime.h"

// The MIME type of a body from its first bytes and its Content-Type: the MIME Sniffing standard,
// section 7.
namespace weft::web {

// The number of first bytes of a body that the standard looks at.
inline constexpr std::size_t kSniffBytesMax = 1445;

struct SniffInput {
    // The response's Content-Type fields, in order; may be empty.
    std::span<const std::string_view> content_types;

    // The server forbids guessing (is_nosniff()).
    bool nosniff = false;

    // The beginning of the decoded body. Bytes after kSniffBytesMax are ignored.
    std::string_view head;
};

// The type to use for the body. A Content-Type of HTML or XML is believed, and a missing type is
// guessed. The "text/plain" that old servers send for everything may become a binary type.
MimeType sniff_mime_type(const SniffInput& input);

}  // namespace weft::web

#pragma once

#include <string>

#include "archive/warc/warc_writer.h"
#include "http/message/message.h"
#include "web/url/url.h"

namespace weft::crawl {

// The bytes of one exchange as they went over the wire.
struct WireBytes {
    std::string request;
    std::string response;
};

// What happens to request fields that may carry credentials (http/access/open_field.h).
enum class Credentials {
    removed,  // "[removed]" replaces their values, and the record names the fields.
    kept,     // They are archived as sent.
};

// Makes the exchange ready for the archive. `wire` is moved into it.
archive::Capture make_capture(const web::Url& url, WallTime date, const http::Response& response,
                              WireBytes wire, Credentials credentials);

}  // namespace weft::crawl

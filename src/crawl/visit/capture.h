#pragma once

#include <string>

#include "archive/warc/warc_writer.h"
#include "http/message/message.h"
#include "web/url/url.h"

namespace weft::crawl {

// What went over the wire for one answer.
struct WireBytes {
    std::string request;
    std::string response;
};

// What becomes of fields of the request that may let in somewhere (http/access/open_field.h).
enum class Credentials {
    removed,  // "[removed]" stands in place of their values, and the record says which they were.
    kept,
};

// An exchange as an archive wants it.
archive::Capture make_capture(const web::Url& url, WallTime date, const http::Response& response,
                              WireBytes wire, Credentials credentials);

}  // namespace weft::crawl

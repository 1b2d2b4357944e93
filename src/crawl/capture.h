#pragma once

#include <string>

#include "archive/warc_writer.h"
#include "http/message.h"
#include "web/url.h"

namespace weft::crawl {

// What went over the wire for one answer.
struct WireBytes {
    std::string request;
    std::string response;
};

// An exchange as an archive wants it.
archive::Capture make_capture(const web::Url& url, WallTime date, const http::Response& response,
                              WireBytes wire);

}  // namespace weft::crawl

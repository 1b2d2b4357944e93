#include "crawl/capture.h"

#include <fmt/format.h>

namespace weft::crawl {

archive::Capture make_capture(const web::Url& url, WallTime date, const http::Response& response,
                              WireBytes wire) {
    archive::Capture capture;
    capture.target_uri = url.href();
    capture.date = date;
    capture.ip_address = response.peer.address.to_string();
    capture.protocols = {response.protocol};
    if (response.tls_protocol.starts_with("TLSv")) {
        capture.protocols.push_back(fmt::format("tls/{}", response.tls_protocol.substr(4)));
    }
    capture.cipher_suite = response.tls_cipher;
    capture.request = std::move(wire.request);
    capture.response = std::move(wire.response);
    capture.response_begin = response.wire_head_begin;
    capture.response_body = response.wire_head_end;
    if (response.cut == http::Cut::length) capture.truncated = archive::Truncated::length;
    return capture;
}

}  // namespace weft::crawl

#include "crawl/visit/capture.h"

#include <algorithm>

#include <fmt/format.h>

#include "http/access/open_field.h"

namespace weft::crawl {

namespace {

// Replaces the values of fields that may carry credentials, and returns the names of these fields,
// separated by commas. Most requests have none; then nothing is copied.
std::string remove_credentials(std::string& request) {
    std::string names;
    std::size_t begin = std::min(request.find('\n'), request.size() - 1) + 1;
    while (begin < request.size()) {
        const std::size_t end = std::min(request.find('\n', begin), request.size());
        const std::string_view line = std::string_view(request).substr(begin, end - begin);
        if (line.size() <= 1) break;  // The empty line ends the head.
        const std::size_t colon = line.find(':');
        const std::string name(line.substr(0, colon));
        if (colon == std::string_view::npos || http::is_open_field(name)) {
            begin = end + 1;
            continue;
        }
        const std::string value = fmt::format("{}: {}\r", name, http::kRemoved);
        request.replace(begin, end - begin, value);
        begin += value.size() + 1;
        names += (names.empty() ? "" : ", ") + name;
    }
    return names;
}

}  // namespace

archive::Capture make_capture(const web::Url& url, WallTime date, const http::Response& response,
                              WireBytes wire, Credentials credentials) {
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
    if (credentials == Credentials::removed && !capture.request.empty()) {
        capture.removed_fields = remove_credentials(capture.request);
    }
    capture.response = std::move(wire.response);
    capture.response_begin = response.wire_head_begin;
    capture.response_body = response.wire_head_end;
    if (response.cut == http::Cut::length) capture.truncated = archive::Truncated::length;
    return capture;
}

}  // namespace weft::crawl

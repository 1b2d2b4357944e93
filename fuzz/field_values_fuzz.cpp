// Values of fields and attributes that have a small grammar of their own: read or refused, in
// linear time.
#include <array>
#include <string_view>

#include "fuzz/cuts.h"
#include "http/connect/proxy.h"
#include "http/server/byte_range.h"
#include "web/fields/link_header.h"
#include "web/html/meta_refresh.h"
#include "web/html/srcset.h"
#include "web/robots/x_robots_tag.h"
#include "web/url/data_url.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    const fuzz::Piece piece({reinterpret_cast<const char*>(data), size});
    const std::string_view value = piece.view();

    for (const web::HeaderLink& link : web::parse_link_header(value)) {
        fuzz::require(link.target.size() <= size);
    }
    const std::array<std::string_view, 2> fields{value.substr(0, size / 2), value.substr(size / 2)};
    static_cast<void>(web::parse_x_robots_tag(fields, "weft"));
    static_cast<void>(web::parse_meta_refresh(value).has_value());
    static_cast<void>(web::DataUrl::parse(value).has_value());
    web::SrcsetReader images(value);
    while (const auto image = images.next()) fuzz::require(!image->url.empty());
    static_cast<void>(http::ByteRange::parse(value));
    if (const auto range = http::ContentRange::parse(value)) static_cast<void>(range->length());
    if (const auto proxy = http::Proxy::parse(value)) {
        fuzz::require(http::Proxy::parse(proxy->to_string()).has_value());
    }
    static_cast<void>(http::goes_directly(fields[0], fields[1]));
    return 0;
}

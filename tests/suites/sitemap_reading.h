#pragma once

#include <expected>
#include <string>

#include <gtest/gtest.h>
#include <zlib.h>

#include "conformance.h"
#include "web/robots/sitemap.h"

namespace weft::suites {

// What the fetcher does before a sitemap is parsed.
inline std::string without_gzip(const std::string& bytes) {
    if (!bytes.starts_with("\x1F\x8B")) return bytes;
    std::string out(1 << 20, '\0');
    z_stream stream{};
    inflateInit2(&stream, 16 + MAX_WBITS);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
    stream.avail_in = static_cast<uInt>(bytes.size());
    stream.next_out = reinterpret_cast<Bytef*>(out.data());
    stream.avail_out = static_cast<uInt>(out.size());
    inflate(&stream, Z_FINISH);
    out.resize(stream.total_out);
    inflateEnd(&stream);
    return out;
}

// The sitemap fed whole and byte by byte; both must be the same.
inline std::expected<web::Sitemap, web::SitemapError> parse(const std::string& body,
                                                            const web::SitemapOptions& options) {
    const std::string bytes = without_gzip(body);
    auto whole = web::parse_sitemap(bytes, options);
    web::Sitemap pieces;
    web::SitemapParser parser(
        options, [&](web::SitemapEntry entry) { pieces.entries.push_back(std::move(entry)); });
    for (const char& c : bytes) parser.feed({&c, 1});
    const auto summary = parser.finish();
    EXPECT_EQ(summary.has_value(), whole.has_value());
    if (summary) EXPECT_EQ(pieces.entries.size(), whole->entries.size());
    return whole;
}

inline Json lastmod_of(const web::SitemapEntry& entry) {
    return entry.modified ? Json(entry.modified->time_since_epoch().count()) : Json();
}

}  // namespace weft::suites

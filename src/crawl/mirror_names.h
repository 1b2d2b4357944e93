#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "web/url.h"

namespace weft::crawl {

// Which file of a mirror holds which URL (H94).
//
// A path is "host/folder/name.html": like the URL where that is harmless, and harmless everywhere.
// It is made of ASCII letters, digits and a few marks, the rest as %XX; no part is empty, "." or
// "..", begins with a dot, ends in one, is longer than 120 bytes, or is a name that some system
// keeps for itself (CON, NUL). No two paths differ in case alone, and no file's path is a folder of
// another. The server's own words (Content-Disposition) count for nothing.
class MirrorNames {
public:
    // Chooses the path of a URL, once. `content_type` without parameters: pages end in .html and
    // styles in .css, whatever their URL ends in.
    const std::string& add(const web::Url& url, std::string_view content_type);

    // The URL leads to another.
    void add_redirect(const web::Url& from, const web::Url& to);

    // The path of a URL, fragments aside, or of where it leads; nothing if it is not in the mirror.
    std::optional<std::string_view> find(const web::Url& url) const;

    std::size_t size() const { return paths_.size(); }

private:
    bool is_free(const std::string& path) const;
    void take(const std::string& path);

    std::unordered_map<std::uint64_t, std::string> paths_;  // By hash of the URL.
    std::unordered_map<std::uint64_t, std::uint64_t> redirects_;
    std::unordered_set<std::uint64_t> files_;    // By hash of the path in lower case,
    std::unordered_set<std::uint64_t> folders_;  // likewise.
};

// The path that a URL has if no other stands in its way.
std::string mirror_path(const web::Url& url, std::string_view content_type);

// What leads from one file of the mirror to another, as a URL.
std::string relative_reference(std::string_view from, std::string_view to);

}  // namespace weft::crawl

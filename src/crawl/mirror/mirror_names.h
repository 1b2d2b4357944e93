#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "web/url/url.h"

namespace weft::crawl {

// Which file of a mirror holds which URL (H94).
//
// A path is "host/folder/name.html": like the URL where that is harmless, and harmless everywhere.
// It is made of ASCII letters, digits and a few marks, the rest as %XX; no part is empty, "." or
// "..", begins with a dot, ends in one, is longer than 130 bytes, or is a name that some system
// keeps for itself (CON, NUL). No two paths differ in case alone, and no file's path is a folder of
// another. The server's own words (Content-Disposition) count for nothing.
//
// A browser takes a file for what its ending says. So the ending is one of the type that the server
// gave, or one that no browser runs: a text of the URL /a.html is not a page in the mirror either
// (H102).
class MirrorNames {
public:
    // `seed` is chance: the site chooses the URLs, and must not know which of them meet in a table.
    explicit MirrorNames(std::uint64_t seed) : seed_(seed) {}

    // Chooses the path of a URL, once. `content_type` without parameters.
    const std::string& add(const web::Url& url, std::string_view content_type);

    // The URL leads to another.
    void add_redirect(const web::Url& from, const web::Url& to);

    // The path of a URL, fragments aside, or of where it leads; nothing if it is not in the mirror.
    std::optional<std::string_view> find(const web::Url& url) const;

    std::size_t size() const { return paths_.size(); }

private:
    std::uint64_t url_key(const web::Url& url) const;
    std::uint64_t path_key(std::string_view path) const;
    bool is_free(const std::string& path) const;
    void take(const std::string& path);

    std::uint64_t seed_;
    std::uint64_t spare_count_ = 0;                         // Numbers that were tried for names.
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

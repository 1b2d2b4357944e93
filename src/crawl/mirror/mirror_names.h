#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "web/url/url.h"

namespace weft::crawl {

// Chooses the file names of a mirror: which file holds which URL (H94).
//
// A path is "host/folder/name.html". It is like the URL where that is safe, and it is safe on every
// system. It consists of ASCII letters, digits and a few marks; every other byte is written as %XX.
// No part of it is empty, "." or "..", begins or ends with a dot, is longer than 130 bytes, or is a
// name that some system reserves (CON, NUL). No two paths differ in case alone, and no file's path
// is the folder of another. The server's own name (Content-Disposition) is ignored.
//
// A browser decides by a file's extension what it is. So the extension is one of the type that the
// server sent, or one in which no browser runs anything: a plain text with the URL /a.html does not
// become a page in the mirror (H102).
//
// Used on one thread.
class MirrorNames {
public:
    // `seed` is random: the site chooses the URLs, and must not be able to compute which of them
    // collide in the hash tables.
    explicit MirrorNames(std::uint64_t seed) : seed_(seed) {}

    // Chooses the path of a URL, or returns the one chosen before. `content_type` is without
    // parameters. The reference is valid as long as this object.
    const std::string& add(const web::Url& url, std::string_view content_type);

    // Notes that a URL redirects to another.
    void add_redirect(const web::Url& from, const web::Url& to);

    // The path of a URL without its fragment, or of the URL that it redirects to. Empty if that is
    // not in the mirror.
    std::optional<std::string_view> find(const web::Url& url) const;

    std::size_t size() const { return paths_.size(); }

private:
    std::uint64_t url_key(const web::Url& url) const;
    std::uint64_t path_key(std::string_view path) const;
    bool is_free(const std::string& path) const;
    void take(const std::string& path);

    std::uint64_t seed_;
    std::uint64_t spare_count_ = 0;                         // Numbers that were tried as names.
    std::unordered_map<std::uint64_t, std::string> paths_;  // By hash of the URL.
    std::unordered_map<std::uint64_t, std::uint64_t> redirects_;  // Hashes of URLs.
    std::unordered_set<std::uint64_t> files_;    // Hashes of the paths in lower case.
    std::unordered_set<std::uint64_t> folders_;  // The same of their folders.
};

// The path that a URL gets if it is not taken by another URL.
std::string mirror_path(const web::Url& url, std::string_view content_type);

// The relative URL from one file of the mirror to another.
std::string relative_reference(std::string_view from, std::string_view to);

}  // namespace weft::crawl

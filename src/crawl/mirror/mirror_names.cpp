#include "crawl/mirror/mirror_names.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/hash.h"

namespace weft::crawl {

namespace {

constexpr std::size_t kNameBytesMax = 120;
constexpr std::size_t kPathBytesMax = 700;
constexpr std::size_t kPathDepthMax = 40;
constexpr int kRedirectCountMax = 20;
constexpr std::string_view kMarks = "-_.~+,=@";

// Names that Windows reserves for devices, in lower case.
constexpr std::array<std::string_view, 22> kReservedNames = {
    "con",  "prn",  "aux",  "nul",  "com1", "com2", "com3", "com4", "com5", "com6", "com7",
    "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"};

struct TypeEnding {
    std::string_view type;
    std::string_view ending;
    bool is_needed;  // The file must have this extension: browsers go by it.
};
constexpr TypeEnding kEndings[] = {
    {"text/html", ".html", true},       {"application/xhtml+xml", ".xhtml", true},
    {"text/css", ".css", true},         {"image/svg+xml", ".svg", true},
    {"text/javascript", ".js", false},  {"application/javascript", ".js", false},
    {"image/png", ".png", false},       {"image/jpeg", ".jpg", false},
    {"image/gif", ".gif", false},       {"image/webp", ".webp", false},
    {"application/pdf", ".pdf", false}, {"application/json", ".json", false},
    {"application/xml", ".xml", true},  {"text/xml", ".xml", true},
    {"text/plain", ".txt", false},      {"text/markdown", ".md", true},
};

// Extensions that are safe to open: browsers show these files, save them, or use them for a page,
// but run nothing in them. Any other extension may mean something to some browser or system: .shtml
// and .mht are pages, .rss and .xsl are XML, which may contain scripts. Sorted.
constexpr std::string_view kHarmlessEndings[] = {
    "7z",   "asc",  "avif",  "bib",  "bin",  "bmp",   "bz2",  "c",    "cc",   "cfg",    "conf",
    "cpp",  "css",  "csv",   "dat",  "deb",  "diff",  "djvu", "doc",  "docx", "dsc",    "eot",
    "epub", "flac", "gif",   "go",   "gpg",  "gz",    "h",    "hpp",  "ico",  "ini",    "iso",
    "java", "jpeg", "jpg",   "js",   "json", "log",   "lua",  "m4a",  "m4v",  "map",    "md",
    "md5",  "mjs",  "mkv",   "mov",  "mp3",  "mp4",   "odp",  "ods",  "odt",  "oga",    "ogg",
    "ogv",  "otf",  "patch", "pdf",  "pl",   "png",   "po",   "pot",  "ppt",  "pptx",   "ps",
    "py",   "rar",  "rb",    "rpm",  "rs",   "rst",   "rtf",  "sh",   "sha1", "sha256", "sha512",
    "sig",  "sql",  "tar",   "tex",  "tgz",  "tif",   "tiff", "toml", "tsv",  "ttf",    "txt",
    "wasm", "wav",  "webm",  "webp", "woff", "woff2", "xls",  "xlsx", "xz",   "yaml",   "yml",
    "zip",  "zst"};
static_assert(std::ranges::is_sorted(kHarmlessEndings));

std::string hash_of(std::string_view text) {
    return fmt::format("{:016x}", hash64(text));
}

// Cuts a long name and appends a hash of the whole, so that two long names stay different.
std::string bounded(std::string name, std::string_view whole) {
    if (name.size() <= kNameBytesMax) return name;
    return name.substr(0, kNameBytesMax - 17) + "~" + hash_of(whole);
}

// Escapes every byte that is not safe in a file name. Escapes of the URL stay as they are.
std::string harmless(std::string_view raw) {
    std::string name;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        const char c = raw[i];
        const bool is_escape =
            c == '%' && i + 2 < raw.size() && is_hex_digit(raw[i + 1]) && is_hex_digit(raw[i + 2]);
        if (is_alnum(c) || kMarks.contains(c) || is_escape) {
            name += c;
        } else {
            name += fmt::format("%{:02X}", static_cast<unsigned char>(c));
        }
    }
    return name;
}

// A file or folder name that every system accepts: see MirrorNames.
std::string safe_name(std::string_view raw) {
    std::string name = bounded(harmless(raw), raw);
    const std::string base = to_lower(name.substr(0, name.find('.')));
    const bool is_reserved = std::ranges::find(kReservedNames, base) != kReservedNames.end();
    if (name.empty() || name.starts_with('.') || is_reserved) name.insert(0, "_");
    if (name.ends_with('.')) name += '_';
    return name;
}

// The extension of a type. An unknown type gets one in which nothing runs.
TypeEnding type_ending(std::string_view content_type) {
    const auto* known = std::ranges::find(kEndings, content_type, &TypeEnding::type);
    if (known != std::end(kEndings)) return *known;
    if (content_type.ends_with("+xml")) return {content_type, ".xml", true};
    if (content_type.starts_with("text/")) return {content_type, ".txt", false};
    return {content_type, ".bin", false};
}

// The extension to append to a name; empty if the name has a suitable one already.
std::string_view ending_for(std::string_view name, std::string_view content_type) {
    const TypeEnding known = type_ending(content_type);
    const std::string lower = to_lower(name);
    if (lower.ends_with(known.ending)) return "";
    if (known.ending == ".html" && lower.ends_with(".htm")) return "";
    if (known.is_needed) return known.ending;
    const std::size_t dot = lower.rfind('.');
    const bool is_harmless =
        dot != std::string::npos &&
        std::ranges::binary_search(kHarmlessEndings, std::string_view(lower).substr(dot + 1));
    return is_harmless ? "" : known.ending;
}

// Puts the hash of the URL before the extension.
std::string made_unique(std::string_view path, std::string_view hash) {
    const std::size_t name = path.rfind('/') + 1;
    std::size_t dot = path.rfind('.');
    if (dot == std::string_view::npos || dot <= name) dot = path.size();
    const std::size_t cut = std::min(dot, name + kNameBytesMax - 30);
    return fmt::format("{}~{}{}", path.substr(0, cut), hash, path.substr(dot).substr(0, 12));
}

std::string folder_of_host(const web::Url& url) {
    std::string host(url.host());
    std::ranges::replace(host, ':', '_');
    return safe_name(host);
}

// A path without folders, for URLs whose own path is too long, too deep or taken.
std::string fallback_path(const web::Url& url, std::string_view content_type,
                          std::string_view mark) {
    const std::string name = fmt::format("~{}", mark);
    return fmt::format("{}/{}{}", folder_of_host(url), name, ending_for(name, content_type));
}

}  // namespace

std::string mirror_path(const web::Url& url, std::string_view content_type) {
    std::string path = folder_of_host(url);
    std::string_view rest = url.pathname();
    std::size_t depth = 0;
    while (rest.starts_with('/')) {
        rest.remove_prefix(1);
        const std::size_t slash = rest.find('/');
        std::string_view raw = rest.substr(0, slash);
        const bool is_last = slash == std::string_view::npos;
        rest.remove_prefix(is_last ? rest.size() : slash);
        if (!is_last) {
            path += "/" + safe_name(raw);
            ++depth;
            continue;
        }
        std::string name = raw.empty() ? "index" : std::string(raw);
        if (!url.search().empty()) name += "@" + std::string(url.search().substr(1));
        name = safe_name(name);
        path += "/" + name + std::string(ending_for(name, content_type));
    }
    if (path.size() > kPathBytesMax || depth > kPathDepthMax) {
        return fallback_path(url, content_type, hash_of(url.href()));
    }
    return path;
}

std::uint64_t MirrorNames::url_key(const web::Url& url) const {
    const std::string_view href = url.href();
    return hash64(href.substr(0, href.find('#')), seed_);
}

std::uint64_t MirrorNames::path_key(std::string_view path) const {
    return hash64(to_lower(path), seed_);
}

bool MirrorNames::is_free(const std::string& path) const {
    if (files_.contains(path_key(path)) || folders_.contains(path_key(path))) return false;
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
        if (files_.contains(path_key(path.substr(0, slash)))) return false;
    }
    return true;
}

void MirrorNames::take(const std::string& path) {
    files_.insert(path_key(path));
    for (std::size_t slash = path.find('/'); slash != std::string::npos;
         slash = path.find('/', slash + 1)) {
        folders_.insert(path_key(path.substr(0, slash)));
    }
}

const std::string& MirrorNames::add(const web::Url& url, std::string_view content_type) {
    const auto [place, is_new] = paths_.try_emplace(url_key(url));
    if (!is_new) return place->second;
    std::string path = mirror_path(url, content_type);
    const std::string hash = hash_of(url.href());
    if (!is_free(path)) path = made_unique(path, hash);
    if (!is_free(path)) path = fallback_path(url, content_type, hash);
    // A site can occupy both names, because it can compute the hash. It cannot occupy every number.
    // Each number is tried once, so all URLs together try no more numbers than there are names.
    while (!is_free(path)) path = fallback_path(url, content_type, std::to_string(spare_count_++));
    take(path);
    place->second = std::move(path);
    return place->second;
}

void MirrorNames::add_redirect(const web::Url& from, const web::Url& to) {
    redirects_.emplace(url_key(from), url_key(to));
}

std::optional<std::string_view> MirrorNames::find(const web::Url& url) const {
    std::uint64_t key = url_key(url);
    for (int i = 0; i <= kRedirectCountMax; ++i) {
        const auto path = paths_.find(key);
        if (path != paths_.end()) return path->second;
        const auto redirect = redirects_.find(key);
        if (redirect == redirects_.end()) return std::nullopt;
        key = redirect->second;
    }
    return std::nullopt;
}

std::string relative_reference(std::string_view from, std::string_view to) {
    std::size_t common = 0;  // The length of the path of the last common folder.
    for (std::size_t i = 0; i < std::min(from.size(), to.size()) && from[i] == to[i]; ++i) {
        if (from[i] == '/') common = i + 1;
    }
    std::string reference;
    for (const char c : from.substr(common)) {
        if (c == '/') reference += "../";
    }
    for (const char c : to.substr(common)) {
        if (c == '%') {  // File names contain %XX as text; in a URL the '%' itself is escaped.
            reference += "%25";
        } else {
            reference += c;
        }
    }
    return reference;
}

}  // namespace weft::crawl

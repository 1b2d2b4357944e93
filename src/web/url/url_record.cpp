#include "web/url/url_record.h"

#include <charconv>
#include <limits>

#include "base/assert.h"

namespace weft::web::detail {
namespace {

// The parser refuses texts over kUrlBytesCeiling, so this cannot fail for text from outside.
std::uint32_t offset(const std::string& text) {
    WEFT_ASSERT(text.size() <= std::numeric_limits<std::uint32_t>::max());
    return static_cast<std::uint32_t>(text.size());
}

void append_number(std::string& out, std::uint16_t number) {
    char digits[5];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    out.append(digits, end);
}

}  // namespace

UrlRecord UrlRecord::of(const Url& url) {
    UrlRecord record;
    record.scheme = url.scheme();
    record.kind = scheme_of(url.scheme());
    record.copy_authority(url);
    record.copy_path(url);
    record.copy_query(url);
    if (url.has_fragment()) record.fragment.emplace(url.href(), url.fragment_start_ + 1);
    return record;
}

void UrlRecord::copy_authority(const Url& url) {
    username = url.username();
    password = url.password();
    host.reset();
    if (url.has_host()) host = Host{std::string(url.hostname()), url.host_kind()};
    port = url.port();
}

void UrlRecord::copy_path(const Url& url) {
    path = url.pathname();
    opaque_path = url.has_opaque_path();
}

void UrlRecord::copy_query(const Url& url) {
    query.reset();
    if (!url.has_query()) return;
    query.emplace(url.href(), url.query_start_ + 1, url.fragment_start_ - url.query_start_ - 1);
}

bool UrlRecord::may_have_credentials() const {
    return host && !host->text.empty() && kind != Scheme::file;
}

// "URL serializing" (section 4.5), which records the offset of each part on the way.
Url UrlRecord::to_url() const {
    Url url;
    std::string& href = url.href_;
    href.reserve(scheme.size() + username.size() + password.size() +
                 (host ? host->text.size() : 0) + path.size() + (query ? query->size() : 0) +
                 (fragment ? fragment->size() : 0) + 16);
    href = scheme;
    url.scheme_end_ = offset(href);
    href += host ? "://" : ":";
    href += username;
    url.username_end_ = offset(href);
    if (!password.empty()) href.append(":").append(password);
    if (!username.empty() || !password.empty()) href += '@';
    url.host_start_ = offset(href);
    if (host) {
        href += host->text;
        url.kind_of_host_ = host->text.empty() ? HostKind::empty : host->kind;
    }
    url.host_end_ = offset(href);
    if (port) {
        href += ':';
        append_number(href, *port);
        url.port_ = *port;
    }
    // "URL serializing": without a host, a path that starts with "//" would be read as a host.
    if (!host && !opaque_path && path.starts_with("//")) href += "/.";
    url.path_start_ = offset(href);
    href += path;
    url.opaque_path_ = opaque_path;
    url.query_start_ = offset(href);
    if (query) href.append("?").append(*query);
    url.fragment_start_ = offset(href);
    if (fragment) href.append("#").append(*fragment);
    return url;
}

}  // namespace weft::web::detail

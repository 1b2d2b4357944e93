#include "cli/typed_url.h"

#include <fmt/format.h>

#include "base/error.h"
#include "base/escape.h"
#include "cli/secrets.h"

namespace weft::cli {

web::Url parse_typed_url(const std::string& text, std::string_view verb) {
    const auto url = web::Url::parse(text, web::kBoundedUrl);
    if (!url) {
        throw UsageError(fmt::format("bad URL '{}': {}", escape_for_terminal(without_login(text)),
                                     describe(url.error())));
    }
    if (!url->is_http()) {
        throw UsageError(fmt::format("cannot {} '{}': only http and https are spoken", verb,
                                     escape_for_terminal(without_login(text))));
    }
    return *url;
}

std::optional<std::string> domain_typed(std::string_view text) {
    if (text.starts_with("*.")) text.remove_prefix(1);
    if (text.starts_with('.')) text.remove_prefix(1);
    if (text.ends_with('.')) text.remove_suffix(1);
    if (text.find_first_of(":/?#@\\") != std::string_view::npos) return std::nullopt;
    const auto url = web::Url::parse("http://" + std::string(text), web::kBoundedUrl);
    if (!url || url->host_kind() != web::HostKind::domain) return std::nullopt;
    return std::string(url->hostname());
}

void allow_networks(const std::vector<std::string>& texts, http::AddressPolicy& addresses) {
    for (const std::string& text : texts) addresses.allow(http::Network::parse(text).value());
}

bool is_loopback(const web::Url& url) {
    const std::string_view host = url.hostname();
    return host == "localhost" || host == "[::1]" ||
           (url.host_kind() == web::HostKind::ipv4 && host.starts_with("127."));
}

Duration to_duration(double seconds) {
    return std::chrono::duration_cast<Duration>(std::chrono::duration<double>(seconds));
}

}  // namespace weft::cli

#include "cli/fetch_plan.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "aio/errors.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "cli/typed_url.h"
#include "http/netrc.h"
#include "web/percent.h"

namespace weft::cli {
namespace {

constexpr Duration kForever = 365 * 24h;

// "HOST:PORT:ADDRESS[,ADDRESS]", an IPv6 host or address in brackets or not.
http::FixedAddress parse_resolve(const std::string& text) {
    const auto fail = [&]() -> http::FixedAddress {
        throw UsageError(fmt::format("--resolve '{}': write it like example.com:443:192.0.2.1",
                                     escape_for_terminal(text)));
    };
    const std::size_t host_end = text.starts_with('[') ? text.find("]:") + 1 : text.find(':');
    if (host_end == 0 || host_end >= text.size()) return fail();
    http::FixedAddress fixed;
    fixed.host = to_lower(text.substr(0, host_end));
    if (fixed.host.starts_with('[')) fixed.host = fixed.host.substr(1, fixed.host.size() - 2);
    const char* end = text.data() + text.size();
    const auto [colon, error] = std::from_chars(text.data() + host_end + 1, end, fixed.port);
    if (error != std::errc() || colon == end || *colon != ':') return fail();
    std::string_view rest(colon + 1, end);
    while (!rest.empty()) {
        std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(one.size() + 1, rest.size()));
        if (one.starts_with('[') && one.ends_with(']')) one = one.substr(1, one.size() - 2);
        const auto address = aio::IpAddress::parse(one);
        if (!address) return fail();
        fixed.addresses.push_back(*address);
    }
    return fixed.addresses.empty() ? fail() : fixed;
}

void plan_way(const FetchArguments& arguments, FetchPlan& plan) {
    http::ClientOptions& options = plan.client;
    if (arguments.v4 && arguments.v6) throw UsageError("-4 and -6 leave no address; give one");
    if (arguments.v4) options.family = http::AddressFamily::v4;
    if (arguments.v6) options.family = http::AddressFamily::v6;
    if (arguments.http1 + arguments.http2 + arguments.http2_prior_knowledge > 1) {
        throw UsageError("give one of --http1, --http2 and --http2-prior-knowledge");
    }
    options.protocols = http::Protocols::prefer_http2;
    if (arguments.http1) options.protocols = http::Protocols::http1;
    if (arguments.http2_prior_knowledge) {
        options.protocols = http::Protocols::http2_prior_knowledge;
    }
    open_own_address(plan.request.url, options.addresses);
    allow_networks(arguments.allow_nets, options.addresses);
    for (const std::string& text : arguments.resolve) {
        options.fixed_addresses.push_back(parse_resolve(text));
        for (const aio::IpAddress& typed : options.fixed_addresses.back().addresses) {
            options.addresses.allow({typed, typed.is_v4() ? 32u : 128u});
        }
    }
    options.proxies = http::ProxySettings::from_environment();
    if (arguments.proxy) options.proxies = {.all = *arguments.proxy};
    if (!arguments.no_proxy.empty()) options.proxies.none = arguments.no_proxy;
    if (const auto proxy = options.proxies.choose(plan.request.url); !proxy) {
        throw UsageError(fmt::format("proxy '{}': {}",
                                     escape_for_terminal(arguments.proxy.value_or("")),
                                     describe(proxy.error())));
    }
}

void plan_limits(const FetchArguments& arguments, http::ClientOptions& options) {
    http::FetchLimits& limits = options.limits;
    limits.total_timeout = kForever;
    if (arguments.timeout_seconds) limits.total_timeout = to_duration(*arguments.timeout_seconds);
    if (arguments.connect_timeout_seconds) {
        limits.connect_timeout = to_duration(*arguments.connect_timeout_seconds);
    }
    // It goes to a file or a pipe, not to memory: as much as there is.
    limits.wire_bytes_max = INT64_MAX;
    limits.content_bytes_max = arguments.bytes_max.value_or(INT64_MAX);
}

// User and password: as typed, in the URL, or from a .netrc file; all for this origin alone.
void plan_login(const FetchArguments& arguments, FetchPlan& plan) {
    web::Url& url = plan.request.url;
    http::Credentials credentials{.origin = http::Origin::of(url)};
    credentials.unasked = arguments.basic;
    credentials.bearer_token = arguments.bearer;
    if (!arguments.user.empty()) {
        const std::size_t colon = std::min(arguments.user.find(':'), arguments.user.size());
        credentials.user = arguments.user.substr(0, colon);
        credentials.password = arguments.user.substr(std::min(colon + 1, arguments.user.size()));
    } else if (url.has_credentials()) {
        credentials.user = web::percent_decode(url.username());
        credentials.password = web::percent_decode(url.password());
    } else if (arguments.netrc || !arguments.netrc_file.empty()) {
        std::string path = arguments.netrc_file;
        if (const char* named = std::getenv("NETRC"); path.empty() && named) path = named;
        const char* home = std::getenv("HOME");
        if (path.empty()) path = fmt::format("{}/.netrc", home ? home : "");
        const auto entries = http::parse_netrc(read_file(path));
        if (const auto* entry = http::find_machine(entries, url.hostname())) {
            credentials.user = entry->login;
            credentials.password = entry->password;
        }
    }
    if (url.has_credentials()) {
        url.set_username("");
        url.set_password("");
    }
    const bool has_any = !credentials.user.empty() || !credentials.password.empty() ||
                         !credentials.bearer_token.empty();
    if (has_any) plan.client.credentials.push_back(std::move(credentials));
    if (!arguments.certificate.empty()) {
        plan.client.certificate = {.origin = http::Origin::of(url),
                                   .certificate_file = arguments.certificate,
                                   .key_file = arguments.key};
    } else if (!arguments.key.empty()) {
        throw UsageError("--key without --cert: give the certificate too");
    }
}

void plan_cookies(const FetchArguments& arguments, FetchPlan& plan) {
    plan.client.cookies = std::make_shared<http::CookieJar>();
    if (arguments.load_cookies.contains('=')) {
        plan.request.headers.add("Cookie", trim(arguments.load_cookies));
    } else if (!arguments.load_cookies.empty()) {
        plan.client.cookies->load(read_file(arguments.load_cookies), SystemClock().wall());
    }
}

void plan_request(const FetchArguments& arguments, http::Request& request) {
    for (const std::string& text : arguments.headers) {
        const std::size_t colon = text.find(':');
        if (colon == 0 || colon == std::string::npos) {
            throw UsageError(fmt::format("--header '{}': write it like 'Name: value'",
                                         escape_for_terminal(text)));
        }
        request.headers.add(text.substr(0, colon), trim(std::string_view(text).substr(colon + 1)));
    }
    for (const std::string& text : arguments.data) {
        if (!request.body.empty()) request.body += '&';
        request.body += text.starts_with('@') ? read_file(text.substr(1)) : text;
    }
    if (!arguments.data.empty()) {
        request.method = "POST";
        if (!request.headers.contains("Content-Type")) {
            request.headers.add("Content-Type", "application/x-www-form-urlencoded");
        }
    }
    if (arguments.head) request.method = "HEAD";
    if (!arguments.method.empty()) request.method = arguments.method;
    if (!arguments.range.empty()) {
        request.range = http::ByteRange::parse(arguments.range);
        if (!request.range) {
            throw UsageError(fmt::format("--range '{}': write it like 0-499, 500- or -500",
                                         escape_for_terminal(arguments.range)));
        }
    }
}

// The first run finds no file.
std::string read_sessions(const std::string& path) {
    if (path.empty()) return {};
    try {
        return read_file(path);
    } catch (const aio::IoError& error) {
        if (error.code() != std::errc::no_such_file_or_directory) throw;
        return {};
    }
}

}  // namespace

FetchPlan make_plan(const FetchArguments& arguments) {
    FetchPlan plan{.client = {}, .request = {.url = parse_typed_url(arguments.url, "fetch")}};
    plan_login(arguments, plan);
    plan_way(arguments, plan);
    plan_limits(arguments, plan.client);
    plan_cookies(arguments, plan);
    plan_request(arguments, plan.request);
    plan.client.user_agent = arguments.user_agent;
    plan.client.ca_file = arguments.ca_certificate;
    plan.client.verify_certificates = !arguments.no_check_certificate;
    plan.client.tls_sessions = read_sessions(arguments.tls_sessions);
    plan.client.decode = !arguments.raw;
    plan.follow.redirect_count_max = arguments.redirects_max.value_or(limits::kRedirectCountMax);
    return plan;
}

std::string read_file(const std::string& path) {
    const auto fail = [&] {
        throw aio::IoError(fmt::format("cannot read {}", escape_for_terminal(path)),
                           std::error_code(errno, std::generic_category()));
    };
    const bool is_stdin = path == "-";
    const auto close = [&](std::FILE* file) { return is_stdin ? 0 : std::fclose(file); };
    // tidy: allow banned-call: the user may name a pipe or a device.
    std::FILE* opened = is_stdin ? stdin : std::fopen(path.c_str(), "rbe");
    const std::unique_ptr<std::FILE, decltype(close)> file(opened, close);
    if (!file) fail();
    std::string text;
    std::array<char, 64 * 1024> room;
    while (const std::size_t count = std::fread(room.data(), 1, room.size(), file.get())) {
        text.append(room.data(), count);
    }
    if (std::ferror(file.get())) fail();
    return text;
}

}  // namespace weft::cli

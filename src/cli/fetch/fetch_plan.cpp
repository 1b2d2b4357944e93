#include "cli/fetch/fetch_plan.h"

#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "aio/task/errors.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "cli/options/access_options.h"
#include "cli/options/typed_url.h"

namespace weft::cli {
namespace {

// No total limit by default, as in curl; each phase has its own.
constexpr Duration kForever = 365 * 24h;

void plan_limits(const FetchArguments& arguments, http::ClientOptions& options) {
    http::FetchLimits& limits = options.limits;
    limits.total_timeout = kForever;
    if (arguments.timeout_seconds) limits.total_timeout = to_duration(*arguments.timeout_seconds);
    if (arguments.connect_timeout_seconds) {
        limits.connect_timeout = to_duration(*arguments.connect_timeout_seconds);
    }
    // The content goes to a file or a pipe, not into memory, so its size is not limited.
    limits.wire_bytes_max = INT64_MAX;
    limits.content_bytes_max = arguments.bytes_max.value_or(INT64_MAX);
}

void plan_cookies(const FetchArguments& arguments, FetchPlan& plan) {
    plan.client.cookies = std::make_shared<http::ClientCookies>();
    if (arguments.access.load_cookies.contains('=')) {
        plan.request.headers.add("Cookie", trim(arguments.access.load_cookies));
    } else if (!arguments.access.load_cookies.empty()) {
        plan.client.cookies->load(read_file(arguments.access.load_cookies), SystemClock().wall());
    }
}

void plan_request(const FetchArguments& arguments, http::Request& request) {
    request.headers = parse_headers(arguments.access.headers);
    for (const std::string& text : arguments.data) {
        // As in curl: several --data are joined by "&" and sent as a form.
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

// On the first run there is no file yet.
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
    set_logins(arguments.access, {&plan.request.url, 1}, plan.client);
    // The user typed this URL, so its port and address are allowed.
    plan.client.addresses.open(plan.request.url);
    set_access(arguments.access, plan.client);
    plan_limits(arguments, plan.client);
    plan_request(arguments, plan.request);
    plan_cookies(arguments, plan);
    plan.client.user_agent = arguments.user_agent;
    plan.client.tls_sessions = read_sessions(arguments.tls_sessions);
    plan.client.decode = !arguments.raw;
    plan.follow.fields_go_on = arguments.access.header_anywhere;
    plan.follow.redirect_count_max = arguments.redirects_max.value_or(limits::kRedirectCountMax);
    return plan;
}

}  // namespace weft::cli

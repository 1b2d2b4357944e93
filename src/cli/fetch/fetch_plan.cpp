#include "cli/fetch/fetch_plan.h"

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

void plan_request(const FetchArguments& arguments, http::Request& request) {
    request.headers = arguments.access.headers;
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

FetchPlan make_plan(FetchArguments& arguments) {
    FetchPlan plan{.client = {}, .request = {.url = parse_typed_url(arguments.url, "fetch")}};
    AccessOptions& access = arguments.access;
    set_logins(access, {&plan.request.url, 1});
    // The user typed this URL, so its port and address are allowed.
    access.client.addresses.open(plan.request.url);
    set_access(access);
    plan_request(arguments, plan.request);
    load_cookies(access);
    if (access.has_cookie_text()) plan.request.headers.add("Cookie", trim(access.load_cookies));
    access.client.tls_sessions = read_sessions(arguments.tls_sessions);
    plan.client = access.client;
    plan.follow.fields_go_on = access.header_anywhere;
    plan.follow.redirect_count_max = arguments.redirect_count_max;
    return plan;
}

}  // namespace weft::cli

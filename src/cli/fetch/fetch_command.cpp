#include <cstdio>
#include <cstdlib>
#include <exception>

#include <fmt/format.h>

#include "aio/loop/run.h"
#include "aio/task/errors.h"
#include "base/escape.h"
#include "base/units.h"
#include "cli/commands.h"
#include "cli/crawl/advice.h"
#include "cli/fetch/fetch_output.h"
#include "cli/fetch/fetch_plan.h"
#include "cli/fetch/fetch_report.h"
#include "cli/fetch/fetch_text.h"
#include "cli/show/exit_status.h"

namespace weft::cli {

using aio::Co;

namespace {

// Shows the heads as they pass, and writes the content to the output.
class ShowingSink final : public http::ResponseSink {
public:
    ShowingSink(const FetchArguments& arguments, FetchOutput& output, FetchText& text)
        : arguments_(arguments), output_(output), text_(text) {}

    void on_request(std::string_view head) override {
        if (arguments_.verbose) fmt::print(stderr, "{}\n", show_head(head, '>'));
    }
    void on_head(const http::Response& response) override {
        last_head_ = response;
        if (arguments_.verbose) {
            fmt::print(stderr, "{}\n", show_head(head_text(response), '<'));
        }
    }
    void on_content(std::string_view piece) override {
        if (arguments_.reads_page()) {
            text_.add(piece);
        } else if (!arguments_.json || !output_.path().empty()) {
            output_.write(piece);
        }
    }

    // For a response that failed after its head.
    const http::Response& last_head() const { return last_head_; }

private:
    const FetchArguments& arguments_;
    FetchOutput& output_;
    FetchText& text_;
    http::Response last_head_;
};

int status_of_answer(const http::Response& response) {
    if (response.cut != http::Cut::none) return exit_page_limit;
    if (response.status == 401 || response.status == 407) return exit_auth;
    return response.status >= 400 ? exit_broken : exit_done;
}

std::string_view fetch_advice_for(http::Failure failure) {
    if (failure == http::Failure::bad_redirect) {
        return "look at the redirects with -v --max-redirect 0";
    }
    if (failure == http::Failure::bad_encoding) return "look at what came with --raw";
    return advice_for(failure);
}

// The order of precedence is that of POSIX locales.
bool shows_unicode() {
    for (const char* variable : {"LC_ALL", "LC_CTYPE", "LANG"}) {
        const char* value = std::getenv(variable);
        if (value && *value) return std::string_view(value).contains("UTF-8");
    }
    return false;
}

void show_facts(const http::Response& response) {
    fmt::print(stderr, "* {} from {}{}{}\n", response.protocol, response.peer.to_string(),
               response.used_proxy ? " (the proxy)" : "",
               response.reused_connection ? ", on a kept connection" : "");
    if (!response.tls_protocol.empty()) {
        fmt::print(stderr, "* {} {}{}\n", response.tls_protocol, response.tls_cipher,
                   response.tls_resumed ? ", resumed" : "");
    }
    fmt::print(stderr, "* {} of content, {} on the wire\n", human_bytes(response.content_bytes),
               human_bytes(response.wire_bytes));
    fmt::print(stderr, "{}", show_timings(response.timings, shows_unicode()));
}

// The last part of the URL's path, as typed. The server cannot choose the name.
std::string remote_name(const web::Url& url) {
    const std::string_view path = url.pathname();
    const std::string_view last = path.substr(path.rfind('/') + 1);
    return last.empty() ? "index.html" : std::string(last);
}

// The result of the fetch.
struct Ending {
    http::Response response;
    std::optional<http::FetchError> failure;
    std::vector<Hop> hops;
    web::Url url;  // The end of the redirects.
};

Co<> fetch_into(http::Client& client, FetchPlan& plan, ShowingSink& sink, Ending& ending) {
    plan.follow.on_redirect = [&](const http::Response& response, const web::Url& target) {
        ending.hops.push_back({response.status, ending.url.href(), target.href()});
        ending.url = target;
    };
    try {
        if (plan.follow.redirect_count_max == 0) {
            co_await client.fetch(plan.request, sink, ending.response);
            co_return;
        }
        http::Followed followed =
            co_await http::follow(client, std::move(plan.request), sink, std::move(plan.follow));
        ending.response = std::move(followed.response);
    } catch (const http::FetchError& error) {
        ending.failure = error;
        ending.response = sink.last_head();
    }
}

// Cookies and TLS sessions for the next run.
void save_secrets(const FetchArguments& arguments, const http::Client& client) {
    const std::string& cookies = arguments.access.save_cookies;
    if (!cookies.empty()) {
        write_secret(cookies, client.options().cookies->save(SystemClock().wall()));
    }
    if (!arguments.tls_sessions.empty()) {
        write_secret(arguments.tls_sessions, client.tls_sessions());
    }
}

int report_failure(const FetchArguments& arguments, const Ending& ending) {
    const http::FetchError& failure = *ending.failure;
    const std::string_view advice = fetch_advice_for(failure.failure());
    if (!arguments.quiet) {
        fmt::print(stderr, "weft: error: cannot fetch {}: {}{}{}\n",
                   escape_for_terminal(ending.url.href()), failure.reason(),
                   advice.empty() ? "" : "; ", advice);
    }
    return status_of(failure.failure());
}

int report_answer(const FetchArguments& arguments, const Ending& ending) {
    const http::Response& response = ending.response;
    if (arguments.verbose) show_facts(response);
    const int status = status_of_answer(response);
    if (status == exit_done || arguments.quiet || arguments.verbose) return status;
    const std::string what =
        response.cut != http::Cut::none
            ? fmt::format("cut at {}", human_bytes(response.content_bytes))
            : fmt::format("{} {}", response.status, escape_for_terminal(response.reason));
    fmt::print(stderr, "weft: {}: {}\n", escape_for_terminal(ending.url.href()), what);
    return status;
}

Co<int> fetch(const FetchArguments& arguments, FetchPlan plan) {
    FetchOutput output(arguments.remote_name ? remote_name(plan.request.url) : arguments.output);
    FetchText text(arguments);
    ShowingSink sink(arguments, output, text);
    Ending ending{.url = plan.request.url};
    // make_plan() has removed user and password from the URL.
    const std::string asked = plan.request.url.href();
    http::Client client(std::move(plan.client));
    co_await fetch_into(client, plan, sink, ending);

    save_secrets(arguments, client);
    if (!ending.failure && arguments.head && !arguments.json) {
        output.write(head_text(ending.response));
    }
    if (!ending.failure && arguments.reads_page()) {
        output.write(text.finish(ending.response.headers, ending.url.href()));
    }
    if (!ending.failure) output.open();  // An empty response gives an empty file.
    output.close();
    if (arguments.json) {
        fmt::print("{}", to_json({.url = asked,
                                  .final_url = ending.url.href(),
                                  .hops = ending.hops,
                                  .response = ending.response,
                                  .error = ending.failure ? &*ending.failure : nullptr}));
    }
    co_return ending.failure ? report_failure(arguments, ending) : report_answer(arguments, ending);
}

// The text of a page that was fetched before.
int convert_local(const FetchArguments& arguments) {
    FetchOutput output(arguments.output);
    FetchText text(arguments);
    text.add(read_file(arguments.url));
    output.write(text.finish({}, ""));
    output.close();
    return exit_done;
}

}  // namespace

int run_fetch(FetchArguments& arguments) {
    check_text_options(arguments);
    if (names_local_page(arguments)) return convert_local(arguments);
    try {
        return aio::run(fetch(arguments, make_plan(arguments)),
                        {.resolver = arguments.access.resolver});
    } catch (const aio::KeyboardInterrupt&) {
        return exit_interrupted;
    }
}

}  // namespace weft::cli

#include "cli/fetch/fetch_report.h"

#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "base/units.h"
#include "http/access/open_field.h"

namespace weft::cli {
namespace {

constexpr std::size_t kBarWidth = 48;

struct Span {
    std::string_view name;
    Duration begin{};
    Duration end{};
};

// The phases that took place. Each begins at the end of the one before.
std::vector<Span> spans_of(const http::Timings& timings) {
    const std::array<std::pair<std::string_view, Duration>, 8> ends{{{"queue", timings.waited},
                                                                     {"dns", timings.dns},
                                                                     {"connect", timings.connect},
                                                                     {"proxy", timings.proxy},
                                                                     {"tls", timings.tls},
                                                                     {"send", timings.sent},
                                                                     {"wait", timings.first_byte},
                                                                     {"receive", timings.total}}};
    std::vector<Span> spans;
    Duration begin{};
    for (const auto& [name, end] : ends) {
        if (end == Duration::zero()) continue;
        spans.push_back({name, begin, std::max(begin, end)});
        begin = spans.back().end;
    }
    return spans;
}

// "1.1" for "http/1.1", "2" for "h2".
std::string_view version_of(std::string_view protocol) {
    for (const std::string_view prefix : {"http/", "h"}) {
        if (protocol.starts_with(prefix)) return protocol.substr(prefix.size());
    }
    return protocol;
}

std::string json_text(std::string_view text) {
    return fmt::format("\"{}\"", escape_for_json(text));
}

double milliseconds(Duration duration) {
    return std::chrono::duration<double, std::milli>(duration).count();
}

void add_timings(std::back_insert_iterator<std::string> out, const http::Timings& timings) {
    fmt::format_to(out, ",\"timings_ms\":{{");
    for (const Span& span : spans_of(timings)) {
        fmt::format_to(out, "\"{}\":{:.3f},", span.name, milliseconds(span.end - span.begin));
    }
    fmt::format_to(out, "\"total\":{:.3f}}}", milliseconds(timings.total));
}

void add_response(std::back_insert_iterator<std::string> out, const http::Response& response) {
    fmt::format_to(out, ",\"status\":{},\"reason\":{},\"protocol\":{},\"headers\":[",
                   response.status, json_text(response.reason), json_text(response.protocol));
    bool is_first = true;
    for (const http::Field field : response.headers) {
        fmt::format_to(out, "{}[{},{}]", is_first ? "" : ",", json_text(field.name),
                       json_text(field.value));
        is_first = false;
    }
    fmt::format_to(out, "],\"content_bytes\":{},\"wire_bytes\":{},\"cut\":{},\"peer\":{}",
                   response.content_bytes, response.wire_bytes, response.cut != http::Cut::none,
                   json_text(response.peer.to_string()));
    fmt::format_to(out, ",\"used_proxy\":{},\"reused_connection\":{}", response.used_proxy,
                   response.reused_connection);
    if (!response.tls_protocol.empty()) {
        fmt::format_to(out, ",\"tls\":{{\"protocol\":{},\"cipher\":{},\"resumed\":{}}}",
                       json_text(response.tls_protocol), json_text(response.tls_cipher),
                       response.tls_resumed);
    }
    add_timings(out, response.timings);
}

}  // namespace

std::string show_head(std::string_view head, char mark) {
    std::string text;
    bool is_field = false;  // The first line is the request or status line.
    while (!head.empty()) {
        const std::size_t end = std::min(head.find('\n'), head.size());
        std::string_view line = head.substr(0, end);
        head.remove_prefix(std::min(end + 1, head.size()));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.empty()) continue;
        const std::string_view name = line.substr(0, line.find(':'));
        // Only fields that are known to be harmless are shown.
        const bool is_secret = mark == '>' && is_field && !http::is_open_field(name);
        const std::string shown =
            is_secret ? fmt::format("{}: (not shown)", name) : escape_for_terminal(line);
        text += fmt::format("{} {}\n", mark, shown);
        is_field = true;
    }
    return text;
}

std::string head_text(const http::Response& response) {
    std::string text = fmt::format("HTTP/{} {}", version_of(response.protocol), response.status);
    if (!response.reason.empty()) text += fmt::format(" {}", response.reason);  // HTTP/2 has none.
    text += '\n';
    for (const http::Field field : response.headers) {
        text += fmt::format("{}: {}\n", field.name, field.value);
    }
    return text;
}

std::string show_timings(const http::Timings& timings, bool unicode) {
    std::string text;
    const double total = std::max(1e-6, milliseconds(timings.total));
    const auto column = [&](Duration moment) {
        const double share = milliseconds(moment) / total;
        return std::min(kBarWidth, static_cast<std::size_t>(share * kBarWidth + 0.5));
    };
    for (const Span& span : spans_of(timings)) {
        const std::size_t begin = std::min(column(span.begin), kBarWidth - 1);
        const std::size_t length = std::max<std::size_t>(1, column(span.end) - begin);
        std::string bar(begin, ' ');
        for (std::size_t i = 0; i < length; ++i) bar += unicode ? "\u2588" : "#";
        text += fmt::format("* {:<8}{:>10}  {}\n", span.name, human_duration(span.end - span.begin),
                            bar);
    }
    text += fmt::format("* {:<8}{:>10}\n", "total", human_duration(timings.total));
    return text;
}

std::string to_json(const FetchFacts& facts) {
    std::string text = fmt::format("{{\"url\":{},\"final_url\":{}", json_text(facts.url),
                                   json_text(facts.final_url));
    const auto out = std::back_inserter(text);
    fmt::format_to(out, ",\"redirects\":[");
    bool is_first = true;
    for (const Hop& hop : facts.hops) {
        fmt::format_to(out, "{}{{\"status\":{},\"url\":{},\"target\":{}}}", is_first ? "" : ",",
                       hop.status, json_text(hop.url), json_text(hop.target));
        is_first = false;
    }
    fmt::format_to(out, "]");
    if (facts.response.status != 0) add_response(out, facts.response);
    if (const http::FetchError* error = facts.error) {
        fmt::format_to(out, ",\"error\":{{\"failure\":{},\"phase\":{},\"host\":{},\"reason\":{}}}",
                       json_text(name(error->failure())), json_text(name(error->phase())),
                       json_text(error->host()), json_text(error->reason()));
    }
    text += "}\n";
    return text;
}

}  // namespace weft::cli

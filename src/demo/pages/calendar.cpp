#include <fmt/format.h>

#include "demo/server/number.h"
#include "demo/server/page.h"
#include "demo/server/site_parts.h"

// Every month links to the next, to the one before and to two more views of itself, without end.
namespace weft::demo {

namespace {

struct Month {
    unsigned year;
    unsigned month;  // 1 to 12.
};

constexpr unsigned kYearMax = 999'999;  // About 12 million months: practically endless.

std::string month_path(Month m) {
    return fmt::format("{}{:04}-{:02}.html", kEndlessPrefix, m.year, m.month);
}

std::optional<Month> month_at(std::string_view path) {
    const std::size_t hyphen = path.rfind('-');
    if (!path.starts_with(kEndlessPrefix) || hyphen == std::string_view::npos) return std::nullopt;
    const auto digits = [](std::string_view text) {
        while (text.size() > 1 && text[0] == '0') text.remove_prefix(1);
        return number_between(text, "", "");
    };
    const auto year = digits(path.substr(kEndlessPrefix.size(), hyphen - kEndlessPrefix.size()));
    if (!path.ends_with(".html") || path.size() < hyphen + 6) return std::nullopt;
    const auto month = digits(path.substr(hyphen + 1, path.size() - hyphen - 6));
    if (!year || !month || *year > kYearMax || *month < 1 || *month > 12) return std::nullopt;
    if (path != month_path({*year, *month})) return std::nullopt;
    return Month{*year, *month};
}

Document month_page(const DemoPlace& place, Month m) {
    PageWriter page(place, fmt::format("{:04}-{:02}", m.year, m.month));
    page.text("Nothing happens this month.");
    const Month next = m.month == 12 ? Month{m.year + 1, 1} : Month{m.year, m.month + 1};
    page.link(month_path(next), "Next month");
    if (m.year > 0 || m.month > 1) {
        const Month last = m.month == 1 ? Month{m.year - 1, 12} : Month{m.year, m.month - 1};
        page.link(month_path(last), "The month before");
    }
    for (const std::string_view view : {"week", "list"}) {
        page.link(fmt::format("{}?view={}", month_path(m), view), view);
    }
    return page.finish();
}

}  // namespace

std::optional<Document> calendar(const DemoPlace& place) {
    if (const auto month = month_at(place.path)) return month_page(place, *month);
    if (place.host->name != "127.0.0.6") return std::nullopt;
    if (place.path == "/") {
        PageWriter page(place, "Events");
        page.link("/club.html", "The weavers' club");
        page.link("/fair.html", "The yearly fair");
        page.link(month_path({2026, 1}), "The calendar");
        return page.finish();
    }
    if (place.path == "/club.html" || place.path == "/fair.html") {
        return PageWriter(place, "Events").prose(2).finish();
    }
    return std::nullopt;
}

}  // namespace weft::demo

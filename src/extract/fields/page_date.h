#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace weft::extract {

// The days that a page's date may have. Others are mistakes: the web is not older, and a page is
// not published after tomorrow.
struct DayRange {
    std::chrono::sys_days first = std::chrono::sys_days{std::chrono::year{1995} / 1 / 1};
    std::chrono::sys_days last = std::chrono::sys_days{std::chrono::year{2100} / 1 / 1};
};

// The date in a text that is one or has one near its beginning: "2026-03-01T12:00:00+01:00" stays
// as it is; "Posted on March 1, 2026", "1. März 2026", "01.03.2026" and "2026/3/1" become
// "2026-03-01". Of "03/04/2026" the first number is the month, unless it is over 12. Reads at most
// the first kDateTextBytesMax bytes.
std::optional<std::string> find_date(std::string_view text, const DayRange& days);
inline constexpr std::size_t kDateTextBytesMax = 200;

// The date in a URL's path: "/2026/03/01/", "/2026-03-01-title", "/20260301/". A path without a day
// has no date.
std::optional<std::string> date_in_url(std::string_view url, const DayRange& days);

}  // namespace weft::extract

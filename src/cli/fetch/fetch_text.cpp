#include "cli/fetch/fetch_text.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/limits.h"
#include "extract/extractor.h"
#include "extract/line/text_line.h"
#include "extract/rules/csv.h"
#include "extract/rules/row_line.h"
#include "web/charset/utf8.h"

namespace weft::cli {
namespace {

constexpr std::string_view kUtf8 = "text/html; charset=utf-8";

const char* option_of(const FetchArguments& arguments) {
    if (!arguments.rules.rules_file.empty()) return "--rules";
    if (!arguments.rules.select.empty()) return "--select";
    if (arguments.structured && !arguments.wants_text()) return "--structured";
    return arguments.markdown ? "--markdown" : "--text";
}

extract::TextForm form_of(const FetchArguments& arguments) {
    if (!arguments.wants_text()) return extract::TextForm::none;
    return arguments.markdown ? extract::TextForm::markdown : extract::TextForm::plain;
}

std::vector<std::string> names_of(const std::vector<extract::FieldRule>& fields) {
    std::vector<std::string> names;
    for (const extract::FieldRule& field : fields) names.push_back(field.name);
    return names;
}

}  // namespace

FetchText::FetchText(const FetchArguments& arguments)
    : arguments_(arguments), rules_(make_rules(arguments.rules)) {}

void FetchText::add(std::string_view piece) {
    content_ += piece.substr(0, limits::kHtmlBytesMax - content_.size());
}

std::string FetchText::finish(const http::Headers& headers, std::string_view url) const {
    const std::string_view content_type = headers.get("Content-Type").value_or("");
    const std::string type = to_lower(trim(content_type.substr(0, content_type.find(';'))));
    if (!type.empty() && !type.contains("html") && !type.contains("xml") &&
        !type.starts_with("text/")) {
        throw Error(fmt::format("{} is {}, which has no text; leave out {} to get its bytes",
                                escape_for_terminal(url), escape_for_terminal(type),
                                option_of(arguments_)));
    }
    std::vector<extract::NamedValue> fields;
    for (const http::Field field : headers) fields.push_back({field.name, field.value});
    if (type == "text/plain" && !rules_ && !arguments_.structured) {
        extract::Reservation reservation =
            extract::read_reservation({.url = url, .headers = fields}, extract::Purpose::unsaid);
        reservation.overruled = std::move(reservation.withheld);
        tell_reserved(reservation, url);
        return content_;
    }
    const auto today = std::chrono::floor<std::chrono::days>(SystemClock().wall());
    extract::Extractor extractor({.text = form_of(arguments_),
                                  .whole_page = arguments_.whole_page,
                                  .detects_language = arguments_.wants_line(),
                                  .lists_links = arguments_.wants_line(),
                                  .structured = arguments_.structured,
                                  .keeps_reserved = true,
                                  .rules = rules_});
    // A file without a type was often saved as UTF-8, whatever its meta tags said before.
    const bool is_utf8 = url.empty() && web::detail::valid_utf8_prefix(content_) == content_.size();
    const extract::Extract& page = extractor.read({.html = content_,
                                                   .content_type = is_utf8 ? kUtf8 : content_type,
                                                   .url = url,
                                                   .headers = fields,
                                                   .last_day = today + std::chrono::days(1)});
    tell_reserved(page.reservation, url);
    const bool shows_text = arguments_.wants_text() || rules_;
    if (page.needs_script && shows_text && !arguments_.quiet) {
        fmt::print(stderr, "weft: {}: nearly no text; the page needs scripts to show more\n",
                   escape_for_terminal(url));
    }
    if (arguments_.wants_line()) return line_of(page, url);
    if (arguments_.structured) return page.structured.empty() ? "{}\n" : page.structured + "\n";
    return rules_ ? fields_of(page, url) : text_of(page);
}

std::string FetchText::line_of(const extract::Extract& page, std::string_view url) const {
    std::string out;
    extract::append_text_line(
        {.url = url, .date = SystemClock().wall(), .form = form_of(arguments_), .page = page}, out);
    return out;
}

std::string FetchText::fields_of(const extract::Extract& page, std::string_view url) const {
    std::string out;
    if (arguments_.is_csv) {
        const bool has_rows = !rules_->rules.empty();
        const extract::CsvTable table(
            has_rows ? std::vector{std::string(extract::kPageUrlName)} : std::vector<std::string>(),
            has_rows ? rules_->columns() : names_of(rules_->selected));
        table.append_names(out);
        for (const auto& row : page.rows) table.append_row({std::string(url)}, row, out);
        if (!has_rows) table.append_row({}, page.selected, out);
    } else if (rules_->rules.empty()) {
        extract::append_fields_line(page.selected, out);
    } else {
        for (const auto& row : page.rows) extract::append_row_line(url, row, out);
    }
    return out;
}

// Fetching one page by hand shows its text all the same.
void FetchText::tell_reserved(const extract::Reservation& reservation, std::string_view url) const {
    if (reservation.overruled.empty() || arguments_.quiet) return;
    const bool is_noai = reservation.overruled == "noai";
    std::string by = reservation.overruled;
    // The closest place comes last, and that is the one that counts.
    for (const extract::ReservedStatement& statement : reservation.reserved) {
        const bool is_it = is_noai ? to_lower(statement.value).contains("noai")
                                   : statement.name == "tdm-reservation";
        if (!is_it) continue;
        by = fmt::format(
            "{} ({}: {})",
            statement.place == extract::ReservedPlace::meta ? "a meta tag" : "a header field",
            statement.name, statement.value);
    }
    fmt::print(stderr, "weft: {}: reserved by {}\n", escape_for_terminal(url),
               escape_for_terminal(by));
}

std::string FetchText::text_of(const extract::Extract& page) const {
    const std::string& title = page.fields.title;
    const bool has_title = page.text.starts_with("# ") || page.text.contains("\n# ") ||
                           page.text.contains(fmt::format("# {}\n", title));  // Of any level.
    if (!arguments_.markdown || has_title || title.empty()) return page.text;
    return fmt::format("# {}\n\n{}", title, page.text);
}

bool names_local_page(const FetchArguments& arguments) {
    if (!arguments.reads_page()) return false;
    if (arguments.url == "-") return true;
    if (arguments.url.contains("://")) return false;
    if (arguments.url.starts_with('/') || arguments.url.starts_with('.')) return true;
    std::error_code none;
    // tidy: allow banned-call: no loop runs yet
    return std::filesystem::is_regular_file(arguments.url, none);
}

void check_text_options(const FetchArguments& arguments) {
    if (arguments.whole_page && !arguments.wants_text())
        throw UsageError("--whole-page is about text: add --markdown or --text");
    if (arguments.is_csv &&
        (!arguments.rules.wants_fields() || arguments.wants_text() || arguments.structured))
        throw UsageError("--format csv is about fields alone: give --select or --rules");
    if (!arguments.reads_page()) return;
    if (arguments.markdown && arguments.plain_text)
        throw UsageError("--markdown and --text exclude each other");
    if ((arguments.wants_text() || arguments.structured) && !arguments.rules.rules_file.empty())
        throw UsageError(
            fmt::format("--rules writes rows of fields: leave out {}",
                        arguments.structured ? "--structured" : "--markdown and --text"));
    if (arguments.head || arguments.json || !arguments.access.client.decode) {
        throw UsageError(fmt::format("{} writes {} of a page: leave out {}", option_of(arguments),
                                     arguments.wants_text() ? "the text" : "data",
                                     arguments.head   ? "--head"
                                     : arguments.json ? "--json"
                                                      : "--raw"));
    }
}

}  // namespace weft::cli

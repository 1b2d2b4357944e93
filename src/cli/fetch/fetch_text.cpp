#include "cli/fetch/fetch_text.h"

#include <filesystem>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/limits.h"
#include "extract/extractor.h"

namespace weft::cli {

void FetchText::add(std::string_view piece) {
    content_ += piece.substr(0, limits::kHtmlBytesMax - content_.size());
}

std::string FetchText::finish(std::string_view content_type, std::string_view url) const {
    const std::string type = to_lower(trim(content_type.substr(0, content_type.find(';'))));
    if (!type.empty() && !type.contains("html") && !type.contains("xml") &&
        !type.starts_with("text/")) {
        throw Error(fmt::format("{} is {}, which has no text; leave out --{} to get its bytes",
                                escape_for_terminal(url), escape_for_terminal(type),
                                arguments_.markdown ? "markdown" : "text"));
    }
    if (type == "text/plain") return content_;
    const auto today = std::chrono::floor<std::chrono::days>(SystemClock().wall());
    extract::Extractor extractor(
        {.text = arguments_.markdown ? extract::TextForm::markdown : extract::TextForm::plain,
         .whole_page = arguments_.whole_page,
         .detects_language = false,
         .keeps_reserved = true});
    const extract::Extract& page = extractor.read({.html = content_,
                                                   .content_type = content_type,
                                                   .url = url,
                                                   .last_day = today + std::chrono::days(1)});
    if (page.needs_script && !arguments_.quiet) {
        fmt::print(stderr, "weft: {}: nearly no text; the page needs scripts to show more\n",
                   escape_for_terminal(url));
    }
    const std::string& title = page.fields.title;
    const bool has_title = page.text.starts_with("# ") || page.text.contains("\n# ") ||
                           page.text.contains(fmt::format("# {}\n", title));  // Of any level.
    if (!arguments_.markdown || has_title || title.empty()) return page.text;
    return fmt::format("# {}\n\n{}", title, page.text);
}

bool names_local_page(const FetchArguments& arguments) {
    if (!arguments.wants_text()) return false;
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
    if (!arguments.wants_text()) return;
    const char* const option = arguments.markdown ? "--markdown" : "--text";
    if (arguments.markdown && arguments.plain_text)
        throw UsageError("--markdown and --text exclude each other");
    if (arguments.head || arguments.json || !arguments.access.client.decode) {
        throw UsageError(fmt::format("{} writes the text of a page: leave out {}", option,
                                     arguments.head   ? "--head"
                                     : arguments.json ? "--json"
                                                      : "--raw"));
    }
}

}  // namespace weft::cli

#include "web/url/pattern.h"

#include <re2/re2.h>

#include "base/units.h"

namespace weft::web {
namespace {

constexpr std::string_view kGlobPrefix = "glob:";

// The regular expression of a glob.
std::string to_expression(std::string_view glob) {
    std::string expression;
    while (!glob.empty()) {
        if (glob.starts_with("**")) {
            expression += ".*";
            glob.remove_prefix(2);
        } else if (glob.starts_with('*')) {
            expression += "[^/]*";
            glob.remove_prefix(1);
        } else {
            const std::size_t end = std::min(glob.find('*'), glob.size());
            expression += re2::RE2::QuoteMeta(glob.substr(0, end));
            glob.remove_prefix(end);
        }
    }
    return expression;
}

}  // namespace

std::expected<Pattern, std::string> Pattern::parse(std::string_view text) {
    const bool is_glob = text.starts_with(kGlobPrefix);
    const std::string_view body = is_glob ? text.substr(kGlobPrefix.size()) : text;
    if (body.empty()) return std::unexpected("an empty pattern");
    re2::RE2::Options options(re2::RE2::Quiet);
    options.set_encoding(re2::RE2::Options::EncodingLatin1);  // A URL is bytes, not UTF-8.
    options.set_never_capture(true);
    options.set_max_mem(static_cast<std::int64_t>(8_MiB));
    auto expression = std::make_shared<const re2::RE2>(
        is_glob ? to_expression(body) : std::string(body), options);
    if (!expression->ok()) return std::unexpected(expression->error());
    return Pattern(std::string(text), std::move(expression), is_glob);
}

bool Pattern::matches(std::string_view url) const {
    return is_whole_ ? re2::RE2::FullMatch(url, *expression_)
                     : re2::RE2::PartialMatch(url, *expression_);
}

}  // namespace weft::web

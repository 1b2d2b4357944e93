#include "cli/options/value_checks.h"

#include <algorithm>
#include <charconv>

#include "aio/files/files.h"
#include "base/units.h"

namespace weft::cli {
namespace {

std::string listed(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) text += i + 1 == names.size() ? " or " : ", ";
        text += names[i];
    }
    return text;
}

}  // namespace

CLI::Validator one_of(const std::vector<std::string>& names) {
    return CLI::Validator(
        [names](std::string& text) -> std::string {
            if (std::ranges::find(names, text) != names.end()) return "";
            return fmt::format("takes {}, not '{}'", listed(names), escape_for_terminal(text));
        },
        // values_in() of option_row.cpp reads this description.
        "{" + CLI::detail::join(names) + "}");
}

CLI::Validator or_flag(const std::string& word, CLI::Validator check) {
    const std::string values = check.get_description();
    return CLI::Validator(
        [word, check = std::move(check)](std::string& text) -> std::string {
            if (text == "true") text = word;
            return text == "false" ? "" : check(text);
        },
        values);
}

CLI::Validator size_in_bytes(std::uint64_t low) {
    return CLI::Validator(
        [low](std::string& text) -> std::string {
            const std::string typed = escape_for_terminal(text);
            try {
                // false: K is 1024, not 1000.
                CLI::AsSizeValue(false)(text);
            } catch (const CLI::ValidationError&) {
                return fmt::format("takes a size, such as 500K, 20M or '1 GiB', not '{}'", typed);
            }
            std::uint64_t value = 0;
            std::from_chars(text.data(), text.data() + text.size(), value);
            if (value >= low) return "";
            return fmt::format("takes {} or more, not '{}'", human_bytes(low), typed);
        },
        "");
}

std::string complaint_about_file(const std::string& path) {
    return aio::SystemFiles().exists(path) ? "" : "there is no such file";
}

CLI::Validator that(std::function<std::string(const std::string& text)> complaint) {
    return CLI::Validator(
        [complaint = std::move(complaint)](std::string& text) -> std::string {
            const std::string why = complaint(text);
            return why.empty() ? "" : fmt::format("'{}': {}", escape_for_terminal(text), why);
        },
        "");
}

}  // namespace weft::cli

#include "cli/options/usage_message.h"

#include <CLI/CLI.hpp>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "base/escape.h"
#include "cli/options/nearest.h"
#include "cli/options/other_tools.h"

namespace weft::cli {
namespace {

// The innermost command that was typed, or the program itself.
const CLI::App& command_of(const CLI::App& app) {
    const std::vector<CLI::App*> typed = app.get_subcommands();
    return typed.empty() ? app : command_of(*typed.front());
}

// "weft warc ls"
std::string line_of(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    return parent ? line_of(*parent) + " " + command.get_name() : command.get_name();
}

std::vector<std::string> option_names(const CLI::App& command) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
    }
    if (command.get_parent()) {
        for (std::string& name : option_names(*command.get_parent())) names.push_back(name);
    }
    return names;
}

std::vector<std::string> command_names(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* each : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(each->get_name());
    }
    return names;
}

bool is_crawling(const CLI::App& command) {
    const std::string& name = command.get_name();
    return name == "crawl" || name == "resume" || name == "recrawl" || name == "check";
}

// A word that is neither an option nor the value of one.
std::string about_word(const CLI::App& command, const std::string& word) {
    const std::string shown = escape_for_terminal(word);
    const std::string name = word.substr(0, word.find('='));
    if (word.starts_with('-')) {
        const std::string_view way = is_crawling(command) ? way_here(name) : std::string_view();
        if (!way.empty()) {
            return fmt::format("'{}' has no option '{}': {}", line_of(command),
                               escape_for_terminal(name), way);
        }
        return fmt::format("'{}' has no option '{}'{}", line_of(command), escape_for_terminal(name),
                           hint_at(name, option_names(command)));
    }
    const std::vector<std::string> commands = command_names(command);
    if (!commands.empty()) {
        return fmt::format("there is no command '{}'{}", shown, hint_at(word, commands));
    }
    return fmt::format("'{}' has no use for '{}'", line_of(command), shown);
}

std::string about_missing(const CLI::App& command, const std::vector<std::string>& words,
                          std::string_view what) {
    if (!what.starts_with("A subcommand")) {
        return fmt::format("'{}' needs the {}", line_of(command), what.substr(0, what.find(' ')));
    }
    if (!words.empty()) return about_word(command, words.front());
    return fmt::format("'{}' needs a command", line_of(command));
}

std::string about_no_value(const CLI::App& command, const std::string& name) {
    const CLI::Option* option = command.get_option_no_throw(name);
    if (!option && command.get_parent()) return about_no_value(*command.get_parent(), name);
    const std::string type = option ? option->get_type_name() : "";
    return fmt::format("{} needs a value{}", name, type.empty() ? "" : ": ") +
           type.substr(0, type.find(':'));
}

// Rewrites CLI11's "Could not convert: --depth = x".
std::string about_conversion(const CLI::App& command, std::string_view what) {
    const std::size_t begin = std::min(what.find('-'), what.size());
    const std::size_t end = what.find(" = ", begin);
    if (end == std::string_view::npos) return std::string(what);
    const std::string name(what.substr(begin, end - begin));
    const CLI::Option* option = command.get_option_no_throw(name);
    const bool is_flag = option && option->get_expected_max() == 0;
    return fmt::format("{} takes {}, not '{}'", name, is_flag ? "true or false" : "a whole number",
                       escape_for_terminal(what.substr(end + 3)));
}

}  // namespace

std::string value_message(const CLI::App& command, const CLI::Error& error) {
    std::string what = error.what();
    if (dynamic_cast<const CLI::ConversionError*>(&error)) return about_conversion(command, what);
    // CLI11 gives "--wait: takes a number"; the texts of value_checks.h continue the name without a
    // colon.
    const std::size_t colon = what.find(": ");
    if (dynamic_cast<const CLI::ValidationError*>(&error) && colon != std::string::npos) {
        what.erase(colon, 1);
    }
    return what;
}

std::string usage_message(const CLI::App& app, const CLI::ParseError& error) {
    const CLI::App& command = command_of(app);
    const std::string what = error.what();
    const std::vector<std::string> words = app.remaining(true);
    std::string message;
    if (dynamic_cast<const CLI::ExtrasError*>(&error)) {
        message = words.empty() ? what : about_word(command, words.front());
    } else if (dynamic_cast<const CLI::RequiredError*>(&error)) {
        message = about_missing(command, words, what);
    } else if (dynamic_cast<const CLI::ArgumentMismatch*>(&error)) {
        message = about_no_value(command, what.substr(0, what.find(':')));
    } else if (dynamic_cast<const CLI::ExcludesError*>(&error)) {
        const std::size_t middle = what.find(" excludes ");
        message = fmt::format("{} and {} cannot hold at once: give one of them",
                              what.substr(0, middle), what.substr(middle + 10));
    } else {
        return value_message(command, error);
    }
    // A message that suggests the right word needs no pointer to the help.
    if (message.ends_with('?')) return message;
    return fmt::format("{}; see '{} --help'", message, line_of(command));
}

}  // namespace weft::cli

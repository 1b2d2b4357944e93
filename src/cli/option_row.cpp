#include "cli/option_row.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

namespace weft::cli {
namespace {

// "KIND:{page,prefix,host}": what CLI11 makes of a name and a check.
std::vector<std::string> values_in(const std::string& type) {
    const std::size_t begin = type.find('{');
    const std::size_t end = type.rfind('}');
    if (begin == std::string::npos || end == std::string::npos) return {};
    return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

OptionRow row_of(const CLI::Option& option) {
    OptionRow row;
    for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
    row.is_positional = row.names.empty();
    if (option.get_positional()) row.place = option.get_name(true);
    if (row.is_positional) row.names.push_back(row.place);
    const std::string type = option.get_type_size() == 0 ? "" : option.get_type_name();
    row.value = type.substr(0, type.find(':'));
    row.values = values_in(type);
    row.what = option.get_description();
    row.group = option.get_group();
    const std::string& value = option.get_default_str();
    if (!value.empty()) row.what += fmt::format(" (default: {})", value);
    return row;
}

void add_commands(const CLI::App& app, const std::string& before, std::vector<CommandRow>& rows) {
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        const std::string name = before + command->get_name();
        rows.push_back({command, name});
        add_commands(*command, name + " ", rows);
    }
}

}  // namespace

std::vector<OptionRow> option_rows(const CLI::App& command) {
    std::vector<OptionRow> rows;
    for (const CLI::Option* option : command.get_options()) rows.push_back(row_of(*option));
    return rows;
}

std::vector<CommandRow> command_rows(const CLI::App& app) {
    std::vector<CommandRow> rows;
    add_commands(app, "", rows);
    return rows;
}

}  // namespace weft::cli

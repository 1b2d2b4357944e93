#include "cli/options/option_row.h"

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

namespace weft::cli {
namespace {

// Takes the values out of "KIND:{page,prefix,host}", which CLI11 makes of a type name and a check.
std::vector<std::string> values_in(const std::string& type) {
    const std::size_t begin = type.find('{');
    const std::size_t end = type.rfind('}');
    if (begin == std::string::npos || end == std::string::npos) return {};
    return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

// "1 GiB" for 1073741824.
std::string size_as_typed(const std::string& digits) {
    constexpr std::array kUnits = {"", " KiB", " MiB", " GiB", " TiB"};
    std::uint64_t size = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), size);
    std::size_t unit = 0;
    while (size != 0 && size % 1024 == 0 && unit + 1 < kUnits.size()) {
        size /= 1024;
        ++unit;
    }
    return fmt::format("{}{}", size, kUnits[unit]);
}

OptionRow row_of(const CLI::Option& option) {
    OptionRow row;
    for (const std::string& name : option.get_snames()) row.names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) row.names.push_back("--" + name);
    // An option without dashed names can only be positional.
    row.is_positional = row.names.empty();
    if (option.get_positional()) row.place = option.get_name(true);
    if (row.is_positional) row.names.push_back(row.place);
    const std::string type = option.get_type_size() == 0 ? "" : option.get_type_name();
    const bool is_maybe = option.get_expected_max() == 0;
    (is_maybe ? row.maybe_value : row.value) = type.substr(0, type.find(':'));
    if (!is_maybe) row.values = values_in(type);
    row.what = what_of(option);
    row.group = option.get_group();
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

std::string what_of(const CLI::Option& option) {
    const std::string& value = option.get_default_str();
    if (value.empty()) return option.get_description();
    const bool is_size = option.get_type_name().starts_with("SIZE");
    return fmt::format("{} (default: {})", option.get_description(),
                       is_size ? size_as_typed(value) : value);
}

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

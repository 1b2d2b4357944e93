#include "cli/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "base/error.h"
#include "base/escape.h"

namespace weft::cli {
namespace {

// How much two names differ: letters to add, to take away or to change.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = above;
        }
    }
    return row[b.size()];
}

bool is_setting(const CLI::Option& option) {
    if (option.get_lnames().empty()) return false;
    const std::string& name = option.get_lnames().front();
    return name != "help" && name != "version" && name != "config" && name != "dry-run";
}

const CLI::Option* find_option(const CLI::App& command, std::string_view key) {
    for (const CLI::Option* option : command.get_options()) {
        if (is_setting(*option) && option->get_lnames().front() == key) return option;
    }
    return nullptr;
}

bool is_flag(const CLI::Option& option) {
    return option.get_expected_max() == 0;
}

bool takes_many(const CLI::Option& option) {
    return option.get_expected_max() > 1;
}

std::string nearest(std::string_view key, const std::vector<const CLI::App*>& commands) {
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, key.size() / 3) + 1;
    for (const CLI::App* command : commands) {
        for (const CLI::Option* option : command->get_options()) {
            if (!is_setting(*option)) continue;
            const std::string& name = option->get_lnames().front();
            const std::size_t d = distance(key, name);
            if (d < best_distance) {
                best_distance = d;
                best = name;
            }
        }
    }
    return best;
}

struct Place {
    std::string file;
    toml::source_index line;
};

[[noreturn]] void fail(const Place& place, const std::string& what) {
    throw UsageError(fmt::format("{}:{}: {}", place.file, place.line, what));
}

// A value as one would type it.
std::string typed(const toml::node& node, const Place& place, std::string_view key) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    fail(place, fmt::format("'{}' takes a text, a number, true or false, or a list of these", key));
}

void set(CLI::Option& option, const std::vector<std::string>& values, const std::string& origin) {
    try {
        for (const std::string& value : values) option.add_result(value);
        option.run_callback();
    } catch (const CLI::Error& error) {
        throw UsageError(fmt::format("{}: {}", origin, error.what()));
    }
}

void set(CLI::Option& option, const toml::node& node, const Place& place) {
    const std::string& key = option.get_lnames().front();
    std::vector<std::string> values;
    if (const auto* list = node.as_array()) {
        if (!takes_many(option)) fail(place, fmt::format("'{}' takes one value, not a list", key));
        for (const toml::node& item : *list) values.push_back(typed(item, place, key));
    } else {
        values.push_back(typed(node, place, key));
    }
    if (!values.empty()) set(option, values, fmt::format("{}:{}", place.file, place.line));
}

class SettingsFile {
public:
    SettingsFile(const std::filesystem::path& path, const CLI::App& app)
        : name_(escape_for_terminal(path.string())), commands_(app.get_subcommands({})) {
        try {
            table_ = toml::parse_file(path.string());
        } catch (const toml::parse_error& error) {
            fail({name_, error.source().begin.line}, std::string(error.description()));
        }
        check();
    }

    // The table of the command wins over the top of the file.
    void apply(CLI::App& command) const {
        if (const toml::table* own = table_[command.get_name()].as_table()) apply(*own, command);
        apply(table_, command);
    }

private:
    Place place(const toml::node& node) const { return {name_, node.source().begin.line}; }

    void check() const {
        for (const auto& [key, node] : table_) {
            const std::string_view name = key.str();
            if (const toml::table* own = node.as_table()) {
                check_table(name, *own);
            } else if (std::ranges::none_of(commands_, [&](const CLI::App* command) {
                           return find_option(*command, name);
                       })) {
                fail_unknown(name, node, commands_);
            }
        }
    }

    void check_table(std::string_view name, const toml::table& table) const {
        const auto command = std::ranges::find(commands_, name, [](const CLI::App* each) {
            return std::string_view(each->get_name());
        });
        if (command == commands_.end()) {
            fail(place(table), fmt::format("there is no command '{}' for the table [{}]",
                                           escape_for_terminal(name), escape_for_terminal(name)));
        }
        for (const auto& [key, node] : table) {
            if (!find_option(**command, key.str())) fail_unknown(key.str(), node, {*command});
        }
    }

    [[noreturn]] void fail_unknown(std::string_view key, const toml::node& node,
                                   const std::vector<const CLI::App*>& commands) const {
        const std::string hint = nearest(key, commands);
        fail(place(node), fmt::format("no option '{}'{}", escape_for_terminal(key),
                                      hint.empty() ? "" : "; did you mean '" + hint + "'?"));
    }

    void apply(const toml::table& table, CLI::App& command) const {
        for (CLI::Option* option : command.get_options()) {
            if (!is_setting(*option) || option->count() > 0) continue;
            const toml::node* node = table.get(option->get_lnames().front());
            if (node && !node->is_table()) set(*option, *node, place(*node));
        }
    }

    std::string name_;
    toml::table table_;
    std::vector<const CLI::App*> commands_;
};

std::vector<std::string> words_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(word);
    return words;
}

void apply_environment(CLI::App& command, const SettingSources& sources) {
    for (CLI::Option* option : command.get_options()) {
        if (!is_setting(*option) || option->count() > 0) continue;
        const std::string name = environment_name(option->get_lnames().front());
        const std::optional<std::string> value = sources.environment(name);
        if (!value) continue;
        const bool many = takes_many(*option);
        set(*option, many ? words_of(*value) : std::vector{*value}, "$" + name);
    }
}

bool is_number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

// Numbers and truth values stand bare, as they may in a file.
std::string toml_value(const CLI::Option& option, const std::string& text) {
    if (is_flag(option)) return text.empty() ? "true" : text;
    if (text == "true" || text == "false" || is_number(text)) return text;
    return toml_string(text);
}

// Before any loop runs, so this may block.
bool is_file(const std::filesystem::path& path) {
    return std::filesystem::is_regular_file(path);  // tidy: allow banned-call: no loop runs yet
}

}  // namespace

std::string toml_string(std::string_view text) {
    std::ostringstream stream;
    stream << toml::value<std::string>(std::string(text));
    return stream.str();
}

SettingSources system_sources() {
    SettingSources sources;
    sources.files.emplace_back("/etc/weft/weft.toml");
    const char* config_home = std::getenv("XDG_CONFIG_HOME");
    const char* home = std::getenv("HOME");
    if (config_home && *config_home) {
        sources.files.emplace_back(std::filesystem::path(config_home) / "weft/weft.toml");
    } else if (home && *home) {
        sources.files.emplace_back(std::filesystem::path(home) / ".config/weft/weft.toml");
    }
    sources.environment = [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        return value ? std::optional<std::string>(value) : std::nullopt;
    };
    return sources;
}

void apply_settings(CLI::App& command, const CLI::App& app, const SettingSources& sources) {
    apply_environment(command, sources);
    if (!sources.named_file.empty()) {
        if (!is_file(sources.named_file)) {
            throw UsageError(fmt::format("--config {}: there is no such file",
                                         escape_for_terminal(sources.named_file.string())));
        }
        SettingsFile(sources.named_file, app).apply(command);
    }
    for (auto file = sources.files.rbegin(); file != sources.files.rend(); ++file) {
        if (is_file(*file)) SettingsFile(*file, app).apply(command);
    }
}

std::string to_toml(const CLI::App& command) {
    std::string text = fmt::format("[{}]\n", command.get_name());
    for (const CLI::Option* option : command.get_options()) {
        if (!is_setting(*option)) continue;
        const std::string& key = option->get_lnames().front();
        if (option->count() == 0) {
            const std::string& value = option->get_default_str();
            if (value.empty()) {
                text += is_flag(*option) ? key + " = false\n" : "# " + key + " is not set\n";
            } else {
                text += fmt::format("{} = {}\n", key, toml_value(*option, value));
            }
        } else if (takes_many(*option)) {
            std::string list;
            for (const std::string& value : option->results()) {
                list += (list.empty() ? "" : ", ") + toml_string(value);
            }
            text += fmt::format("{} = [{}]\n", key, list);
        } else {
            text += fmt::format("{} = {}\n", key, toml_value(*option, option->results().back()));
        }
    }
    return text;
}

std::string environment_name(std::string_view option) {
    std::string name = "WEFT_";
    for (const char c : option) {
        name += c == '-' ? '_' : static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
    }
    return name;
}

}  // namespace weft::cli

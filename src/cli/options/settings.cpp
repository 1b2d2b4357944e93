#include "cli/options/settings.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <set>
#include <sstream>
#include <system_error>

#include <fmt/format.h>

#include "aio/files/files.h"
#include "aio/task/errors.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/hidden.h"
#include "base/units.h"
#include "cli/options/crawl_options.h"
#include "cli/options/nearest.h"
#include "cli/options/secrets.h"
#include "cli/options/usage_message.h"
#include "extract/rules/toml_text.h"

namespace weft::cli {
namespace {

const CLI::Option* find_option(const CLI::App& command, std::string_view key) {
    for (const CLI::Option* option : command.get_options()) {
        if (is_setting(*option) && std::ranges::count(option->get_lnames(), key) > 0) return option;
    }
    return nullptr;
}

bool is_flag(const CLI::Option& option) {
    return option.get_expected_max() == 0 && option.get_type_name().empty();
}

bool takes_many(const CLI::Option& option) {
    return option.get_expected_max() > 1;
}

std::vector<std::string> keys_of(const std::vector<const CLI::App*>& commands) {
    std::vector<std::string> keys;
    for (const CLI::App* command : commands) {
        for (const CLI::Option* option : command->get_options()) {
            if (!is_setting(*option)) continue;
            keys.insert(keys.end(), option->get_lnames().begin(), option->get_lnames().end());
        }
    }
    return keys;
}

// The options that a weaker source may still set: neither the option itself nor another word for it
// (such as --strict for --scope) is set.
std::vector<CLI::Option*> open_settings(CLI::App& command, bool skips_kept) {
    std::vector<CLI::Option*> open;
    for (CLI::Option* option : command.get_options()) {
        if (!is_setting(*option) || option->count() > 0) continue;
        if (skips_kept && keeping_of(option->get_lnames().front()) == Keeping::kept) continue;
        const std::set<CLI::Option*> others = option->get_excludes();
        const bool is_settled =
            std::ranges::any_of(others, [](const CLI::Option* other) { return is_said(*other); });
        if (!is_settled) open.push_back(option);
    }
    return open;
}

struct SettingPlace {
    std::string file;
    toml::source_index line = 0;
    std::string key = {};
};

[[noreturn]] void fail(const SettingPlace& place, const std::string& what) {
    throw UsageError(fmt::format("{}:{}: {}", place.file, place.line, what));
}

// The value as it would be typed on the command line.
std::string typed(const toml::node& node, const SettingPlace& place) {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* number = node.as_integer()) return std::to_string(number->get());
    if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const auto* flag = node.as_boolean()) return flag->get() ? "true" : "false";
    fail(place,
         fmt::format("'{}' takes a text, a number, true or false, or a list of these", place.key));
}

void set(const CLI::App& command, CLI::Option& option, const std::vector<std::string>& values,
         const std::string& origin) {
    try {
        // The same path as a typed value takes: the option's checks apply.
        for (const std::string& value : values) option.add_result(value);
        option.run_callback();
    } catch (const CLI::Error& error) {
        throw UsageError(fmt::format("{}: {}", origin, value_message(command, error)));
    }
}

void set(const CLI::App& command, CLI::Option& option, const toml::node& node,
         const SettingPlace& place) {
    std::vector<std::string> values;
    if (const auto* list = node.as_array()) {
        if (!takes_many(option)) {
            fail(place, fmt::format("'{}' takes one value, not a list", place.key));
        }
        for (const toml::node& item : *list) values.push_back(typed(item, place));
    } else {
        values.push_back(typed(node, place));
    }
    if (!values.empty()) {
        set(command, option, values, fmt::format("{}:{}", place.file, place.line));
    }
}

// Enough for a million seeds in a crawl's settings.
constexpr std::size_t kFileBytesMax = 64_MiB;

class SettingsFile {
public:
    // A file of the user.
    SettingsFile(const std::filesystem::path& path, const CLI::App& app)
        : SettingsFile(path, read(path), app, Origin::user) {}

    // The settings in a crawl's folder, which may come from another person.
    SettingsFile(const SettingSources& sources, const CLI::App& app)
        : SettingsFile(sources.kept_name, sources.kept_text, app,
                       sources.warns_of_kept ? Origin::folder : Origin::folder_quietly) {}

    enum class Origin { user, folder, folder_quietly };

    SettingsFile(const std::filesystem::path& path, const std::string& text, const CLI::App& app,
                 Origin origin)
        : name_(escape_for_terminal(path.string())),
          origin_(origin),
          commands_(app.get_subcommands({})) {
        auto table = extract::parse_toml(text);
        if (!table) {
            const extract::TomlError& error = table.error();
            fail({name_, static_cast<toml::source_index>(error.line)}, error.reason);
        }
        table_ = *std::move(table);
        check();
    }

    // The command's own table wins over the top of the file, so it is applied first.
    void apply(CLI::App& command, bool skips_kept = false) const {
        const toml::table* own = table_[command.get_name()].as_table();
        if (own) apply(*own, command, skips_kept);
        apply(table_, command, skips_kept);
    }

private:
    static std::string read(const std::filesystem::path& path) {
        try {
            return aio::SystemFiles().read_all(path, kFileBytesMax);
        } catch (const aio::IoError& error) {
            throw UsageError(fmt::format("a file of options: {}", error.what()));
        }
    }

    SettingPlace place(const toml::node& node) const { return {name_, node.source().begin.line}; }

    // Every key must be an option of some command, also those that the current command does not
    // use: a typing error is found at once.
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
        fail(place(node), fmt::format("no option '{}'{}", escape_for_terminal(key),
                                      hint_at(key, keys_of(commands))));
    }

    void apply(const toml::table& table, CLI::App& command, bool skips_kept) const {
        for (CLI::Option* option : open_settings(command, skips_kept)) {
            // An option may have several long names; the first that is in the file counts.
            for (const std::string& key : option->get_lnames()) {
                const toml::node* node = table.get(key);
                if (!node || node->is_table()) continue;
                if (origin_ != Origin::user && !may_set(*option, *node)) break;
                set(command, *option, *node, {name_, node->source().begin.line, key});
                break;
            }
        }
    }

    // Whether a folder may set the option. Older folders contain options that they may no longer
    // set, mostly as `false`; these give no warning.
    bool may_set(const CLI::Option& option, const toml::node& node) const {
        const std::string& name = option.get_lnames().front();
        if (keeping_of(name) == Keeping::kept) return true;
        if (origin_ == Origin::folder && node.value_or(true)) {
            fmt::print(stderr,
                       "weft: warning: {}:{}: --{} is not taken from a crawl's folder; give it "
                       "again if it is wanted\n",
                       name_, node.source().begin.line, name);
        }
        return false;
    }

    std::string name_;
    Origin origin_;
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
    for (CLI::Option* option : open_settings(command, sources.skips_kept)) {
        for (const std::string& key : option->get_lnames()) {
            const std::string name = environment_name(key);
            const std::optional<std::string> value = sources.environment(name);
            if (!value || value->empty()) continue;
            const bool many = takes_many(*option);
            set(command, *option, many ? words_of(*value) : std::vector{*value}, "$" + name);
            break;
        }
    }
}

bool is_number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
}

// Numbers and booleans are written without quotes, as users write them.
std::string toml_value(const CLI::Option& option, const std::string& text) {
    if (is_flag(option)) return CLI::detail::to_flag_value(text) > 0 ? "true" : "false";
    if (text == "true" || text == "false" || is_number(text)) return text;
    return toml_string(text);
}

bool has_hidden(std::string_view text) {
    while (!text.empty()) {
        const Utf8Step step = utf8_step(text);
        if (step.length == 0 || is_hidden(step.code_point)) return true;
        text.remove_prefix(step.length);
    }
    return false;
}

// In double quotes, with invisible characters as \UXXXXXXXX.
std::string toml_escaped(std::string_view text) {
    std::string out = "\"";
    while (!text.empty()) {
        const Utf8Step step = utf8_step(text);
        const char32_t c = step.length == 0 ? 0xFFFD : step.code_point;
        const std::size_t length = std::max(1u, step.length);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += static_cast<char>(c);
        } else if (step.length == 0 || is_hidden(c)) {
            out += fmt::format("\\U{:08X}", static_cast<unsigned>(c));
        } else {
            out += text.substr(0, length);
        }
        text.remove_prefix(length);
    }
    return out + '"';
}

// It may block, as no loop runs yet. A folder that cannot be read counts as having no file.
bool is_file(const std::filesystem::path& path) {
    std::error_code error;
    return std::filesystem::is_regular_file(path, error);  // tidy: allow banned-call: no loop yet
}

}  // namespace

bool is_setting(const CLI::Option& option) {
    if (option.get_lnames().empty()) return false;
    const std::string& name = option.get_lnames().front();
    return name != "help" && name != "version" && name != "config" && name != "dry-run";
}

bool is_said(const CLI::Option& option) {
    return option.count() > 0 && !(is_flag(option) && option.results().back() == "false");
}

std::string toml_string(std::string_view text) {
    // A folder from another person may contain anything, and --dry-run prints it on a terminal.
    if (has_hidden(text)) return toml_escaped(text);
    std::ostringstream stream;
    stream << toml::value<std::string>(std::string(text));
    return stream.str();
}

SettingSources system_sources() {
    SettingSources sources;
    sources.files.emplace_back("/etc/weft/weft.toml");
    // XDG Base Directory Specification: $XDG_CONFIG_HOME, else ~/.config.
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

void apply_settings(CLI::App& command, const SettingSources& sources) {
    const CLI::App& app = *command.get_parent();
    // The strongest source first: an option that is set is not changed again.
    apply_environment(command, sources);
    if (!sources.named_file.empty()) {
        if (!is_file(sources.named_file)) {
            throw UsageError(fmt::format("--config {}: there is no such file",
                                         escape_for_terminal(sources.named_file.string())));
        }
        SettingsFile(sources.named_file, app).apply(command, sources.skips_kept);
    }
    if (!sources.kept_name.empty()) {
        SettingsFile(sources, app).apply(command);
    }
    for (auto file = sources.files.rbegin(); file != sources.files.rend(); ++file) {
        if (is_file(*file)) SettingsFile(*file, app).apply(command, sources.skips_kept);
    }
}

std::string to_toml(const CLI::App& command, Secrets secrets) {
    std::string text = fmt::format("[{}]\n", command.get_name());
    for (const CLI::Option* option : command.get_options()) {
        if (!is_setting(*option)) continue;
        const std::string& key = option->get_lnames().front();
        const auto shown = [&](const std::string& value) {
            return secrets == Secrets::removed ? shown_value(key, value) : value;
        };
        std::vector<std::string> values = option->results();
        const std::string& default_text = option->get_default_str();
        if (values.empty() && !default_text.empty()) {
            values = CLI::detail::split(default_text, takes_many(*option) ? ',' : '\0');
        }
        if (values.empty()) {
            text += is_flag(*option) ? key + " = false\n" : "# " + key + " is not set\n";
        } else if (takes_many(*option)) {
            std::string list;
            for (const std::string& value : values) {
                list += (list.empty() ? "" : ", ") + toml_string(shown(value));
            }
            text += fmt::format("{} = [{}]\n", key, list);
        } else {
            text += fmt::format("{} = {}\n", key, toml_value(*option, shown(values.back())));
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

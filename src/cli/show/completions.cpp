#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "cli/options/option_row.h"
#include "cli/show/generated_files.h"

namespace weft::cli {
namespace {

using Out = std::back_insert_iterator<std::string>;

std::string joined(const std::vector<std::string>& words) {
    return fmt::format("{}", fmt::join(words, " "));
}

// A text in single quotes, for bash, zsh and fish alike.
std::string in_quotes(std::string_view text) {
    std::string out = "'";
    for (const char c : text) {
        if (c == '\'') {
            out += "'\\''";
        } else {
            out += c;
        }
    }
    return out + "'";
}

std::vector<std::string> names_below(const CLI::App& app) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
        names.push_back(command->get_name());
    }
    return names;
}

// A case of the bash function: the words that a command accepts, and the completions of each
// option's value.
void add_bash_command(Out out, const CLI::App& command, const std::string& name) {
    std::vector<std::string> words = names_below(command);
    fmt::format_to(out, "    {})\n        case \"$previous\" in\n", in_quotes(name));
    for (const OptionRow& row : option_rows(command)) {
        if (row.is_positional) continue;
        std::ranges::copy(row.names, std::back_inserter(words));
        if (row.value.empty()) continue;
        std::string action = "return";
        if (!row.values.empty()) {
            action = fmt::format("COMPREPLY=($(compgen -W {} -- \"$current\")); return",
                                 in_quotes(joined(row.values)));
        } else if (row.takes_file() || row.takes_folder()) {
            action = fmt::format("COMPREPLY=($(compgen -{} -- \"$current\")); return",
                                 row.takes_file() ? 'f' : 'd');
        }
        fmt::format_to(out, "        {}) {} ;;\n", fmt::join(row.names, "|"), action);
    }
    fmt::format_to(out, "        esac\n        words={}\n        ;;\n", in_quotes(joined(words)));
}

std::string zsh_action(const OptionRow& row) {
    if (!row.values.empty()) return fmt::format("({})", joined(row.values));
    if (row.takes_folder()) return "_directories";
    if (row.takes_file()) return "_files";
    return " ";
}

// Escapes characters that have a meaning in the specifications of zsh's _arguments.
std::string zsh_text(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '[' || c == ']' || c == ':' || c == '\\') out += '\\';
        out += c;
    }
    return out;
}

void add_zsh_command(Out out, const CommandRow& command) {
    fmt::format_to(out, "    {})\n        _arguments -s \\\n", in_quotes(command.name));
    for (const OptionRow& row : option_rows(*command.app)) {
        if (row.is_positional) continue;
        for (const std::string& name : row.names) {
            // The "*" allows an option to be repeated.
            std::string rule = fmt::format("*{}[{}]", name, zsh_text(row.what));
            if (!row.value.empty()) {
                rule += fmt::format(":{}:{}", zsh_text(row.value), zsh_action(row));
            }
            fmt::format_to(out, "            {} \\\n", in_quotes(rule));
        }
    }
    const std::vector<std::string> below = names_below(*command.app);
    fmt::format_to(out, "            {}\n        ;;\n",
                   below.empty() ? "'*:file:_files'"
                                 : in_quotes(fmt::format("1:command:({})", joined(below))));
}

void add_fish_option(Out out, const OptionRow& row, const std::string& condition) {
    if (row.is_positional) return;
    fmt::format_to(out, "complete -c weft{}", condition);
    for (const std::string& name : row.names) {
        const bool is_long = name.starts_with("--");
        fmt::format_to(out, " -{} {}", is_long ? 'l' : 's', name.substr(is_long ? 2 : 1));
    }
    if (!row.values.empty()) {
        fmt::format_to(out, " -x -a {}", in_quotes(joined(row.values)));
    } else if (row.takes_file() || row.takes_folder()) {
        fmt::format_to(out, " -r -F");
    } else if (!row.value.empty()) {
        fmt::format_to(out, " -x");
    }
    fmt::format_to(out, " -d {}\n", in_quotes(row.what));
}

}  // namespace

std::string make_bash_completion(const CLI::App& app) {
    std::string text =
        "# Made by `weft --generate complete-bash`.\n"
        "_weft() {\n"
        "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
        "    local command='' word words=''\n"
        "    for word in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n"
        "        case \"$command $word\" in\n";
    const Out out = std::back_inserter(text);
    std::vector<std::string> all;
    for (const CommandRow& command : command_rows(app)) {
        // The shell compares "$command $word": "warc ls" for an inner command, " crawl" for an
        // outer one.
        const std::string before = command.name.contains(' ') ? "" : " ";
        all.push_back(in_quotes(before + command.name));
    }
    fmt::format_to(out,
                   "        {}) command=\"${{command:+$command }}$word\" ;;\n"
                   "        esac\n    done\n    case \"$command\" in\n",
                   fmt::join(all, "|"));
    add_bash_command(out, app, "");
    for (const CommandRow& command : command_rows(app)) {
        add_bash_command(out, *command.app, command.name);
    }
    text +=
        "    esac\n"
        "    COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
        "    [[ $current == -* || -z $command ]] || COMPREPLY+=($(compgen -f -- \"$current\"))\n"
        "}\n"
        "complete -o filenames -F _weft weft\n";
    return text;
}

std::string make_zsh_completion(const CLI::App& app) {
    std::string text =
        "#compdef weft\n"
        "# Made by `weft --generate complete-zsh`.\n"
        "_weft() {\n"
        "    local -a commands\n"
        "    commands=(\n";
    const Out out = std::back_inserter(text);
    for (const CommandRow& command : command_rows(app)) {
        if (command.name.contains(' ')) continue;
        const std::string what = zsh_text(command.app->get_description());
        fmt::format_to(out, "        {}\n", in_quotes(command.name + ":" + what));
    }
    std::vector<std::string> outer;  // Commands with subcommands.
    for (const CommandRow& command : command_rows(app)) {
        if (!names_below(*command.app).empty()) outer.push_back(command.name);
    }
    fmt::format_to(out,
                   "    )\n"
                   "    if (( CURRENT == 2 )); then\n"
                   "        _describe command commands\n"
                   "        return\n"
                   "    fi\n"
                   "    local name=${{words[2]}}\n"
                   "    shift words; (( CURRENT-- ))\n"
                   "    if [[ $name == ({}) && $CURRENT -gt 2 ]]; then\n"
                   "        name=\"$name ${{words[2]}}\"\n"
                   "        shift words; (( CURRENT-- ))\n"
                   "    fi\n"
                   "    case $name in\n",
                   fmt::join(outer, "|"));
    for (const CommandRow& command : command_rows(app)) add_zsh_command(out, command);
    return text + "    esac\n}\n_weft \"$@\"\n";
}

std::string make_fish_completion(const CLI::App& app) {
    std::string text = "# Made by `weft --generate complete-fish`.\n";
    const Out out = std::back_inserter(text);
    for (const OptionRow& row : option_rows(app)) {
        add_fish_option(out, row, " -n '__fish_use_subcommand'");
    }
    for (const CommandRow& command : command_rows(app)) {
        // Commands are nested at most once: "warc ls".
        const std::size_t blank = command.name.find(' ');
        const std::string outer = command.name.substr(0, blank);
        const std::string inner = blank == std::string::npos ? "" : command.name.substr(blank + 1);
        if (inner.empty()) {
            fmt::format_to(out, "complete -c weft -f -n '__fish_use_subcommand' -a {} -d {}\n",
                           outer, in_quotes(command.app->get_description()));
        } else {
            fmt::format_to(out,
                           "complete -c weft -n '__fish_seen_subcommand_from {}' -a {} -d {}\n",
                           outer, inner, in_quotes(command.app->get_description()));
        }
        const std::string condition =
            fmt::format(" -n '__fish_seen_subcommand_from {}'", inner.empty() ? outer : inner);
        for (const OptionRow& row : option_rows(*command.app)) {
            add_fish_option(out, row, condition);
        }
    }
    return text;
}

std::vector<std::string> generated_names() {
    return {"man", "complete-bash", "complete-zsh", "complete-fish"};
}

std::string generate(const CLI::App& app, const std::string& name) {
    if (name == "man") return make_man_page(app);
    if (name == "complete-bash") return make_bash_completion(app);
    if (name == "complete-zsh") return make_zsh_completion(app);
    return make_fish_completion(app);
}

}  // namespace weft::cli

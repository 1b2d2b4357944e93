#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// The sources of options that the command line does not set. Each option has one name: the flag
// `--max-per-host` is the key `max-per-host` of a TOML file and the environment variable
// WEFT_MAX_PER_HOST. Sources further right win:
//
//     system file < user's file < --config FILE < environment < command line
//
// A key at the top of a file applies to every command that has such an option. A key in a table
// named after a command applies to that command only, and wins over the top:
//
//     user-agent = "example/1.0 (+https://example.com/bot)"
//     [crawl]
//     concurrency = 64
//     exclude = ["/private/", "\\.iso$"]
namespace weft::cli {

// All sources but the command line.
struct SettingSources {
    std::vector<std::filesystem::path> files;  // The weakest first. Missing files are skipped,
    std::filesystem::path named_file;  // except this one, of --config, which is the strongest.
    bool skips_kept = false;           // Set no option that a crawl's folder keeps (Keeping).

    // The settings in the folder of a crawl. Only options that a folder may set are taken from them
    // (Keeping).
    std::filesystem::path kept_name;
    std::string kept_text;
    bool warns_of_kept = true;  // Print which options are ignored.

    // The value of an environment variable. An empty value counts as not set.
    std::function<std::optional<std::string>(const std::string&)> environment;
};

// The files and the environment of the current system and user.
SettingSources system_sources();

// Sets every option of `command` that has no value yet, from the strongest source that has it.
// Throws a UsageError that names file, line and key, and for a key that is an option of no command
// the nearest known one.
void apply_settings(CLI::App& command, const SettingSources& sources);

// Whether the option may be in a file; and whether it was given, but not as `false`.
bool is_setting(const CLI::Option& option);
bool is_said(const CLI::Option& option);

// Every option of the command with its current value, in the form of a configuration file.
// Secrets::removed is for output that people read (secrets.h).
enum class Secrets { kept, removed };
std::string to_toml(const CLI::App& command, Secrets secrets);

// The text as a quoted value of a TOML file.
std::string toml_string(std::string_view text);

// "--max-per-host" as WEFT_MAX_PER_HOST.
std::string environment_name(std::string_view option);

}  // namespace weft::cli

#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Where options come from when the command line leaves them open. Each option has one name: the
// flag `--max-per-host` is the key `max-per-host` of a TOML file and the environment's
// WEFT_MAX_PER_HOST. The later of these wins:
//
//     system file < user's file < --config FILE < environment < command line
//
// A key stands at the top of a file, where it holds for every command that has such an option, or
// in a table named after a command, where it holds for that one and wins over the top:
//
//     user-agent = "example/1.0 (+https://example.com/bot)"
//     [crawl]
//     concurrency = 64
//     exclude = ["/private/", "\\.iso$"]
namespace weft::cli {

struct SettingSources {
    std::vector<std::filesystem::path> files;  // The weakest first. One that is missing is skipped,
    std::filesystem::path named_file;          // but not this one, of --config, the strongest.

    // What the folder of a crawl keeps: only options that a folder may set are taken from it
    // (kept_options.h).
    std::filesystem::path kept_name;
    std::string kept_text;
    bool warns_of_kept = true;  // Says which options are passed over.

    // The value of an environment variable; one that is empty counts as not set.
    std::function<std::optional<std::string>(const std::string&)> environment;
};

// The files and the environment of this system and user.
SettingSources system_sources();

// Gives every option of `command` that has no value yet the one of the strongest source that has
// it. `app` tells which keys are options of another command. Throws UsageError that names file,
// line and key, and the nearest name for one that nobody knows.
void apply_settings(CLI::App& command, const CLI::App& app, const SettingSources& sources);

// Whether the option can stand in a file; whether it was given, and not as `false`.
bool is_setting(const CLI::Option& option);
bool is_said(const CLI::Option& option);

// Every option of the command with its value as it stands, in the form of a configuration file; for
// people to read, secrets are left out of it (secrets.h).
enum class Secrets { kept, removed };
std::string to_toml(const CLI::App& command, Secrets secrets);

// The text as a value of a TOML file.
std::string toml_string(std::string_view text);

// "--max-per-host" as WEFT_MAX_PER_HOST.
std::string environment_name(std::string_view option);

}  // namespace weft::cli

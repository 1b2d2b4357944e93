#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace weft::cli {

// An option, as the man page and the completions of shells need it.
struct OptionRow {
    std::vector<std::string> names;   // "-o", "--output".
    std::string value;                // "DIR": the kind of its value; empty for a flag.
    std::string maybe_value;          // "FORM": of a value that may be given behind "=".
    std::vector<std::string> values;  // All possible values, if they are a fixed few.
    std::string what;                 // The description, which ends with the default.
    std::string group;
    std::string place;           // Its name as a positional argument; empty if it cannot be one.
    bool is_positional = false;  // It can only be positional: `names` holds that name.

    bool takes_file() const { return value == "FILE"; }
    bool takes_folder() const { return value == "DIR"; }
};

// The description of an option, with its default at the end: "a WARC file is closed past this
// (default: 1 GiB)".
std::string what_of(const CLI::Option& option);

std::vector<OptionRow> option_rows(const CLI::App& command);

// A command that can be typed, such as "crawl" or "warc ls".
struct CommandRow {
    const CLI::App* app = nullptr;
    std::string name;  // Without the program's name.
};

// In the order of --help.
std::vector<CommandRow> command_rows(const CLI::App& app);

}  // namespace weft::cli

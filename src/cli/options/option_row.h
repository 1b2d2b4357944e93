#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace weft::cli {

// An option, as man pages and shells need it.
struct OptionRow {
    std::vector<std::string> names;   // "-o", "--output".
    std::string value;                // "DIR": what it takes; empty for a flag.
    std::vector<std::string> values;  // All it can be, if it is one of a few.
    std::string what;                 // With the default at its end.
    std::string group;
    std::string place;           // Its name where it can stand without dashes; else empty.
    bool is_positional = false;  // It can stand nowhere else: `names` has that name.

    bool takes_file() const { return value == "FILE"; }
    bool takes_folder() const { return value == "DIR"; }
};

// What an option does, with its default at the end: "a WARC file is closed past this (default:
// 1 GiB)".
std::string what_of(const CLI::Option& option);

std::vector<OptionRow> option_rows(const CLI::App& command);

// "crawl", "warc ls": every command that can be typed, in the order of --help.
struct CommandRow {
    const CLI::App* app = nullptr;
    std::string name;  // Without the program's.
};
std::vector<CommandRow> command_rows(const CLI::App& app);

}  // namespace weft::cli

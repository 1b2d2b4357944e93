#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

// Texts that are generated from the same table of options as --help, so that they cannot disagree.
namespace weft::cli {

// The values of --generate.
std::vector<std::string> generated_names();

// REQUIRES: `name` is one of generated_names().
std::string generate(const CLI::App& app, const std::string& name);

std::string make_man_page(const CLI::App& app);
std::string make_bash_completion(const CLI::App& app);
std::string make_zsh_completion(const CLI::App& app);
std::string make_fish_completion(const CLI::App& app);

}  // namespace weft::cli

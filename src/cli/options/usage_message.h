#pragma once

#include <string>

namespace CLI {
class App;
class Error;
class ParseError;
}  // namespace CLI

namespace weft::cli {

// What is wrong with a command line, and what to type instead.
std::string usage_message(const CLI::App& app, const CLI::ParseError& error);

// What is wrong with the value of an option, wherever it comes from.
std::string value_message(const CLI::App& command, const CLI::Error& error);

}  // namespace weft::cli

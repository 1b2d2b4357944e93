#pragma once

#include <CLI/CLI.hpp>
#include <concepts>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/escape.h"

// Checks of option values. The message of each check continues the option's name: "takes on or off,
// not 'maybe'".
namespace weft::cli {

CLI::Validator one_of(const std::vector<std::string>& names);

template <class Number>
CLI::Validator between(Number low, Number high) {
    return CLI::Validator(
        [low, high](std::string& text) -> std::string {
            Number value{};
            if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return "";
            const std::string range = std::integral<Number>
                                          ? fmt::format("whole number from {} to {}", low, high)
                                          : fmt::format("number from {} to {}", low, high);
            return fmt::format("takes a {}, not '{}'", range, escape_for_terminal(text));
        },
        "");
}

// Lets `true` stand for `word`, and `false` pass. An option with it may be given without a value.
CLI::Validator or_flag(const std::string& word, CLI::Validator check);

// Turns "20M" and "1 GiB" into a number of bytes, of at least `low`.
CLI::Validator size_in_bytes(std::uint64_t low = 0);

// Says that there is no file of this name; empty if there is one. For that().
std::string complaint_about_file(const std::string& path);

// Accepts a value if `complaint` returns an empty text; otherwise the message is the value and this
// text.
CLI::Validator that(std::function<std::string(const std::string& text)> complaint);

}  // namespace weft::cli

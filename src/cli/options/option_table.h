#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <concepts>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/clock.h"
#include "cli/options/value_checks.h"

// The options of all commands are rows of tables. `--help`, the man page, completions,
// settings files, environment variables, `--dry-run` and the settings that a crawl's folder keeps
// are all made of these rows.
namespace weft::cli {

// What the folder of a crawl (state/crawl.toml) stores about an option for later runs. Folders are
// passed on to other people, so only options that are `kept` are read from one.
enum class Keeping {
    kept,         // Its value.
    given_again,  // Only that it was given: it is a secret, or names a file outside the folder.
    this_run,     // Nothing: it is about one run, or about files outside the folder.
};

// How the texts of an option become the value of a field. The functions below make one; the field
// must outlive it. The default is the value that the field has at that time.
struct OptionValue {
    // `maybe`: a value only behind "=", because a URL may follow: "--text=markdown", "--text".
    enum class Takes { nothing, maybe, one, many };
    Takes takes = Takes::one;
    CLI::callback_t store;  // Returns false if a text is not a value of the field's type.
    std::optional<CLI::Validator> check = {};  // It may change the text: "1K" to "1024".
    std::string default_text = {};             // Empty: the help shows none.
    bool has_commas = false;                   // Several values may be typed at once: "a,b".

    OptionValue separated_by_commas() && { return has_commas = true, std::move(*this); }
    OptionValue without_default() && { return default_text.clear(), std::move(*this); }
};

// One option. `Target` holds the fields of a command's options.
template <class Target>
struct OptionSpec {
    const char* names;  // "-o,--output". The first long name is the key in settings files.
    const char* type;   // The kind of its value for the help: "DIR"; empty for a flag.
    const char* what;
    OptionValue (*value)(Target& target);
    Keeping keeping = Keeping::kept;
    const char* letters = "";  // Short names of curl, which only `fetch` has.
};

// The first long name without its dashes.
std::string_view key_of(std::string_view names);

CLI::Option* add_option(CLI::App& command, const std::string& names, const char* type,
                        const char* what, OptionValue value);

// Adds the rows under a heading of the command's help. An option that may be repeated takes one
// value each time, so that a URL can follow it.
template <class Rows, class Target>
void add_options(CLI::App& command, const char* heading, const Rows& rows, Target& target,
                 bool has_letters = false) {
    for (const auto& row : rows) {
        const bool is_lettered = has_letters && *row.letters;
        add_option(command, (is_lettered ? row.letters + std::string(",") : "") + row.names,
                   row.type, row.what, row.value(target))
            ->group(heading);
    }
}

// For options that say the same in other words: only one of them can be given, and a weaker source
// of settings cannot add another.
void exclude_each_other(CLI::App& command, const std::vector<std::string>& names);

// A flag.
OptionValue does(std::function<void()> action);

template <class Field>
OptionValue sets(Field& field, std::type_identity_t<Field> value) {
    return does([&field, value] { field = value; });
}

inline OptionValue flag(bool& field) {
    return sets(field, true);
}

// A flag that is accepted because other programs have it.
inline OptionValue ignored() {
    return does([] {});
}

// A number, or an optional one. Without bounds it is checked by its type alone.
template <class Field>
OptionValue number(Field& field) {
    OptionValue value;
    value.store = [&field](const CLI::results_t& texts) {
        return CLI::detail::lexical_conversion<Field, Field>(texts, field);
    };
    if constexpr (std::is_arithmetic_v<Field>) value.default_text = fmt::format("{}", field);
    return value;
}

template <class Field, class Number>
OptionValue number(Field& field, Number low, Number high) {
    OptionValue value = number(field);
    value.check = between(low, high);
    return value;
}

// A limit; 0 is none, as in wget and Browsertrix. So `resume` can remove a limit.
template <class Number>
OptionValue limit(std::optional<Number>& field) {
    OptionValue value = number(field);
    value.store = [&field, store = std::move(value.store)](const CLI::results_t& texts) {
        const bool is_number = store(texts);
        if (field == Number{}) field.reset();
        return is_number;
    };
    if (field) value.default_text = fmt::format("{}", *field);
    return value;
}

template <class Number>
OptionValue limit(std::optional<Number>& field, Number high) {
    OptionValue value = limit(field);
    value.check = between(Number{}, high);
    return value;
}

OptionValue seconds(Duration& field, double low, double high);
OptionValue seconds(std::optional<Duration>& field, double low, double high);
OptionValue limit_in_seconds(std::optional<Duration>& field);

// A number of bytes: "20M", "1 GiB".
OptionValue size(std::uint64_t& field, std::uint64_t low = 0);
OptionValue size_limit(std::optional<std::uint64_t>& field);

// A text. `complaint` says why it cannot be taken; see that() of value_checks.h.
using Complaint = std::string (*)(const std::string& text);
using Take = std::function<void(const std::string& text)>;
OptionValue text(std::string& field, Complaint complaint = nullptr);
OptionValue text(std::filesystem::path& field, Complaint complaint = nullptr);
OptionValue text(Take take, Complaint complaint = nullptr);

// An option that may be repeated.
OptionValue texts(std::vector<std::string>& field);
OptionValue texts(Take take, Complaint complaint);
OptionValue texts(std::vector<std::string>& field, const std::vector<std::string>& names);

template <std::integral Number>
OptionValue numbers(std::vector<Number>& field, int low, int high) {
    OptionValue value = number(field);
    value.takes = OptionValue::Takes::many;
    value.check = between(low, high);
    value.default_text = fmt::format("{}", fmt::join(field, ","));
    return value;
}

// One of a few words.
template <class Field>
using Choices = std::vector<std::pair<std::string, std::type_identity_t<Field>>>;
template <class Field>
OptionValue choice(Field& field, const Choices<Field>& values) {
    std::vector<std::string> names;
    OptionValue made;
    for (const auto& [name, value] : values) {
        names.push_back(name);
        if (field == value) made.default_text = name;
    }
    made.check = one_of(names);
    made.store = [&field, values](const CLI::results_t& texts) {
        const auto is_it = [&](const auto& each) { return each.first == texts.back(); };
        field = std::ranges::find_if(values, is_it)->second;
        return true;
    };
    return made;
}

// One of a few words, or the option alone, which is the first of them. In a settings file `true` is
// that word too, and `false` is none.
template <class Field>
OptionValue choice_or_flag(Field& field, const Choices<Field>& values) {
    OptionValue made = choice(field, values);
    made.takes = OptionValue::Takes::maybe;
    made.default_text = {};
    made.check = or_flag(values.front().first, *made.check);
    made.store = [store = std::move(made.store)](const CLI::results_t& texts) {
        return texts.back() == "false" || store(texts);
    };
    return made;
}

}  // namespace weft::cli

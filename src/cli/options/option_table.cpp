#include "cli/options/option_table.h"

namespace weft::cli {
namespace {

OptionValue taken(OptionValue::Takes takes, Take take, Complaint complaint) {
    OptionValue value;
    value.takes = takes;
    value.store = [take = std::move(take)](const CLI::results_t& texts) {
        for (const std::string& each : texts) take(each);
        return true;
    };
    if (complaint) value.check = that(complaint);
    return value;
}

// `field` is a Duration or an optional one.
OptionValue seconds_of(auto& field, double low, double high) {
    OptionValue value;
    value.check = between(low, high);
    value.store = [&field](const CLI::results_t& texts) {
        double typed = 0;
        const bool is_number = CLI::detail::lexical_cast(texts.back(), typed);
        field = Delay(std::chrono::duration<double>(typed));
        return is_number;
    };
    return value;
}

}  // namespace

std::string_view key_of(std::string_view names) {
    names.remove_prefix(std::min(names.find("--"), names.size() - 2) + 2);
    return names.substr(0, names.find(','));
}

CLI::Option* add_option(CLI::App& command, const std::string& names, const char* type,
                        const char* what, OptionValue value) {
    if (value.takes == OptionValue::Takes::nothing) {
        return command.add_flag_callback(
            names, [store = std::move(value.store)] { store({}); }, what);
    }
    if (value.takes == OptionValue::Takes::maybe) {
        // To CLI11 this is a flag: without "=" it does not take the next word.
        return command.add_option(names, std::move(value.store), what)
            ->type_name(type)
            ->expected(0)
            ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast)
            ->transform(*value.check);
    }
    CLI::Option* option = command.add_option(names, std::move(value.store), what)->type_name(type);
    if (value.takes == OptionValue::Takes::many) {
        option->expected(CLI::detail::expected_max_vector_size);
        option->allow_extra_args(option->get_positional());
    }
    if (value.has_commas) option->delimiter(',');
    if (value.check) option->transform(*value.check);
    return option->default_str(value.default_text);
}

void exclude_each_other(CLI::App& command, const std::vector<std::string>& names) {
    for (std::size_t i = 0; i < names.size(); ++i) {
        for (std::size_t j = i + 1; j < names.size(); ++j) {
            command.get_option(names[i])->excludes(command.get_option(names[j]));
        }
    }
}

OptionValue does(std::function<void()> action) {
    OptionValue value;
    value.takes = OptionValue::Takes::nothing;
    value.store = [action = std::move(action)](const CLI::results_t&) { return action(), true; };
    return value;
}

OptionValue seconds(Duration& field, double low, double high) {
    OptionValue value = seconds_of(field, low, high);
    value.default_text = fmt::format("{}", in_seconds(field));
    return value;
}

OptionValue seconds(std::optional<Duration>& field, double low, double high) {
    return seconds_of(field, low, high);
}

OptionValue limit_in_seconds(std::optional<Duration>& field) {
    OptionValue value = seconds(field, 0.0, 1e9);
    value.store = [&field, store = std::move(value.store)](const CLI::results_t& texts) {
        const bool is_number = store(texts);
        if (field == Duration::zero()) field.reset();
        return is_number;
    };
    return value;
}

OptionValue size(std::uint64_t& field, std::uint64_t low) {
    OptionValue value = number(field);
    value.check = size_in_bytes(low);
    return value;
}

OptionValue size_limit(std::optional<std::uint64_t>& field) {
    OptionValue value = limit(field);
    value.check = size_in_bytes();
    return value;
}

OptionValue text(std::string& field, Complaint complaint) {
    OptionValue value = text([&field](const std::string& typed) { field = typed; }, complaint);
    value.default_text = field;
    return value;
}

OptionValue text(std::filesystem::path& field, Complaint complaint) {
    return text([&field](const std::string& typed) { field = typed; }, complaint);
}

OptionValue text(Take take, Complaint complaint) {
    return taken(OptionValue::Takes::one, std::move(take), complaint);
}

OptionValue texts(std::vector<std::string>& field) {
    return texts([&field](const std::string& typed) { field.push_back(typed); }, nullptr);
}

OptionValue texts(Take take, Complaint complaint) {
    return taken(OptionValue::Takes::many, std::move(take), complaint);
}

OptionValue texts(std::vector<std::string>& field, const std::vector<std::string>& names) {
    OptionValue value = texts(field);
    value.check = one_of(names);
    return value;
}

}  // namespace weft::cli

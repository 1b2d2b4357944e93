#include "cli/kept_config.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "cli/crawl_folder.h"
#include "cli/crawl_options.h"
#include "crawl/folder.h"
#include "crawl/kept_settings.h"

namespace weft::cli {

namespace {

SettingSources sources_of(const std::string& folder, std::string text) {
    SettingSources sources;
    sources.kept_name = std::filesystem::path(folder) / crawl::Folder::kSettingsName;
    sources.kept_text = std::move(text);
    sources.environment = [](const std::string&) { return std::nullopt; };
    return sources;
}

// Why a crawl's options cannot be read from it; empty if they can.
std::string complaint_about(const SettingSources& sources) {
    try {
        if (trim(sources.kept_text).empty()) return "it is empty";
        CLI::App app;
        CrawlArguments arguments;
        add_resume(app, arguments);
        apply_settings(*app.get_subcommand("resume"), app, sources);
        return arguments.urls.empty() ? "no start of the crawl is in it" : "";
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace

SettingSources kept_sources(const std::string& folder) {
    const std::unique_ptr<aio::FileSystem> files = open_crawl_folder(folder);
    SettingSources sources = sources_of(folder, crawl::Folder::settings(*files, folder));
    const std::string complaint = complaint_about(sources);
    if (complaint.empty()) return sources;
    throw UsageError(fmt::format(
        "{} cannot be read: {}; put it back from a copy, or `weft repair {}` restores it",
        escape_for_terminal(sources.kept_name.string()), complaint, shell_word(folder)));
}

SettingSources repaired_sources(const std::string& folder, std::string& restored) {
    static aio::SystemFiles all;
    if (!all.exists(folder)) return kept_sources(folder);  // Says so.
    const std::unique_ptr<aio::FileSystem> files = all.inside(folder);
    const std::filesystem::path place =
        std::filesystem::path(folder) / crawl::Folder::kSettingsName;
    std::string complaint = "it is missing";
    if (files->exists(place)) {
        SettingSources sources = sources_of(folder, crawl::Folder::settings(*files, folder));
        complaint = complaint_about(sources);
        if (complaint.empty()) return sources;
    }
    const auto copy = crawl::settings_copy(*files, folder);
    if (!copy || !complaint_about(sources_of(folder, *copy)).empty()) {
        throw UsageError(fmt::format(
            "{} holds no crawl that can be repaired: {}: {}, and {}, its copy, is of no use "
            "either; put one of them back from a copy",
            escape_for_terminal(folder), crawl::Folder::kSettingsName, complaint,
            crawl::Folder::kSettingsCopyName));
    }
    files->create_directories(place.parent_path());
    if (files->exists(place)) {
        crawl::Aside(*files, folder, SystemClock().wall()).take(place, "crawl.toml.damaged");
    }
    crawl::write_settings(*files, folder, *copy);
    restored = fmt::format("{} is restored from {}: {}", crawl::Folder::kSettingsName,
                           crawl::Folder::kSettingsCopyName, complaint);
    return sources_of(folder, *copy);
}

crawl::Config kept_config(const std::string& folder) {
    CLI::App app;
    CrawlArguments arguments;
    add_resume(app, arguments);
    apply_settings(*app.get_subcommand("resume"), app, kept_sources(folder));
    arguments.output = folder;
    return make_config(arguments);
}

}  // namespace weft::cli

#include "cli/options/folder_settings.h"

#include <CLI/CLI.hpp>
#include <charconv>

#include <fmt/format.h>

#include "archive/index/lines.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "crawl/folder/folder.h"
#include "crawl/folder/kept_settings.h"

namespace weft::cli {
namespace {

constexpr std::string_view kBegun = "# begun: ";
constexpr std::string_view kMemory = "memory = ";

SettingSources sources_of(const std::string& folder, std::string text) {
    SettingSources sources;
    sources.kept_name = std::filesystem::path(folder) / crawl::CrawlFolder::kSettingsName;
    sources.kept_text = std::move(text);
    // The environment of today must not change a crawl that was started earlier.
    sources.environment = [](const std::string&) { return std::nullopt; };
    return sources;
}

// Why the options cannot be used; empty if they can. It parses them as `resume` would.
std::string complaint_about(SettingSources sources) {
    sources.warns_of_kept = false;
    try {
        if (trim(sources.kept_text).empty()) return "it is empty";
        CLI::App app;
        CrawlJob job;
        add_resume(app, job);
        apply_settings(*app.get_subcommand("resume"), sources);
        return job.urls.empty() ? "no start of the crawl is in it" : "";
    } catch (const Error& error) {
        return error.what();
    }
}

}  // namespace

SettingSources kept_sources(const std::string& folder) {
    // Not open_crawl_folder(), because `resume` finishes a repair that was interrupted.
    static aio::SystemFiles all;  // tidy: allow shared-state: it holds nothing.
    if (!all.exists(folder)) {
        throw UsageError(fmt::format("{} holds no crawl to go on with: there is no such folder",
                                     escape_for_terminal(folder)));
    }
    const std::unique_ptr<aio::FileSystem> files = all.inside(folder);
    SettingSources sources = sources_of(folder, crawl::CrawlFolder::settings(*files, folder));
    const std::string complaint = complaint_about(sources);
    if (complaint.empty()) return sources;
    throw UsageError(fmt::format(
        "{} cannot be read: {}; put it back from a copy, or `weft repair {}` restores it",
        escape_for_terminal(sources.kept_name.string()), complaint, shell_word(folder)));
}

SettingSources repaired_sources(const std::string& folder, std::string& restored) {
    static aio::SystemFiles all;  // tidy: allow shared-state: it holds nothing.
    if (!all.exists(folder)) return kept_sources(folder);  // Throws.
    const std::unique_ptr<aio::FileSystem> files = all.inside(folder);
    const std::filesystem::path place =
        std::filesystem::path(folder) / crawl::CrawlFolder::kSettingsName;
    std::string complaint = "it is missing";
    if (files->exists(place)) {
        SettingSources sources = sources_of(folder, crawl::CrawlFolder::settings(*files, folder));
        complaint = complaint_about(sources);
        if (complaint.empty()) return sources;
    }
    // The copy is checked the same way before it replaces anything.
    const auto copy = crawl::settings_copy(*files, folder);
    if (!copy || !complaint_about(sources_of(folder, *copy)).empty()) {
        throw UsageError(fmt::format(
            "{} holds no crawl that can be repaired: {}: {}, and {}, its copy, is of no use "
            "either; put one of them back from a copy",
            escape_for_terminal(folder), crawl::CrawlFolder::kSettingsName, complaint,
            crawl::CrawlFolder::kSettingsCopyName));
    }
    files->create_directories(place.parent_path());
    if (files->exists(place)) {
        crawl::Aside(*files, folder, SystemClock().wall()).take(place, "crawl.toml.damaged");
    }
    crawl::write_settings(*files, folder, *copy);
    restored = fmt::format("{} is restored from {}: {}", crawl::CrawlFolder::kSettingsName,
                           crawl::CrawlFolder::kSettingsCopyName, complaint);
    return sources_of(folder, *copy);
}

crawl::Config kept_config(const std::string& folder) {
    CLI::App app;
    CrawlJob job;
    add_resume(app, job);
    apply_settings(*app.get_subcommand("resume"), kept_sources(folder));
    job.config.output = folder;
    complete(job);
    return std::move(job.config);
}

KeptFacts kept_facts(aio::FileSystem& files, const std::filesystem::path& folder) {
    KeptFacts facts;
    if (!files.exists(folder / crawl::CrawlFolder::kSettingsName)) return facts;
    const std::string settings = crawl::CrawlFolder::settings(files, folder);
    // Looks only at the lines that it needs, and does not parse the rest.
    for (std::string_view text = settings; !text.empty();) {
        const std::string_view line = archive::take_line(text);
        if (line.starts_with(kBegun)) facts.begun = parse_iso8601(line.substr(kBegun.size()));
        if (line == "keep-session-ids = true") facts.keeps_session_ids = true;
        if (line.starts_with(kMemory)) {
            const std::string_view number = line.substr(kMemory.size());
            std::from_chars(number.begin(), number.end(), facts.memory_bytes);
        }
    }
    return facts;
}

std::string begun_line(WallTime begun) {
    return fmt::format("{}{}\n", kBegun, to_iso8601(begun, 3));
}

}  // namespace weft::cli

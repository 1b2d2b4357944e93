#include "cli/kept_config.h"

#include <CLI/CLI.hpp>

#include <fmt/format.h>

#include "archive/lines.h"
#include "cli/crawl_options.h"
#include "cli/settings.h"
#include "crawl/folder.h"

namespace weft::cli {
namespace {

constexpr std::string_view kBegun = "# begun: ";

}  // namespace

crawl::Config kept_config(const std::string& folder) {
    crawl::Folder::settings(folder);  // Says so if there is no crawl.
    CLI::App app;
    CrawlArguments arguments;
    add_resume(app, arguments);
    SettingSources sources;
    sources.named_file = std::filesystem::path(folder) / crawl::Folder::kSettingsName;
    sources.environment = [](const std::string&) { return std::nullopt; };
    apply_settings(*app.get_subcommand("resume"), app, sources);
    arguments.output = folder;
    return make_config(arguments);
}

KeptFacts kept_facts(aio::FileSystem& files, const std::filesystem::path& folder) {
    KeptFacts facts;
    if (!files.exists(folder / crawl::Folder::kSettingsName)) return facts;
    const std::string settings = crawl::Folder::settings(folder);
    for (std::string_view text = settings; !text.empty();) {
        const std::string_view line = archive::take_line(text);
        if (line.starts_with(kBegun)) facts.begun = parse_iso8601(line.substr(kBegun.size()));
        if (line == "keep-session-ids = true") facts.keeps_session_ids = true;
    }
    return facts;
}

std::string begun_line(WallTime begun) {
    return fmt::format("{}{}\n", kBegun, to_iso8601(begun, 3));
}

}  // namespace weft::cli

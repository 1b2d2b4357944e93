#include "cli/kept_config.h"

#include <CLI/CLI.hpp>

#include "cli/crawl_options.h"
#include "cli/settings.h"
#include "crawl/folder.h"

namespace weft::cli {

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

}  // namespace weft::cli

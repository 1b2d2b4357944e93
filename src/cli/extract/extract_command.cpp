#include "cli/extract/extract_command.h"

#include <optional>

#include <fmt/format.h>

#include "aio/loop/run.h"
#include "aio/loop/shards.h"
#include "aio/task/errors.h"
#include "aio/task/task_group.h"
#include "cli/crawl/private_files.h"
#include "cli/crawl/progress.h"
#include "cli/extract/extract_progress.h"
#include "cli/extract/extract_sources.h"
#include "cli/extract/extract_target.h"
#include "cli/show/exit_status.h"
#include "cli/show/standard_streams.h"
#include "crawl/extract/archive_extraction.h"

namespace weft::cli {

using aio::Co;

namespace {

// More messages about damage are counted, not shown.
constexpr std::uint64_t kDamagesShownMax = 20;

crawl::ExtractionOptions options_of(const ExtractArguments& arguments,
                                    std::shared_ptr<const extract::Rules> rules) {
    const bool wants_rows = rules && !rules->rules.empty();
    // The text of rows is only needed to find copies.
    const bool wants_text = !wants_rows || arguments.is_unique;
    const bool is_line = arguments.format == ExtractFormat::jsonl && !wants_rows;
    crawl::ExtractionOptions options;
    options.wishes = {.text = wants_text ? text_form_of(arguments) : extract::TextForm::none,
                      .whole_page = arguments.whole_page,
                      .detects_language = !wants_rows && arguments.format != ExtractFormat::wet,
                      .lists_links = is_line,
                      .structured = arguments.structured,
                      .takes_simhash = is_line || arguments.is_unique,
                      .purpose = arguments.use.purpose,
                      .keeps_reserved = arguments.use.keeps_reserved.value_or(false),
                      .rules = std::move(rules)};
    options.include = arguments.include;
    options.exclude = arguments.exclude;
    options.is_unique = arguments.is_unique;
    options.thread_count = arguments.threads.value_or(static_cast<unsigned>(aio::core_count()));
    return options;
}

Co<> extract_with_progress(crawl::ArchiveExtraction& extraction, ExtractProgress& progress) {
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        const auto shown = group.create_task(progress.run());
        co_await extraction.run();
        group.cancel();
    });
}

int report(const ExtractArguments& arguments, const ExtractTarget& target,
           const crawl::ExtractionNumbers& numbers) {
    if (!arguments.is_quiet) {
        std::string text = fmt::format("{}: {} pages of {} records",
                                       target.shown.empty() ? "weft extract" : target.shown,
                                       numbers.page_count, numbers.record_count);
        if (!arguments.rules.rules_file.empty())
            text += fmt::format(", {} rows", numbers.row_count);
        if (arguments.is_unique) text += fmt::format(", copies left out: {}", numbers.copy_count);
        // The result itself may be on standard output.
        say_all(stderr, text + "\n");
    }
    if (numbers.damage_count == 0) return exit_done;
    if (numbers.damage_count > kDamagesShownMax && !arguments.is_quiet)
        say_all(stderr, fmt::format("and {} more\n", numbers.damage_count - kDamagesShownMax));
    say_all(
        stderr,
        fmt::format("weft: error: damaged places that were skipped: {}; all else is extracted\n",
                    numbers.damage_count));
    return exit_file;
}

// Opens the output while Ctrl-C is handled, so that an interrupt leaves no part of a file behind.
Co<int> extract_to_target(const ExtractArguments& arguments, const ExtractSources& sources,
                          std::shared_ptr<const extract::Rules> rules) {
    const ExtractTarget target = open_target(arguments, sources, rules.get());
    std::optional<ExtractProgress> progress;
    std::uint64_t told_count = 0;
    const auto tell = [&](const std::string& damage) {
        if (++told_count <= kDamagesShownMax) progress->say(damage);
    };
    crawl::ArchiveExtraction extraction(sources.inputs, options_of(arguments, rules),
                                        *target.output, tell);
    progress.emplace(arguments.is_quiet ? ProgressForm::none : parse_progress(arguments.progress),
                     extraction.numbers());
    try {
        co_await extract_with_progress(extraction, *progress);
    } catch (...) {
        progress->finish();
        throw;
    }
    progress->finish();
    co_return report(arguments, target, extraction.numbers());
}

}  // namespace

int run_extract(const ExtractArguments& arguments) {
    check_extract_options(arguments);
    const std::shared_ptr<const extract::Rules> rules = make_rules(arguments.rules);
    for (const std::string& path : arguments.paths) keep_private_as(path);
    const ExtractSources sources = open_sources(arguments.paths);
    try {
        return aio::run(extract_to_target(arguments, sources, rules));
    } catch (const aio::KeyboardInterrupt&) {
        return exit_interrupted;
    }
}

}  // namespace weft::cli

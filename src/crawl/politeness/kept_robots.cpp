#include "crawl/politeness/kept_robots.h"

#include "archive/index/crawl_snapshot.h"
#include "archive/index/line_reader.h"
#include "archive/index/page_reader.h"
#include "base/escape.h"
#include "base/limits.h"
#include "crawl/folder/stored_response.h"
#include "crawl/politeness/robots_cache.h"

namespace weft::crawl {

namespace {

constexpr std::size_t kRobotsRecordBytesMax = 2 * limits::kRobotsBytesMax;

// Finds the last step of the last fetch. The log has the steps of one fetch (its redirects) in
// consecutive lines.
std::optional<Outcome> find_answer(aio::File& list, const std::string& robots_url) {
    const std::string start = "{\"url\":\"" + escape_for_json(robots_url) + '"';
    std::optional<Outcome> found;
    bool is_in_chain = false;
    archive::LineReader lines(list);
    while (const auto line = lines.next()) {
        const bool begins = line->starts_with(start);
        if (!begins && !is_in_chain) continue;  // Most lines. Parsing them would be slow.
        auto entry = archive::parse_page_line(*line);
        is_in_chain = entry && (begins || entry->url == found->redirect_target);
        if (!is_in_chain) continue;
        found = std::move(entry);
        is_in_chain = !found->redirect_target.empty();
    }
    return found;
}

// The content of the stored response, up to the limit of a robots.txt. Nothing if the record is
// missing or damaged.
std::optional<std::string> stored_content(aio::FileSystem& files,
                                          const std::filesystem::path& folder,
                                          const Outcome& entry) {
    const std::filesystem::path path = folder / "archive" / entry.archived.file;
    if (!archive::is_safe_warc_name(entry.archived.file) || !files.exists(path))
        return std::nullopt;
    const std::unique_ptr<aio::File> file = files.open(path, aio::OpenMode::read);
    const auto record = read_record(*file, entry.archived.offset, kRobotsRecordBytesMax);
    if (!record) return std::nullopt;
    http::ContentBuffer buffer;
    if (!replay(record->block, buffer)) return std::nullopt;
    return buffer.content.substr(0, limits::kRobotsBytesMax);
}

}  // namespace

std::optional<KeptRobots> find_kept_robots(aio::FileSystem& files,
                                           const std::filesystem::path& folder,
                                           const web::Url& url) {
    const std::filesystem::path list = folder / archive::kRobotsLogName;
    if (!files.exists(list)) return std::nullopt;
    const auto robots = url.resolve("/robots.txt");
    if (!robots) return std::nullopt;  // A URL without a host, such as mailto:.
    const std::string robots_url = robots->href();
    auto answer = find_answer(*files.open(list, aio::OpenMode::read), robots_url);
    if (!answer) return std::nullopt;
    const auto content = stored_content(files, folder, *answer);
    if (!content) return std::nullopt;
    const bool has_rules = robots_meaning(answer->status, false) == RobotsMeaning::rules;
    return KeptRobots{.answer = *std::move(answer),
                      .rules = web::Robots::parse(has_rules ? *content : "")};
}

void read_kept_terms(aio::FileSystem& files, const std::filesystem::path& folder,
                     SiteTermsBook& terms) {
    const std::filesystem::path list = folder / archive::kRobotsLogName;
    if (!files.exists(list)) return;
    std::string asked;   // The first step of the fetch whose steps are being read.
    std::string target;  // Where its last step redirects to.
    archive::read_pages(*files.open(list, aio::OpenMode::read), [&](const Outcome& entry) {
        if (target.empty() || entry.url != target) asked = entry.url;
        target = entry.redirect_target;
        const RobotsMeaning meaning = robots_meaning(entry.status, false);
        if (!target.empty() || !SiteTermsBook::is_terms_url(asked)) return;
        // While robots.txt is unavailable the old rules stay; a tdmrep.json then has none.
        if (meaning == RobotsMeaning::closed && asked.ends_with("/robots.txt")) return;
        const auto content = meaning == RobotsMeaning::rules ? stored_content(files, folder, entry)
                                                             : std::optional<std::string>("");
        if (content) terms.note(asked, *content);
    });
}

}  // namespace weft::crawl

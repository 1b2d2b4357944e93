#include "crawl/repair.h"

#include <algorithm>
#include <functional>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "aio/loop.h"
#include "archive/crawl_index.h"
#include "archive/line_reader.h"
#include "archive/page_reader.h"
#include "archive/record_packer.h"
#include "archive/warc_repair.h"
#include "base/escape.h"
#include "base/hash.h"
#include "crawl/rebuild.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr std::size_t kVisitsOfAHostMax = 1 << 30;  // None is really made.

std::uint64_t place_key(std::string_view file, std::uint64_t offset) {
    return hash64(file, offset);
}

// "1 page", "2 pages"
std::string counted(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

// One repair on its way.
class Repair {
public:
    Repair(const Config& config, FolderOptions options)
        : config_(config),
          options_(std::move(options)),
          files_(aio::EventLoop::running().files()),
          folder_(config.output) {
        report_.aside = folder_ / "repair" / to_timestamp14(aio::EventLoop::running().wall_time());
    }

    Co<RepairReport> run() {
        check_lock();
        files_.create_directories(report_.aside);
        const bool opens = co_await frontier_is_whole();
        if (opens) co_await mend();
        const bool is_whole = opens && archive_is_whole() && logs_are_whole();
        if (is_whole) {
            remove_if_empty(report_.aside);
            remove_if_empty(report_.aside.parent_path());
            co_return std::move(report_);
        }
        report_.was_damaged = true;
        read_logs();
        repair_archive();
        write_known();
        put_aside(folder_ / "state" / "frontier", "the frontier");
        put_aside(pages_path(), "the page log");
        replace_robots_log();
        co_await build_anew();
        if (config_.archive) archive::write_crawl_index(files_, folder_);
        say("{} in the page log, {} to come with `weft resume`",
            counted(report_.page_count, "page"), counted(report_.waiting_count, "URL"));
        co_return std::move(report_);
    }

private:
    std::filesystem::path pages_path() const { return folder_ / "pages" / "pages.jsonl"; }
    std::filesystem::path robots_path() const { return folder_ / archive::kRobotsLogName; }

    template <class... Arguments>
    void say(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
        report_.actions.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
    }

    void remove_if_empty(const std::filesystem::path& folder) {
        if (files_.list(folder).empty()) files_.remove(folder);
    }

    void check_lock() {
        const std::filesystem::path frontier = folder_ / "state" / "frontier";
        if (!files_.exists(frontier)) return;
        if (files_.try_lock(frontier / "lock")) return;
        throw UsageError(fmt::format("{} is in use by another process: wait for it to end",
                                     escape_for_terminal(folder_.string())));
    }

    // Whether the frontier can be opened and knows all that the page log does. Tried with a copy:
    // to open one is to change it, and one that lost its end would have the rest cut to match.
    Co<bool> frontier_is_whole() {
        const std::filesystem::path frontier = folder_ / "state" / "frontier";
        if (!files_.exists(frontier)) {
            say("the frontier is missing");
            co_return false;
        }
        const std::filesystem::path trial = report_.aside / "trial";
        files_.create_directories(trial);
        for (const std::string& name : files_.list(frontier)) {
            if (name == "lock") continue;
            const std::unique_ptr<aio::File> from =
                files_.open(frontier / name, aio::OpenMode::read);
            const std::unique_ptr<aio::File> to = files_.open(trial / name, aio::OpenMode::create);
            archive::copy_bytes(*from, {0, from->size()}, *to);
        }
        bool is_whole = false;
        try {
            frontier::DiskOptions disk;
            disk.on_outcome = [](std::string_view) {};
            disk.save = [] { return std::string(); };
            const std::unique_ptr<frontier::DiskFrontier> opened =
                co_await frontier::DiskFrontier::open(trial, std::move(disk));
            const frontier::Recovered& recovered = opened->recovered();
            is_whole = knows_page_log(recovered);
            if (!is_whole) say("the frontier has lost its end: the page log knows more");
            is_whole = is_whole && !has_lost_an_inner_end(recovered);
        } catch (const Error& error) {
            say("the frontier cannot be opened: {}", error.what());
        }
        for (const std::string& name : files_.list(trial)) files_.remove(trial / name);
        files_.remove(trial);
        co_return is_whole;
    }

    // A page is in the log only once it is committed.
    bool knows_page_log(const frontier::Recovered& recovered) {
        if (!files_.exists(pages_path())) return true;
        const std::unique_ptr<aio::File> log = files_.open(pages_path(), aio::OpenMode::read);
        std::uint64_t count = 0;
        bool is_known = true;
        archive::read_pages(*log, [&](const archive::PageEntry& entry) {
            ++count;
            if (entry.warc_file.empty()) return;
            const auto place = recovered.archived.find(entry.warc_file);
            is_known = is_known && place != recovered.archived.end() &&
                       entry.warc_offset < place->second.offset + place->second.length;
        });
        return is_known && count <= recovered.counts.done;
    }

    // Whether an archive file is shorter than was committed, and others were begun after it: to go
    // back to the moment before would put these aside, good as they are.
    bool has_lost_an_inner_end(const frontier::Recovered& recovered) {
        const std::vector<std::string> names = warc_names();
        for (const std::string& name : names) {
            const auto place = recovered.archived.find(name);
            if (name == std::ranges::max(names) || place == recovered.archived.end()) continue;
            const std::unique_ptr<aio::File> file =
                files_.open(folder_ / "archive" / name, aio::OpenMode::read);
            if (file->size() >= place->second.offset + place->second.length) continue;
            say("{} has lost its end", name);
            return true;
        }
        return false;
    }

    // What a resumed crawl would do first: cuts what is not committed.
    Co<> mend() {
        FolderOptions options = options_;
        options.aside = report_.aside;
        const std::unique_ptr<Folder> folder = co_await Folder::open(config_, std::move(options));
        co_await folder->finish();
        for (const std::string& name : files_.list(report_.aside)) {
            say("{}: what stood behind the last commit is put aside", name);
        }
    }

    std::vector<std::string> warc_names() {
        std::vector<std::string> names;
        if (!files_.exists(folder_ / "archive")) return names;
        for (const std::string& name : files_.list(folder_ / "archive")) {
            if (archive::is_warc_name(name)) names.push_back(name);
        }
        return names;
    }

    bool archive_is_whole() {
        return std::ranges::all_of(warc_names(), [&](const std::string& name) {
            return archive::is_warc_whole(files_, folder_ / "archive" / name);
        });
    }

    bool logs_are_whole() {
        if (!files_.exists(pages_path()) || !log_is_whole(pages_path())) return false;
        return !files_.exists(robots_path()) || log_is_whole(robots_path());
    }

    // Every line that stands in it can be read.
    bool log_is_whole(const std::filesystem::path& path) {
        const std::unique_ptr<aio::File> log = files_.open(path, aio::OpenMode::read);
        archive::LineReader lines(*log);
        bool is_first = true;
        while (const auto line = lines.next()) {
            if (!std::exchange(is_first, false) && !archive::parse_page_line(*line)) return false;
        }
        return lines.offset() == log->size();
    }

    // The entries of a log that may be damaged or missing.
    void each_entry(const std::filesystem::path& path,
                    const std::function<void(archive::PageEntry)>& take) {
        if (!files_.exists(path)) return;
        const std::unique_ptr<aio::File> log = files_.open(path, aio::OpenMode::read);
        archive::LineReader lines(*log);
        while (const auto line = lines.next()) {
            if (auto entry = archive::parse_page_line(*line)) take(*std::move(entry));
        }
    }

    // Which records the logs speak of.
    void read_logs() {
        for (const std::filesystem::path& path : {pages_path(), robots_path()}) {
            each_entry(path, [&](const archive::PageEntry& entry) {
                if (entry.warc_file.empty()) return;
                places_.emplace(place_key(entry.warc_file, entry.warc_offset), Place{});
            });
        }
    }

    void repair_archive() {
        known_ = files_.open(report_.aside / "known.jsonl", aio::OpenMode::create);
        known_robots_ = files_.open(report_.aside / "known-robots.jsonl", aio::OpenMode::create);
        known_robots_->append(archive::kRobotsFormatLine);
        for (const std::string& name : warc_names()) {
            const archive::WarcRepair repaired =
                archive::repair_warc(files_, folder_ / "archive" / name, report_.aside,
                                     [&](const archive::GoodAnswer& answer) { note(answer); });
            if (repaired.cut_count == 0) continue;
            say("{}: {} that are no whole record were taken out, {} left", name,
                counted(repaired.cut_bytes, "byte"), counted(repaired.record_count, "good record"));
        }
    }

    void note(const archive::GoodAnswer& answer) {
        const auto place = places_.find(place_key(answer.entry.warc_file, answer.old_offset));
        if (place != places_.end()) {
            place->second = {answer.entry.warc_offset, true};
            return;
        }
        if (answer.entry.via == "robots") {
            known_robots_->append(archive::to_json_line(answer.entry));
            return;
        }
        if (!urls_.insert(hash64(answer.entry.url)).second) return;
        ++report_.restored_count;
        known_->append(archive::to_json_line(answer.entry));
    }

    // The lines of the old log that still hold, behind those made from the archive alone.
    void write_known() {
        each_entry(pages_path(), [&](archive::PageEntry entry) { keep(std::move(entry)); });
        each_entry(robots_path(), [&](archive::PageEntry entry) {
            const Place& place = places_[place_key(entry.warc_file, entry.warc_offset)];
            if (!place.is_good) return;
            entry.warc_offset = place.offset;
            known_robots_->append(archive::to_json_line(entry));
        });
        known_->sync();
        known_robots_->sync();
        if (report_.restored_count > 0) {
            say("{} known from the archive alone", counted(report_.restored_count, "page"));
        }
        if (report_.lost_count > 0) {
            say("{} without good records: to be fetched again",
                counted(report_.lost_count, "page"));
        }
    }

    void keep(archive::PageEntry entry) {
        if (!entry.warc_file.empty()) {
            const Place& place = places_[place_key(entry.warc_file, entry.warc_offset)];
            if (!place.is_good) {
                ++report_.lost_count;
                return;
            }
            entry.warc_offset = place.offset;
        }
        if (urls_.insert(hash64(entry.url)).second) known_->append(archive::to_json_line(entry));
    }

    void replace_robots_log() {
        if (files_.exists(robots_path())) {
            files_.rename(robots_path(), report_.aside / robots_path().filename());
        }
        files_.create_directories(robots_path().parent_path());
        if (config_.archive) files_.rename(report_.aside / "known-robots.jsonl", robots_path());
    }

    void put_aside(const std::filesystem::path& path, std::string_view what) {
        if (!files_.exists(path)) return;
        files_.rename(path, report_.aside / path.filename());
        say("{} is put aside and made anew", what);
    }

    Co<> build_anew() {
        FolderOptions options = options_;
        options.max_per_host = kVisitsOfAHostMax;
        const std::unique_ptr<Folder> folder =
            co_await Folder::create_around_archive(config_, std::move(options));
        const RebuildCounts counts =
            co_await rebuild(config_, *folder, report_.aside / "known.jsonl");
        report_.page_count = counts.page_count;
        report_.waiting_count = counts.waiting_count;
        co_await folder->finish();
    }

    // Where a record of the log is now, if it is good.
    struct Place {
        std::uint64_t offset = 0;
        bool is_good = false;
    };

    const Config& config_;
    FolderOptions options_;
    aio::FileSystem& files_;
    std::filesystem::path folder_;
    RepairReport report_;
    std::unordered_map<std::uint64_t, Place> places_;  // By file and old offset.
    std::unordered_set<std::uint64_t> urls_;           // In known.jsonl.
    std::unique_ptr<aio::File> known_;
    std::unique_ptr<aio::File> known_robots_;
};

}  // namespace

Co<RepairReport> repair(const Config& config, FolderOptions options) {
    Repair repair(config, std::move(options));
    co_return co_await repair.run();
}

}  // namespace weft::crawl

#include "crawl/repair/repair.h"

#include <algorithm>
#include <functional>
#include <map>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/task/sleep.h"
#include "archive/index/crawl_index.h"
#include "archive/index/line_reader.h"
#include "archive/warc/record_packer.h"
#include "archive/warc/warc_repair.h"
#include "base/escape.h"
#include "base/hash.h"
#include "crawl/folder/overlay_files.h"
#include "crawl/repair/old_texts.h"
#include "crawl/repair/rebuild.h"
#include "crawl/repair/repair_plan.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr std::size_t kVisitsOfAHostMax = 1 << 30;  // A rebuild makes no real visits: no limit.

std::uint64_t place_key(std::string_view file, std::uint64_t offset) {
    return hash64(file, offset);
}

// "1 page", "2 pages"
std::string counted(std::uint64_t count, std::string_view what) {
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

std::string reason_of(const Error& error) {
    const auto* store = dynamic_cast<const frontier::StoreError*>(&error);
    return store ? store->reason() : error.what();
}

// One repair under way. First it opens the folder in an overlay, as a resumed crawl would, and
// reads all logs and records. If something is wrong, it makes all new files in an overlay and then
// puts them in place in one step.
class Repair {
public:
    Repair(const Config& config, FolderOptions options)
        : config_(config),
          options_(std::move(options)),
          files_(aio::EventLoop::running().files().inside(config.output)),
          folder_(config.output),
          work_(folder_ / kRepairWorkName) {}

    Co<RepairReport> run() {
        std::unique_ptr<aio::FileLock> lock = co_await take_lock();
        if (const auto aside = finish_repair(*files_, folder_)) {
            report_.was_damaged = true;
            report_.aside = *aside;
            say("a repair that was cut off is finished");
            lock.reset();  // Of the frontier that was replaced.
            lock = co_await take_lock();
        }
        remove_tree(*files_, work_);
        files_->create_directories(work_);
        bool is_whole = co_await opens();
        if (is_whole) {
            const bool had_page_log = files_->exists(pages_path());
            lock.reset();  // Folder::open() takes the lock itself.
            co_await mend();
            if (!had_page_log) {
                say("pages/pages.jsonl was missing; it is restored from the frontier's log");
            }
            lock = co_await take_lock();
        }
        read_logs();
        scan_archive();
        is_whole = is_whole && cut_names_.empty() && are_logs_whole_ && lost_lines() == 0;
        if (!is_whole) {
            report_.was_damaged = true;
            co_await build_anew();
            put_in_place();
        }
        remove_tree(*files_, work_);
        remove_if_empty(work_.parent_path());
        co_return std::move(report_);
    }

private:
    std::filesystem::path pages_path() const { return folder_ / "pages" / "pages.jsonl"; }
    std::filesystem::path robots_path() const { return folder_ / archive::kRobotsLogName; }
    std::filesystem::path known_path() const { return work_ / "known.jsonl"; }

    template <class... Arguments>
    void say(fmt::format_string<Arguments...> text, Arguments&&... arguments) {
        report_.actions.push_back(fmt::format(text, std::forward<Arguments>(arguments)...));
    }

    void remove_if_empty(const std::filesystem::path& path) {
        if (files_->exists(path) && files_->list(path).empty()) files_->remove(path);
    }

    Co<std::unique_ptr<aio::FileLock>> take_lock() {
        const std::filesystem::path frontier = folder_ / "state" / "frontier";
        if (!files_->exists(frontier)) co_return nullptr;
        const aio::EventLoop& loop = aio::EventLoop::running();
        const TimePoint deadline = loop.time() + frontier::kLockPatience;
        for (;;) {
            if (auto lock = files_->try_lock(frontier / "lock")) co_return lock;
            if (loop.time() >= deadline) break;
            co_await aio::sleep(frontier::kLockInterval);
        }
        throw UsageError(fmt::format("{} is in use by another process: wait for it to end",
                                     escape_for_terminal(folder_.string())));
    }

    // Whether a resumed crawl could open the folder. Tried in an overlay, because opening a folder
    // changes it.
    Co<bool> opens() {
        const std::filesystem::path trial = work_ / "trial";
        if (!files_->exists(folder_ / "state" / "frontier")) {
            say("the frontier is missing");
            co_return false;
        }
        bool is_whole = true;
        try {
            FolderOptions options = options_;
            options.files = std::make_shared<OverlayFiles>(files_, folder_, trial);
            const std::unique_ptr<CrawlFolder> folder =
                co_await CrawlFolder::open(config_, std::move(options));
            is_whole = knows_page_log(*folder);
        } catch (const Error& error) {
            say("the crawl cannot be opened: {}", reason_of(error));
            is_whole = false;
        }
        remove_tree(*files_, trial);
        co_return is_whole;
    }

    // Whether the frontier knows every page of the page log. A page is logged only once it is
    // committed, so if it does not, the frontier has lost commits.
    bool knows_page_log(CrawlFolder& folder) {
        const frontier::Recovered& recovered = folder.frontier().recovered();
        std::uint64_t count = 0;
        bool is_known = true;
        each_entry(pages_path(), [&](const Outcome& entry) {
            ++count;
            if (entry.archived.file.empty()) return;
            const auto place = recovered.archived.find(entry.archived.file);
            is_known = is_known && place != recovered.archived.end() &&
                       entry.archived.offset < place->second.offset + place->second.length;
        });
        is_known = is_known && count <= recovered.counts.done;
        if (!is_known) say("the frontier has lost its end: the page log knows more");
        return is_known;
    }

    // Does what a resumed crawl would do first: moves what was not committed to repair/.
    Co<> mend() {
        FolderOptions options = options_;
        options.keeps_cut = true;
        const std::unique_ptr<CrawlFolder> folder =
            co_await CrawlFolder::open(config_, std::move(options));
        co_await folder->finish();
        for (const std::string& note : folder->notes()) report_.actions.push_back(note);
    }

    std::vector<std::string> warc_names() {
        std::vector<std::string> names;
        if (!files_->exists(folder_ / "archive")) return names;
        for (const std::string& name : files_->list(folder_ / "archive")) {
            if (archive::is_warc_name(name)) names.push_back(name);
        }
        return names;
    }

    // Calls `take` for the entries of a log that may be damaged or missing. Returns whether every
    // line could be read. The first line may be the format line, which is no entry.
    bool each_entry(const std::filesystem::path& path, const std::function<void(Outcome)>& take) {
        if (!files_->exists(path)) return false;
        const std::unique_ptr<aio::File> log = files_->open(path, aio::OpenMode::read);
        archive::LineReader lines(*log);
        bool is_whole = true;
        bool is_first = true;
        while (const auto line = lines.next()) {
            auto entry = archive::parse_page_line(*line);
            if (entry && archive::is_sound(*entry)) {
                take(*std::move(entry));
            } else {
                is_whole = is_whole && is_first;
            }
            is_first = false;
        }
        return is_whole && lines.offset() == log->size();
    }

    // Collects the records that the logs name.
    void read_logs() {
        const auto note = [&](const Outcome& entry) {
            if (entry.archived.file.empty()) {
                urls_.insert(hash64(entry.url));
                return;
            }
            known_[entry.archived.file].places.push_back(entry.archived.offset);
            places_.emplace(place_key(entry.archived.file, entry.archived.offset),
                            RepairedRecord{.url = hash64(entry.url)});
        };
        are_logs_whole_ = each_entry(pages_path(), note);
        if (!are_logs_whole_) say("pages/pages.jsonl is damaged or missing");
        const bool has_robots = files_->exists(robots_path());
        const bool is_robots_whole = each_entry(robots_path(), note) || !has_robots;
        if (!is_robots_whole) say("{} is damaged", archive::kRobotsLogName);
        are_logs_whole_ = are_logs_whole_ && is_robots_whole;
        for (auto& [name, known] : known_) std::ranges::sort(known.places);
    }

    // Reads every record. Of damaged WARC files it writes a copy with the good records only.
    void scan_archive() {
        unlisted_ = files_->open(work_ / "unlisted.jsonl", aio::OpenMode::create);
        const std::vector<std::string> names = warc_names();
        for (const auto& [name, known] : known_) {
            if (std::ranges::binary_search(names, name)) continue;
            say("archive/{} is missing: {} in it", name,
                counted(known.places.size(), "page") + (known.places.size() == 1 ? " is" : " are"));
        }
        for (const std::string& name : names) scan_file(name);
    }

    void scan_file(const std::string& name) {
        const std::unique_ptr<aio::File> file =
            files_->open(folder_ / "archive" / name, aio::OpenMode::read);
        const archive::WarcScan scan = archive::scan_warc(
            *file, name, known_[name], [&](const archive::GoodAnswer& answer) { note(answer); });
        if (scan.damaged.empty()) return;
        say("archive/{}: {} that are no whole record were taken out, {} left", name,
            counted(scan.damaged_bytes(), "byte"), counted(scan.record_count, "good record"));
        cut_names_.push_back(name);
        files_->create_directories(work_ / "archive");
        const std::unique_ptr<aio::File> out =
            files_->open(work_ / "archive" / name, aio::OpenMode::create);
        for (const archive::FileSpan& range : scan.good) archive::copy_bytes(*file, range, *out);
        out->sync();
    }

    // Notes a good response record: that of a log line, whose offset may have changed, or one that
    // no log names.
    void note(const archive::GoodAnswer& answer) {
        const auto place = places_.find(place_key(answer.entry.archived.file, answer.old_offset));
        const bool is_listed =
            place != places_.end() && place->second.url == hash64(answer.entry.url);
        if (is_listed) {
            place->second.offset = answer.entry.archived.offset;
            place->second.is_good = true;
            if (answer.entry.via != Via::robots) urls_.insert(place->second.url);
            return;
        }
        unlisted_->append(archive::to_json_line(answer.entry));
    }

    // Log lines whose record is missing or damaged.
    std::uint64_t lost_lines() const {
        return static_cast<std::uint64_t>(std::ranges::count_if(
            places_, [](const auto& place) { return !place.second.is_good; }));
    }

    // Writes the lines from which the frontier is rebuilt: first those made from the archive alone,
    // then the old lines whose records are good. A page that has a good old line is not taken from
    // the archive, which may hold an older response of it.
    void write_known(OverlayFiles& overlay) {
        const std::unique_ptr<aio::File> pages = files_->open(known_path(), aio::OpenMode::create);
        const std::unique_ptr<aio::File> robots =
            overlay.open(robots_path(), aio::OpenMode::create);
        robots->append(archive::kRobotsFormatLine);
        std::unordered_set<std::uint64_t> written;
        each_entry(work_ / "unlisted.jsonl", [&](const Outcome& entry) {
            if (entry.via == Via::robots) {
                robots->append(archive::to_json_line(entry));
            } else if (urls_.insert(hash64(entry.url)).second) {
                ++report_.restored_count;
                written.insert(hash64(entry.url));
                pages->append(archive::to_json_line(entry));
            }
        });
        each_entry(pages_path(), [&](Outcome entry) {
            if (!is_kept(entry)) {
                ++report_.lost_count;
            } else if (written.insert(hash64(entry.url)).second) {
                pages->append(archive::to_json_line(entry));
            }
        });
        each_entry(robots_path(), [&](Outcome entry) {
            if (is_kept(entry)) robots->append(archive::to_json_line(entry));
        });
        pages->sync();
        robots->sync();
        if (report_.restored_count > 0) {
            say("{} known from the archive alone", counted(report_.restored_count, "page"));
        }
        if (report_.lost_count > 0) {
            say("{} without good records: to be fetched again",
                counted(report_.lost_count, "page"));
        }
    }

    // Whether the record of a line is good. If so, the line gets its new offset.
    bool is_kept(Outcome& entry) const {
        if (entry.archived.file.empty()) return true;
        const auto place = places_.find(place_key(entry.archived.file, entry.archived.offset));
        if (place == places_.end() || !place->second.is_good) return false;
        entry.archived.offset = place->second.offset;
        return true;
    }

    // Makes the new logs, frontier and index in the overlay. The old ones are hidden from it.
    Co<> build_anew() {
        const auto overlay = std::make_shared<OverlayFiles>(files_, folder_, work_);
        for (const std::string& path : kMadeAnew) overlay->hide(folder_ / path);
        write_known(*overlay);
        FolderOptions options = options_;
        options.files = overlay;
        options.max_per_host = kVisitsOfAHostMax;
        const std::unique_ptr<CrawlFolder> folder =
            co_await CrawlFolder::create_around_archive(config_, std::move(options));
        OldTexts texts(*files_, folder_ / TextLog::kName);
        const RebuildCounts counts = co_await rebuild(config_, *folder, {known_path(), texts});
        report_.page_count = counts.page_count;
        report_.waiting_count = counts.waiting_count;
        co_await folder->finish();
        if (config_.archive) archive::write_crawl_index(*overlay, folder_);
        say("{} in the page log, {} to come with `weft resume`",
            counted(report_.page_count, "page"), counted(report_.waiting_count, "URL"));
    }

    // The repair happens here: everything is synced, then the plan is written, then carried out.
    void put_in_place() {
        RepairPlan plan;
        report_.aside = free_aside_path(*files_, folder_, aio::EventLoop::running().wall_time());
        plan.aside = report_.aside.lexically_relative(folder_).string();
        for (const std::string& name : cut_names_) {
            plan.entries.push_back({"archive/" + name, name + ".damaged"});
        }
        // The frontier comes last, because its folder contains the lock of the crawl.
        for (const std::string& path : kMadeAnew) {
            if (!files_->exists(work_ / path)) continue;
            plan.entries.push_back(
                {path, std::filesystem::path(path).filename().string() + ".before-repair"});
        }
        sync_tree(work_);
        files_->sync_directory(work_.parent_path());
        files_->sync_directory(folder_);
        write_plan(*files_, folder_, plan);
        finish_repair(*files_, folder_);
    }

    void sync_tree(const std::filesystem::path& path) {
        for (const char* inner : {"", "archive", "pages", "indexes", "state", "state/frontier"}) {
            if (files_->exists(path / inner)) files_->sync_directory(path / inner);
        }
    }

    inline static const std::vector<std::string> kMadeAnew = {
        "pages/pages.jsonl",     "pages/pages.idx",    TextLog::kName,
        archive::kRobotsLogName, "indexes/index.cdxj", "state/frontier"};

    // The record of a log line.
    struct RepairedRecord {
        std::uint64_t url = 0;     // The hash of its URL.
        std::uint64_t offset = 0;  // Its offset after the repair.
        bool is_good = false;      // scan_archive() has found it.
    };

    const Config& config_;
    FolderOptions options_;
    std::shared_ptr<aio::FileSystem> files_;
    std::filesystem::path folder_;
    std::filesystem::path work_;
    RepairReport report_;
    std::map<std::string, archive::WarcKnown> known_;           // By the name of the WARC file.
    std::unordered_map<std::uint64_t, RepairedRecord> places_;  // By file and old offset.
    std::unordered_set<std::uint64_t> urls_;  // Hashes of URLs that have a good line.
    std::vector<std::string> cut_names_;      // WARC files that are replaced.
    bool are_logs_whole_ = true;
    std::unique_ptr<aio::File> unlisted_;  // Entries of good responses that no log names.
};

}  // namespace

Co<RepairReport> repair(const Config& config, FolderOptions options) {
    Repair repair(config, std::move(options));
    co_return co_await repair.run();
}

}  // namespace weft::crawl

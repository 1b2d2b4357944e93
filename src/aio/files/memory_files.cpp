#include "aio/files/memory_files.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>

#include <fmt/format.h>

#include "aio/task/errors.h"
#include "base/random.h"

namespace weft::aio {
namespace {

using Path = FileSystem::Path;

// `live` is what programs see, `durable` what the disk holds.
struct Inode {
    std::string live;
    std::string durable;
    bool is_directory = false;
    bool is_damaged = false;  // A sync failed: as on Linux, later syncs find nothing left to write.
};

using Tree = std::map<std::string, std::shared_ptr<Inode>>;  // By path.

// One change of the directories, applied completely or not at all. An entry without an inode is
// removed.
struct EntryChange {
    std::vector<std::pair<std::string, std::shared_ptr<Inode>>> entries;
};

[[noreturn]] void fail(std::string_view what, const std::string& path, std::errc error) {
    throw IoError(fmt::format("cannot {} {}", what, path), std::make_error_code(error));
}

// One spelling for each path: without "." steps and final slash.
std::string normal(const Path& path) {
    std::string text = path.lexically_normal().string();
    if (text.size() > 1 && text.ends_with('/')) text.pop_back();
    return text.empty() ? "." : text;
}

std::string parent_of(const std::string& path) {
    const std::string parent = Path(path).parent_path().string();
    return parent.empty() ? "." : parent;
}

void apply_to(Tree& tree, const EntryChange& change) {
    for (const auto& [path, inode] : change.entries) {
        if (inode) {
            tree[path] = inode;
        } else {
            tree.erase(path);
        }
    }
}

bool touches(const EntryChange& change, const std::string& directory) {
    return std::ranges::any_of(
        change.entries, [&](const auto& entry) { return parent_of(entry.first) == directory; });
}

// What the disk holds of a file after a crash.
std::string remains_of(const Inode& inode, CrashLoss loss, Random& random) {
    if (loss == CrashLoss::none) return inode.live;
    if (loss == CrashLoss::all) return inode.durable;
    if (inode.live.starts_with(inode.durable)) {
        const std::size_t tail = inode.live.size() - inode.durable.size();
        return inode.live.substr(0, inode.durable.size() + random.below(tail + 1));
    }
    // It was truncated or rewritten, so there is no common front: either version may be on disk.
    return random.below(2) == 0 ? inode.live : inode.durable;
}

}  // namespace

struct MemoryFiles::State {
    Tree live;
    Tree durable;
    std::vector<EntryChange> unsynced;
    std::set<std::string> locked;
    // Files and locks of an earlier generation are invalid; a crash starts a new one.
    std::uint64_t generation = 0;
    std::uint64_t change_count = 0;
    std::uint64_t loss_count = 0;  // Crashes that lost what was not synced.
    std::optional<std::uint64_t> space;
    std::optional<std::uint64_t> syncs_to_failure;
    std::optional<std::uint64_t> changes_to_power_off;

    // Both trees share the inode: the two roots exist before anything is synced.
    State() {
        for (const char* root : {"/", "."}) {
            auto directory = std::make_shared<Inode>();
            directory->is_directory = true;
            live[root] = directory;
            durable[root] = directory;
        }
    }

    void check_power(std::string_view what, const std::string& path) const {
        if (changes_to_power_off == 0) fail(what, path, std::errc::io_error);
    }

    // Called before every change.
    void count_change(std::string_view what, const std::string& path) {
        check_power(what, path);
        ++change_count;
        if (changes_to_power_off) --*changes_to_power_off;
    }

    bool sync_fails() {
        if (!syncs_to_failure || --*syncs_to_failure > 0) return false;
        syncs_to_failure.reset();
        return true;
    }

    void change(EntryChange step) {
        apply_to(live, step);
        unsynced.push_back(std::move(step));
    }

    std::shared_ptr<Inode> find(const std::string& path) const {
        const auto found = live.find(path);
        return found == live.end() ? nullptr : found->second;
    }

    bool is_directory(const std::string& path) const {
        const std::shared_ptr<Inode> inode = find(path);
        return inode && inode->is_directory;
    }
};

class MemoryFiles::OpenFile final : public File {
public:
    OpenFile(std::shared_ptr<State> state, std::shared_ptr<Inode> inode, std::string path,
             bool writable)
        : state_(std::move(state)),
          inode_(std::move(inode)),
          path_(std::move(path)),
          generation_(state_->generation),
          writable_(writable) {}

    void append(std::string_view bytes) override {
        check("write", true);
        // The power fails during this append: half of it is written, and count_change() throws.
        const bool power_fails = state_->changes_to_power_off == 0;
        if (power_fails) bytes = bytes.substr(0, bytes.size() / 2);
        const std::size_t room =
            state_->space ? std::min<std::size_t>(*state_->space, bytes.size()) : bytes.size();
        inode_->live += bytes.substr(0, room);
        if (state_->space) *state_->space -= room;
        state_->count_change("write", path_);
        if (room < bytes.size()) fail("write", path_, std::errc::no_space_on_device);
    }

    std::size_t read_at(std::uint64_t offset, std::span<char> room) override {
        check("read", false);
        state_->check_power("read", path_);
        const std::string& bytes = inode_->live;
        if (offset >= bytes.size()) return 0;
        const std::size_t count = std::min<std::size_t>(room.size(), bytes.size() - offset);
        std::memcpy(room.data(), bytes.data() + offset, count);
        return count;
    }

    std::uint64_t size() override {
        check("stat", false);
        return inode_->live.size();
    }

    void truncate(std::uint64_t size) override {
        check("truncate", true);
        state_->count_change("truncate", path_);
        inode_->live.resize(size);
    }

    void sync() override {
        check("sync", false);
        state_->count_change("sync", path_);
        if (state_->sync_fails()) {
            inode_->is_damaged = true;
            fail("sync", path_, std::errc::io_error);
        }
        if (!inode_->is_damaged) inode_->durable = inode_->live;
    }

private:
    void check(std::string_view what, bool writes) const {
        if (generation_ != state_->generation) fail(what, path_, std::errc::io_error);
        if (writes && !writable_) fail(what, path_, std::errc::bad_file_descriptor);
    }

    std::shared_ptr<State> state_;
    std::shared_ptr<Inode> inode_;
    std::string path_;
    std::uint64_t generation_;
    bool writable_;
};

class MemoryFiles::HeldLock final : public FileLock {
public:
    HeldLock(std::shared_ptr<State> state, std::string path)
        : state_(std::move(state)), path_(std::move(path)), generation_(state_->generation) {}
    // A lock from before a crash must not release one that was taken after it.
    ~HeldLock() override {
        if (generation_ == state_->generation) state_->locked.erase(path_);
    }

private:
    std::shared_ptr<State> state_;
    std::string path_;
    std::uint64_t generation_;
};

MemoryFiles::MemoryFiles() : state_(std::make_shared<State>()) {}

MemoryFiles::~MemoryFiles() = default;

std::unique_ptr<File> MemoryFiles::open(const Path& path, OpenMode mode) {
    const std::string name = normal(path);
    state_->check_power("open", name);
    std::shared_ptr<Inode> inode = state_->find(name);
    if (inode && inode->is_directory) fail("open", name, std::errc::is_a_directory);
    if (inode && mode == OpenMode::create) fail("open", name, std::errc::file_exists);
    if (!inode) {
        const bool may_make = mode != OpenMode::read && state_->is_directory(parent_of(name));
        if (!may_make) fail("open", name, std::errc::no_such_file_or_directory);
        state_->count_change("open", name);
        inode = std::make_shared<Inode>();
        state_->change({{{name, inode}}});
    }
    return std::make_unique<OpenFile>(state_, std::move(inode), name, mode != OpenMode::read);
}

bool MemoryFiles::exists(const Path& path) {
    return state_->live.contains(normal(path));
}

void MemoryFiles::create_directories(const Path& path) {
    Path so_far;
    for (const Path& part : Path(normal(path))) {
        so_far /= part;
        const std::string name = normal(so_far);
        const std::shared_ptr<Inode> present = state_->find(name);
        if (present && present->is_directory) continue;
        if (present) fail("make the directory", name, std::errc::not_a_directory);
        state_->count_change("make the directory", name);
        auto directory = std::make_shared<Inode>();
        directory->is_directory = true;
        state_->change({{{name, directory}}});
    }
}

void MemoryFiles::rename(const Path& from, const Path& to) {
    const std::string source = normal(from);
    const std::string target = normal(to);
    const std::shared_ptr<Inode> inode = state_->find(source);
    if (!inode || !state_->is_directory(parent_of(target))) {
        fail("rename", source, std::errc::no_such_file_or_directory);
    }
    const bool fits = inode->is_directory ? !state_->find(target) : !state_->is_directory(target);
    if (!fits) fail("rename", source, std::errc::is_a_directory);
    state_->count_change("rename", source);
    if (source == target) return;
    EntryChange change{{{source, nullptr}, {target, inode}}};
    // The contents of a directory move with it.
    const std::string inside = source + "/";
    for (const auto& [path_inside, found] : state_->live) {
        if (!path_inside.starts_with(inside)) continue;
        change.entries.emplace_back(path_inside, nullptr);
        change.entries.emplace_back(target + "/" + path_inside.substr(inside.size()), found);
    }
    state_->change(std::move(change));
}

void MemoryFiles::remove(const Path& path) {
    const std::string name = normal(path);
    const bool is_full = state_->is_directory(name) && !list(name).empty();
    if (is_full) fail("remove", name, std::errc::is_a_directory);
    if (!state_->find(name)) return;
    state_->count_change("remove", name);
    state_->change({{{name, nullptr}}});
}

std::vector<std::string> MemoryFiles::list(const Path& directory) {
    const std::string name = normal(directory);
    state_->check_power("list", name);
    if (!state_->is_directory(name)) fail("list", name, std::errc::no_such_file_or_directory);
    std::vector<std::string> names;
    for (const auto& [path, inode] : state_->live) {
        const bool is_root = path == "/" || path == ".";
        if (!is_root && parent_of(path) == name) names.push_back(Path(path).filename().string());
    }
    std::ranges::sort(names);
    return names;
}

void MemoryFiles::sync_directory(const Path& directory) {
    const std::string name = normal(directory);
    if (!state_->is_directory(name)) fail("sync", name, std::errc::no_such_file_or_directory);
    state_->count_change("sync", name);
    // A failed sync drops the changes too: they never reach the disk.
    const bool fails = state_->sync_fails();
    std::erase_if(state_->unsynced, [&](const EntryChange& change) {
        // A rename between two directories is one change: syncing either of them makes all of it
        // durable.
        if (!touches(change, name)) return false;
        if (!fails) apply_to(state_->durable, change);
        return true;
    });
    if (fails) fail("sync", name, std::errc::io_error);
}

std::unique_ptr<FileLock> MemoryFiles::try_lock(const Path& path) {
    const std::string name = normal(path);
    // As on a real disk, locking creates the file.
    if (!exists(name)) open(name, OpenMode::append);
    if (!state_->locked.insert(name).second) return nullptr;
    return std::make_unique<HeldLock>(state_, name);
}

std::string MemoryFiles::identity(const Path& folder) {
    return exists(folder) ? fmt::format("{}", state_->loss_count) : "";
}

void MemoryFiles::crash(CrashLoss loss, std::uint64_t seed) {
    Random random(seed);
    State& state = *state_;
    if (loss != CrashLoss::none) ++state.loss_count;
    std::size_t kept = 0;
    if (loss == CrashLoss::none) kept = state.unsynced.size();
    if (loss == CrashLoss::some) kept = random.below(state.unsynced.size() + 1);
    for (std::size_t i = 0; i < kept; ++i) apply_to(state.durable, state.unsynced[i]);
    state.unsynced.clear();
    // A file whose directory is gone cannot be reached. Parents come before their children in the
    // map's order.
    std::erase_if(state.durable, [&](const auto& entry) {
        const auto parent = state.durable.find(parent_of(entry.first));
        return parent == state.durable.end();
    });
    state.live = state.durable;
    for (const auto& [path, inode] : state.live) {
        if (inode->is_directory) continue;
        inode->live = remains_of(*inode, loss, random);
        inode->durable = inode->live;
        inode->is_damaged = false;
    }
    state.locked.clear();
    ++state.generation;
    state.space.reset();
    state.syncs_to_failure.reset();
    state.changes_to_power_off.reset();
}

void MemoryFiles::set_space(std::optional<std::uint64_t> bytes) {
    state_->space = bytes;
}

std::optional<std::uint64_t> MemoryFiles::space() const {
    return state_->space;
}

void MemoryFiles::fail_sync(std::uint64_t n) {
    state_->syncs_to_failure = n;
}

void MemoryFiles::power_off_after(std::uint64_t changes) {
    state_->changes_to_power_off = changes;
}

std::uint64_t MemoryFiles::change_count() const {
    return state_->change_count;
}

}  // namespace weft::aio

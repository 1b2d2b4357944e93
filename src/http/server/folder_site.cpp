#include "http/server/folder_site.h"

#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "aio/loop/executor.h"
#include "aio/loop/loop.h"
#include "aio/task/errors.h"
#include "base/units.h"
#include "http/message/content_type.h"
#include "http/server/folder_page.h"
#include "http/server/precondition.h"
#include "http/server/range_choice.h"
#include "web/url/percent.h"

namespace weft::http {

using aio::Co;
using aio::Folder;

namespace {

constexpr std::uint64_t kPieceBytes = 256_KiB;
constexpr std::size_t kListedMax = 10'000;

// A file may change twice within the resolution of its time stamp. So the ETag of a file that
// changed so recently is weak (RFC 9110, 8.8.1).
constexpr Duration kStampGrain = 1s;

bool is_hidden(std::string_view name) {
    return name.starts_with('.') && name != ".well-known";
}

std::string etag_of(const Folder::Opened& file, WallTime now) {
    const std::int64_t stamp = file.modified.time_since_epoch().count();
    const bool may_change_unseen = now - file.modified < kStampGrain;
    return fmt::format("{}\"{:x}-{:x}-{:x}\"", may_change_unseen ? "W/" : "", file.inode,
                       file.size_bytes, stamp);
}

// If this coroutine is cancelled, the job on the other thread still runs, so the job shares the
// file.
Co<std::string> read_piece(std::shared_ptr<aio::File> file, std::uint64_t first,
                           std::uint64_t count) {
    co_return co_await aio::to_thread([file = std::move(file), first, count] {
        std::string bytes(count, '\0');
        bytes.resize(file->read_at(first, bytes));
        return bytes;
    });
}

}  // namespace

// The path of a request, decoded and checked.
struct FolderSite::Target {
    std::string path;  // Relative to the folder, without slashes at its ends.
    std::string url;   // The same percent-encoded, for a Location, with a slash before each part.
    bool has_slash = false;

    // Throws Refusal.
    static Target parse(std::string_view path) {
        Target target;
        if (!path.starts_with('/')) throw HttpRefusal(400);
        target.has_slash = path.ends_with('/');
        path.remove_prefix(1);
        if (target.has_slash && !path.empty()) path.remove_suffix(1);
        while (!path.empty()) {
            const std::size_t slash = path.find('/');
            target.append(web::percent_decode(path.substr(0, slash)));
            if (slash == std::string_view::npos) return target;
            path.remove_prefix(slash + 1);
            // "//" at the end: an empty part, as in the middle.
            if (path.empty()) throw HttpRefusal(404);
        }
        return target;
    }

    void append(const std::string& part) {
        // Checked after decoding: "%2F" must not separate parts. ".." counts as hidden.
        if (part.contains('/') || part.contains('\0')) throw HttpRefusal(400);
        if (part.empty() || is_hidden(part)) throw HttpRefusal(404);
        if (!path.empty()) path += '/';
        path += part;
        url += '/';
        web::append_percent_encoded(url, part, web::PercentSet::component);
    }
};

FolderSite::FolderSite(const std::filesystem::path& folder)
    : folder_(std::make_shared<const Folder>(folder)) {}

Handler FolderSite::handler() const {
    return [this](const ServerRequest& request, Responder& responder) -> Co<> {
        co_await answer(request, responder);
    };
}

Co<> FolderSite::answer(const ServerRequest& request, Responder& responder) const {
    if (request.method != "GET" && request.method != "HEAD") {
        Reply refusal = status_reply(405);
        refusal.headers.emplace_back("Allow", "GET, HEAD");
        co_await responder.reply(std::move(refusal));
        co_return;
    }
    const Target target = Target::parse(request.path());
    std::optional<Folder::Opened> opened = co_await aio::to_thread(
        [folder = folder_, path = target.path] { return folder->open(path); });
    if (!opened) throw HttpRefusal(404);
    if (opened->kind == Folder::Kind::file) {
        // A final slash names a folder, and this is a file.
        if (target.has_slash) throw HttpRefusal(404);
        co_await send_file(request, responder, target.path, *std::move(opened));
        co_return;
    }
    // Without the final slash relative links of the page would resolve against the parent folder.
    if (!target.has_slash) {
        std::string location = target.url + "/";
        if (!request.query().empty()) location.append("?").append(request.query());
        Reply moved = status_reply(301);
        moved.headers.emplace_back("Location", std::move(location));
        co_await responder.reply(std::move(moved));
        co_return;
    }
    const std::string index = target.path.empty() ? "index.html" : target.path + "/index.html";
    std::optional<Folder::Opened> page =
        co_await aio::to_thread([folder = folder_, index] { return folder->open(index); });
    if (page && page->kind == Folder::Kind::file) {
        co_await send_file(request, responder, index, *std::move(page));
    } else {
        co_await send_folder(target, responder);
    }
}

Co<> FolderSite::send_file(const ServerRequest& request, Responder& responder, std::string name,
                           Folder::Opened opened) const {
    const WallTime now = aio::EventLoop::running().wall_time();
    const Validators validators{
        .etag = etag_of(opened, now),
        .modified = std::chrono::floor<std::chrono::seconds>(opened.modified)};
    const Precondition condition = judge_preconditions(request, validators, now);
    if (condition == Precondition::fails) throw HttpRefusal(412);
    Reply head{.headers = {{"ETag", validators.etag},
                           {"Last-Modified", web::format_http_date(*validators.modified)},
                           {"Accept-Ranges", "bytes"},
                           {"X-Content-Type-Options", "nosniff"}}};
    if (condition == Precondition::not_modified) {
        head.status = 304;
        co_await responder.reply(std::move(head));
        co_return;
    }
    RangeChoice choice;
    if (const auto wanted = request.headers.get("Range");
        // RFC 9110, 14.2: ranges are defined for GET only.
        wanted && request.method == "GET" && allows_range(request, validators, now)) {
        choice = choose_range(*wanted, opened.size_bytes);
    }
    if (choice.kind == RangeChoice::Kind::unsatisfiable) {
        Reply refusal = status_reply(416);
        refusal.headers.emplace_back("Content-Range", fmt::format("bytes */{}", opened.size_bytes));
        co_await responder.reply(std::move(refusal));
        co_return;
    }
    std::uint64_t first = 0;
    std::uint64_t left = opened.size_bytes;
    if (choice.kind == RangeChoice::Kind::part) {
        first = choice.first;
        left = choice.count;
        head.status = 206;
        head.headers.emplace_back(
            "Content-Range",
            fmt::format("bytes {}-{}/{}", first, first + left - 1, opened.size_bytes));
    }
    head.headers.emplace_back("Content-Type", content_type_of(name));
    co_await responder.start(std::move(head), left);
    const std::shared_ptr<aio::File> file = std::move(opened.file);
    while (left > 0 && request.method == "GET") {
        const std::string piece = co_await read_piece(file, first, std::min(left, kPieceBytes));
        // The file shrank. Without finish() the connection is closed, and the client sees that the
        // body is cut short.
        if (piece.empty()) co_return;
        co_await responder.write(piece);
        first += piece.size();
        left -= piece.size();
    }
    co_await responder.finish();
}

Co<> FolderSite::send_folder(const Target& target, Responder& responder) const {
    std::vector<Folder::Entry> entries = co_await aio::to_thread(
        [folder = folder_, path = target.path] { return folder->list(path, kListedMax); });
    const bool is_complete = entries.size() < kListedMax;
    std::erase_if(entries, [](const Folder::Entry& entry) { return is_hidden(entry.name); });
    const std::string shown = target.path.empty() ? "/" : fmt::format("/{}/", target.path);
    co_await responder.reply(
        {.headers = {{"Content-Type", "text/html; charset=utf-8"},
                     {"Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'"},
                     {"X-Content-Type-Options", "nosniff"}},
         .body = folder_page(shown, entries, is_complete)});
}

}  // namespace weft::http

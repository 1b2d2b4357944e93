#include "crawl/repair/old_texts.h"

#include "archive/index/line_reader.h"
#include "base/hash.h"
#include "base/json_reader.h"

namespace weft::crawl {
namespace {

std::uint64_t key_of(std::string_view url, std::string_view time) {
    return hash64(url, hash64(time));
}

}  // namespace

OldTexts::OldTexts(aio::FileSystem& files, const std::filesystem::path& path) {
    if (!files.exists(path)) return;
    file_ = files.open(path, aio::OpenMode::read);
    archive::LineReader lines(*file_);
    while (const auto line = lines.next()) {
        std::string url;
        std::string time;
        JsonReader reader(*line);
        reader.enter_object();
        while (reader.next_member()) {
            if (reader.key() == "url") {
                reader.read(url);
            } else if (reader.key() == "ts") {
                reader.read(time);
            } else {
                reader.skip();
            }
        }
        if (!reader.is_whole() || url.empty()) continue;
        places_[key_of(url, time)] = {lines.line_offset(), line->size()};
    }
}

std::string OldTexts::find(std::string_view url, WallTime date) {
    const auto place = places_.find(key_of(url, to_iso8601(date, 3)));
    if (place == places_.end()) return {};
    std::string line(place->second.length, '\0');
    line.resize(file_->read_at(place->second.offset, line));
    return line;
}

}  // namespace weft::crawl

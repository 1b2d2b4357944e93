#include "frontier/store/host_merge.h"

#include <algorithm>

namespace weft::frontier {
namespace {

std::size_t host_count_of(const std::vector<std::shared_ptr<HostRun>>& runs) {
    std::size_t count = 0;
    for (const std::shared_ptr<HostRun>& run : runs) count += run->host_count();
    return count;
}

}  // namespace

HostMerge::HostMerge(aio::FileSystem& files, const std::filesystem::path& path,
                     std::vector<std::shared_ptr<HostRun>> runs)
    : writer_(files, path, host_count_of(runs)) {
    for (std::shared_ptr<HostRun>& run : runs) {
        Input& input = inputs_.emplace_back(Input{run, RunReader(run->file())});
        input.places = run->places_from(0);
    }
}

const HostRun::ImagePlace* HostMerge::Input::place() {
    if (next == places.size() && !places.empty()) {
        const std::uint64_t last = places.back().id;
        places =
            last == UINT64_MAX ? std::vector<HostRun::ImagePlace>() : run->places_from(last + 1);
        next = 0;
    }
    return places.empty() ? nullptr : &places[next];
}

bool HostMerge::step(std::size_t bytes) {
    std::size_t done = 0;
    while (done < bytes) {
        if (!image_ && !start_host()) return true;
        while (!pieces_.empty() && done < bytes) done += copy_chunk();
        // The budget is used up in the middle of a host; the next step continues there.
        if (!pieces_.empty()) break;
        writer_.end_host(*image_);
        image_.reset();
        done += 256;  // The approximate size of an image.
    }
    return false;
}

// Starts the host with the lowest id: the state is that of the newest run that has it, the pieces
// are those of all runs.
bool HostMerge::start_host() {
    std::optional<std::uint64_t> id;
    for (Input& input : inputs_) {
        const HostRun::ImagePlace* place = input.place();
        if (place && (!id || place->id < *id)) id = place->id;
    }
    if (!id) return false;
    std::vector<std::pair<Input*, HostImage>> images;
    for (Input& input : inputs_) {
        const HostRun::ImagePlace* place = input.place();
        if (!place || place->id != *id) continue;
        images.emplace_back(&input, input.run->image_at(*place));
        ++input.next;
    }
    image_ = images.back().second;
    for (std::size_t i = 0; i < image_->lanes.size(); ++i) {
        HostImage::LaneImage& lane = image_->lanes[i];
        // These were for the old run; copy_chunk() sets them anew.
        lane.count = lane.offset = lane.size = 0;
        for (const auto& [input, image] : images) {
            const auto old =
                std::ranges::find(image.lanes, lane.number, &HostImage::LaneImage::number);
            if (old == image.lanes.end() || old->count == 0) continue;
            pieces_.push_back({i, input, old->offset, old->offset + old->size});
        }
    }
    return true;
}

// Copies the next chunk, or drops it if all its entries were taken. It is not unpacked; its
// checksum goes with it and is verified when the chunk is read.
std::size_t HostMerge::copy_chunk() {
    Piece& piece = pieces_.front();
    HostImage::LaneImage& lane = image_->lanes[piece.lane];
    RunReader& reader = piece.input->reader;
    const Chunk chunk = read_chunk_head(reader.peek(piece.offset, Chunk::kHeadSize, piece.end));
    if (chunk.size > piece.end - piece.offset) piece.input->run->file().fail(piece.offset);
    if (chunk.first + chunk.count > lane.taken) {
        if (lane.count == 0) lane.offset = writer_.offset();
        writer_.append_chunks(reader.peek(piece.offset, chunk.size, piece.end));
        lane.count += chunk.count;
        lane.size += chunk.size;
    }
    piece.offset += chunk.size;
    if (piece.offset == piece.end) pieces_.pop_front();
    return chunk.size;
}

}  // namespace weft::frontier

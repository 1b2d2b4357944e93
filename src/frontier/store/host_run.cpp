#include "frontier/store/host_run.h"

#include <algorithm>
#include <cstring>
#include <ranges>

#include "base/assert.h"
#include "base/hash.h"
#include "frontier/store/codec.h"

namespace weft::frontier {
namespace {

// An index block: up to this many places (id, offset, size), filled up with zeros, their number,
// and the checksum.
constexpr std::size_t kIndexCountMax = 256;
constexpr std::size_t kPlaceSize = 20;
constexpr std::uint64_t kLaneCountMax = 256;  // Lane numbers are bytes.

std::string encode_image(const HostImage& image) {
    std::string out;
    put_fixed64(out, image.id);
    put_bytes(out, image.name);
    put_time(out, image.ready_at);
    put_byte(out, image.due ? 1 : 0);
    if (image.due) put_time(out, *image.due);
    put_varint(out, image.admitted_count);
    put_varint(out, image.done_count);
    put_byte(out, image.is_dropped ? 1 : 0);
    put_varint(out, image.lanes.size());
    for (const HostImage::LaneImage& lane : image.lanes) {
        put_byte(out, lane.number);
        put_varint(out, lane.taken);
        put_varint(out, lane.next);
        put_varint(out, lane.count);
        put_varint(out, lane.offset);
        put_varint(out, lane.size);
        put_varint(out, lane.pending.size());
        for (const Pending& pending : lane.pending) {
            put_varint(out, pending.sequence);
            put_bytes(out, pending.bytes());
            put_bytes(out, pending.referrer());
        }
    }
    return out;
}

HostImage decode_image(Decoder decoder) {
    HostImage image;
    image.id = decoder.fixed64();
    image.name = decoder.bytes();
    image.ready_at = read_time(decoder);
    if (decoder.byte() != 0) image.due = read_time(decoder);
    image.admitted_count = decoder.varint();
    image.done_count = decoder.varint();
    image.is_dropped = decoder.byte() != 0;
    const std::uint64_t lane_count = decoder.varint();
    if (lane_count > kLaneCountMax) throw Error("a host has too many lanes");
    image.lanes.resize(lane_count);
    for (HostImage::LaneImage& lane : image.lanes) {
        lane.number = decoder.byte();
        lane.taken = decoder.varint();
        lane.next = decoder.varint();
        lane.count = decoder.varint();
        lane.offset = decoder.varint();
        lane.size = decoder.varint();
        for (std::uint64_t left = decoder.varint(); left > 0; --left) {
            const std::uint64_t sequence = decoder.varint();
            const std::string_view bytes = decoder.bytes();
            lane.pending.emplace_back(sequence, bytes, decoder.bytes());
        }
        // Ledger relies on this order, and a forged file can have a right checksum.
        const bool is_sound =
            lane.taken <= lane.next && lane.next <= kSequenceMax &&
            std::ranges::is_sorted(lane.pending, std::less_equal(), &Pending::sequence) &&
            (lane.pending.empty() || lane.pending.back().sequence < lane.taken);
        if (!is_sound) throw Error("the entries of a host are not in order");
    }
    return image;
}

}  // namespace

HostRunWriter::HostRunWriter(aio::FileSystem& files, const std::filesystem::path& path,
                             std::size_t host_count_max)
    : out_(files, path), filter_(BloomShape::of(host_count_max)) {}

void HostRunWriter::end_host(const HostImage& image) {
    WEFT_ASSERT(host_count_ == 0 || last_id_ < image.id);
    last_id_ = image.id;
    const std::string bytes = encode_image(image);
    if (index_count_ == 0) put_fixed64(fences_, image.id);
    put_fixed64(index_, image.id);
    // The checksum comes before the image, so that the image's place is the start of both.
    put_fixed64(index_, out_.offset());
    put_fixed32(index_, static_cast<std::uint32_t>(bytes.size()));
    std::string sum;
    put_fixed64(sum, hash64(bytes));
    out_.append(sum);
    out_.append(bytes);
    filter_.add(image.id);
    if (image.due) dues_.add({*image.due, image.id});
    ++host_count_;
    for (const HostImage::LaneImage& lane : image.lanes) entry_count_ += lane.count;
    if (++index_count_ == kIndexCountMax) end_index();
}

void HostRunWriter::end_index() {
    if (index_count_ == 0) return;
    put_fixed64(fences_, out_.offset());
    index_.resize(kIndexCountMax * kPlaceSize);
    put_fixed64(index_, index_count_);
    put_fixed64(index_, hash64(index_));
    out_.append(index_);
    index_.clear();
    index_count_ = 0;
}

void HostRunWriter::finish() {
    end_index();
    const std::string due_segments = dues_.finish();
    const std::string_view filter_bytes = std::as_const(filter_).bytes();
    std::string footer;
    put_fixed64(footer, host_count_);
    put_bytes(footer, fences_);
    put_bytes(footer, filter_bytes);
    put_bytes(footer, due_segments);
    out_.finish(footer);
}

HostRun::HostRun(aio::FileSystem& files, const std::filesystem::path& path) : file_(files, path) {
    const std::string footer = file_.read_footer();
    Decoder decoder(footer);
    host_count_ = decoder.fixed64();
    const std::string_view fences = decoder.bytes();
    if (fences.size() % sizeof(Fence) != 0) file_.fail(0);
    fences_.resize(fences.size() / sizeof(Fence));
    // A fence is two numbers of 8 bytes, in memory as in the file.
    std::ranges::copy(std::as_bytes(std::span(fences)),
                      std::as_writable_bytes(std::span(fences_)).begin());
    if (!std::ranges::is_sorted(fences_, std::less_equal(), &Fence::first_id)) file_.fail(0);
    const std::string_view filter = decoder.bytes();
    if (filter.empty() || filter.size() % BloomShape::kBlockBytes != 0) file_.fail(0);
    filter_ = Bloom({.block_count = filter.size() / (BloomShape::kBlockBits / 8)});
    std::ranges::copy(filter, filter_.bytes().begin());
    due_segments_ = decoder.bytes();
}

std::optional<HostImage> HostRun::find(std::uint64_t id) {
    const std::optional<ImagePlace> place = place_of(id);
    if (!place) return std::nullopt;
    return image_at(*place);
}

std::optional<HostRun::ImagePlace> HostRun::place_of(std::uint64_t id) {
    if (!filter_.may_contain(id)) return std::nullopt;
    const auto fence = std::ranges::upper_bound(fences_, id, {}, &Fence::first_id);
    if (fence == fences_.begin()) return std::nullopt;
    const std::size_t count = read_index(static_cast<std::size_t>(fence - fences_.begin()) - 1);
    const std::size_t index = lower_bound(count, id);
    if (index == count || place_at(index).id != id) return std::nullopt;
    return place_at(index);
}

std::vector<HostRun::ImagePlace> HostRun::places_from(std::uint64_t id) {
    auto fence = std::ranges::upper_bound(fences_, id, {}, &Fence::first_id);
    if (fence != fences_.begin()) --fence;
    std::vector<ImagePlace> places;
    for (; places.empty() && fence != fences_.end(); ++fence) {
        const std::size_t count = read_index(static_cast<std::size_t>(fence - fences_.begin()));
        for (std::size_t i = lower_bound(count, id); i < count; ++i) {
            places.push_back(place_at(i));
        }
    }
    return places;
}

// Reads an index block into `index_`. Returns the number of its places.
std::size_t HostRun::read_index(std::size_t number) {
    constexpr std::size_t kCountAt = kIndexCountMax * kPlaceSize;
    // Merges and lookups of neighbouring hosts use the same block many times.
    if (index_number_ != number) {
        const std::uint64_t offset = fences_[number].offset;
        // If the read fails, the buffer does not hold the old block any more.
        index_number_.reset();
        file_.read(offset, kCountAt + 16, index_);
        const std::string_view body = std::string_view(index_).substr(0, kCountAt + 8);
        const bool is_good =
            Decoder(std::string_view(index_).substr(body.size())).fixed64() == hash64(body);
        if (!is_good || !is_in_order(number)) file_.fail(offset);
        index_number_ = number;
    }
    return Decoder(std::string_view(index_).substr(kCountAt)).fixed64();
}

// Whether the block in `index_` holds ids that belong between its fence and the next, in ascending
// order. Lookups and merges rely on it: a merge of a forged file would never come to its end.
bool HostRun::is_in_order(std::size_t number) const {
    const std::uint64_t count =
        Decoder(std::string_view(index_).substr(kIndexCountMax * kPlaceSize)).fixed64();
    if (count == 0 || count > kIndexCountMax) return false;
    const auto id_at = [this](std::size_t i) { return place_at(i).id; };
    const bool is_last = number + 1 == fences_.size();
    return id_at(0) == fences_[number].first_id &&
           std::ranges::is_sorted(std::views::iota(std::size_t{0}, count), std::less_equal(),
                                  id_at) &&
           (is_last || id_at(count - 1) < fences_[number + 1].first_id);
}

HostRun::ImagePlace HostRun::place_at(std::size_t index) const {
    Decoder decoder(std::string_view(index_).substr(index * kPlaceSize, kPlaceSize));
    ImagePlace place;
    place.id = decoder.fixed64();
    place.offset = decoder.fixed64();
    place.size = decoder.fixed32();
    return place;
}

// Searches the `count` places of the block in `index_`.
std::size_t HostRun::lower_bound(std::size_t count, std::uint64_t id) const {
    const auto indices = std::views::iota(std::size_t{0}, count);
    const auto found =
        std::ranges::lower_bound(indices, id, {}, [this](std::size_t i) { return place_at(i).id; });
    return static_cast<std::size_t>(found - indices.begin());
}

DueList& HostRun::dues() {
    // Only when asked for: `weft explain` opens runs without needing their dues.
    if (!dues_) dues_.emplace(file_, due_segments_);
    return *dues_;
}

HostImage HostRun::image_at(const ImagePlace& place) {
    std::string bytes;
    file_.read(place.offset, kChecksumSize + place.size, bytes);
    const std::string_view body = std::string_view(bytes).substr(kChecksumSize);
    if (Decoder(bytes).fixed64() != hash64(body)) file_.fail(place.offset);
    HostImage image = decode_image(Decoder(body));
    if (image.id != place.id) file_.fail(place.offset);
    return image;
}

}  // namespace weft::frontier

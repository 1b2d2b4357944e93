#include "frontier/seen/seen_run.h"

#include <algorithm>

#include "base/assert.h"
#include "base/hash.h"
#include "frontier/store/codec.h"

namespace weft::frontier {
namespace {

// A block: the fingerprints, filled up with zeros, then their number and the checksum of all before
// it.
constexpr std::size_t kBlockSize = 4_KiB;
constexpr std::size_t kBlockHeadSize = 16;
constexpr std::size_t kPerBlock = (kBlockSize - kBlockHeadSize) / sizeof(Fingerprint);
constexpr std::size_t kFilterPiece = 64_KiB;
constexpr std::uint32_t kProbeCountMax = 64;  // Far above any value that is ever written.
constexpr std::size_t kPrintsSize = kBlockSize - kBlockHeadSize;

Fingerprint print_at(std::string_view block, std::size_t place) {
    Fingerprint print;
    std::memcpy(&print, block.data() + place * sizeof print, sizeof print);
    return print;
}

}  // namespace

SeenRunWriter::SeenRunWriter(aio::FileSystem& files, const std::filesystem::path& path,
                             BloomShape filter)
    : out_(files, path), filter_out_(files, SeenRun::filter_path(path)), filter_(filter) {}

void SeenRunWriter::add(const Fingerprint& print) {
    if (print == last_) return;
    WEFT_ASSERT(last_ < print);
    last_ = print;
    // Only the first half: eight bytes a block stay in memory.
    if (block_.empty()) put_fixed64(fences_, print.high);
    block_.append(reinterpret_cast<const char*>(&print), sizeof print);
    filter_.add(print.high, filter_bytes_);
    write_filter(false);
    ++count_;
    if (block_.size() == kPerBlock * sizeof print) end_block();
}

void SeenRunWriter::end_block() {
    if (block_.empty()) return;
    const std::size_t count = block_.size() / sizeof(Fingerprint);
    block_.resize(kPrintsSize);
    put_fixed64(block_, count);
    // The place is part of the checksum, so a block at a wrong place does not pass.
    put_fixed64(block_, hash64(block_, out_.offset()));
    out_.append(block_);
    block_.clear();
}

// The checksum goes on from piece to piece. All pieces but the last have the same size, so that
// load_filter() can compute it the same way.
void SeenRunWriter::write_filter(bool all) {
    while (filter_bytes_.size() >= kFilterPiece || (all && !filter_bytes_.empty())) {
        const std::string_view piece = std::string_view(filter_bytes_).substr(0, kFilterPiece);
        filter_sum_ = hash64(piece, filter_sum_);
        filter_out_.append(piece);
        filter_bytes_.erase(0, piece.size());
    }
}

void SeenRunWriter::finish() {
    end_block();
    filter_.finish(filter_bytes_);
    write_filter(true);
    filter_out_.finish("");
    std::string footer;
    put_fixed64(footer, count_);
    put_fixed64(footer, out_.offset());
    put_fixed64(footer, filter_.shape().block_count);
    put_fixed32(footer, filter_.shape().probe_count);
    put_fixed64(footer, filter_sum_);
    footer += fences_;
    out_.finish(footer);
}

SeenRun::SeenRun(aio::FileSystem& files, const std::filesystem::path& path)
    : files_(files), file_(files, path) {
    const std::string footer = file_.read_footer();
    Decoder decoder(footer);
    count_ = decoder.fixed64();
    blocks_end_ = decoder.fixed64();
    filter_shape_.block_count = decoder.fixed64();
    filter_shape_.probe_count = decoder.fixed32();
    filter_sum_ = decoder.fixed64();
    const std::uint64_t filter_blocks_max =
        files.exists(filter_path(path))
            ? files.open(filter_path(path), aio::OpenMode::read)->size() / BloomShape::kBlockBytes
            : 0;
    const std::uint64_t block_count = decoder.rest().size() / sizeof(std::uint64_t);
    // These sizes decide how much memory is taken, so they are checked against the files, even
    // though the footer has a checksum.
    const bool is_sound = count_ <= block_count * kPerBlock && filter_shape_.block_count > 0 &&
                          filter_shape_.probe_count > 0 &&
                          filter_shape_.block_count <= filter_blocks_max &&
                          filter_shape_.probe_count <= kProbeCountMax;
    if (!is_sound) file_.fail(0);
    fences_.resize(decoder.rest().size() / sizeof(std::uint64_t));
    std::memcpy(fences_.data(), decoder.rest().data(), fences_.size() * sizeof(std::uint64_t));
}

void SeenRun::load_filter(std::uint64_t first) {
    const std::size_t first_block = filter_shape_.block_of(first);
    if (has_filter() && filter_.first_block() == first_block) return;
    filter_ = Bloom(filter_shape_, first_block);
    const std::span<char> wanted = filter_.bytes();
    const std::size_t skipped = first_block * BloomShape::kBlockBytes;
    RunFile file(files_, filter_path(file_.path()));
    std::uint64_t sum = 0;
    std::string piece;
    // The whole file is read, also the part that is not kept: the checksum is over all of it.
    for (std::size_t place = 0; place < filter_shape_.bytes(); place += piece.size()) {
        file.read(place, std::min(kFilterPiece, filter_shape_.bytes() - place), piece);
        sum = hash64(piece, sum);
        const std::size_t unwanted = std::min(piece.size(), skipped - std::min(skipped, place));
        const auto to = static_cast<std::ptrdiff_t>(place + unwanted - skipped);
        if (unwanted == piece.size()) continue;
        std::ranges::copy(std::string_view(piece).substr(unwanted), wanted.begin() + to);
    }
    if (sum != filter_sum_) file.fail(0);
}

bool SeenRun::contains(const Fingerprint& print) {
    if (!filter_.may_contain(print.high)) return false;
    // A copy, as the member of a packed struct may be unaligned and cannot be bound to a reference.
    const std::uint64_t first_half = print.high;
    // Several blocks may begin with the same first half. That is rare, so they are simply read one
    // after the other, from the last.
    auto fence = std::ranges::upper_bound(fences_, first_half);
    while (fence != fences_.begin()) {
        --fence;
        const auto number = static_cast<std::size_t>(fence - fences_.begin());
        file_.read(number * kBlockSize, kBlockSize, block_);
        const std::size_t count = check_block(number, block_);
        std::size_t low = 0;
        for (std::size_t high = count; low < high;) {
            const std::size_t middle = (low + high) / 2;
            (print_at(block_, middle) < print ? low : high) =
                middle + (print_at(block_, middle) < print ? 1 : 0);
        }
        if (low < count && print_at(block_, low) == print) return true;
        if (*fence != print.high) return false;
    }
    return false;
}

std::size_t SeenRun::check_block(std::size_t number, std::string_view block) const {
    const std::string_view body = block.substr(0, kBlockSize - 8);
    Decoder decoder(block.substr(kPrintsSize));
    const std::uint64_t count = decoder.fixed64();
    if (decoder.fixed64() != hash64(body, number * kBlockSize) || count > kPerBlock) {
        file_.fail(number * kBlockSize);
    }
    return count;
}

std::optional<Fingerprint> SeenRun::Cursor::next() {
    while (place_ == place_count_) {
        if (block_number_ == run_.fences_.size()) return std::nullopt;
        block_ = reader_.peek(block_number_ * kBlockSize, kBlockSize, run_.blocks_end_);
        place_count_ = run_.check_block(block_number_++, block_);
        place_ = 0;
    }
    const Fingerprint print = print_at(block_, place_++);
    // PackedPrints and merges rely on the order.
    if (last_ && !(*last_ < print)) run_.file_.fail((block_number_ - 1) * kBlockSize);
    last_ = print;
    return print;
}

}  // namespace weft::frontier

#include "frontier/store/chunk.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "frontier/store/codec.h"

namespace weft::frontier {
namespace {

std::size_t shared_prefix(std::string_view a, std::string_view b) {
    const auto [end, other] = std::ranges::mismatch(a, b);
    return static_cast<std::size_t>(end - a.begin());
}

// The URLs of a host share their beginnings: only what follows the shared prefix is written.
void put_difference(std::string& out, std::string_view text, std::string& before) {
    const std::size_t shared = shared_prefix(text, before);
    put_varint(out, shared);
    put_bytes(out, text.substr(shared));
    before.resize(shared);
    before.append(text.substr(shared));
}

void read_difference(Decoder& decoder, std::string& text) {
    // A prefix longer than the text before can only come from a forged file.
    text.resize(std::min<std::size_t>(text.size(), decoder.varint()));
    text.append(decoder.bytes());
}

}  // namespace

void ChunkPacker::add(std::string_view entry, std::string_view referrer) {
    put_difference(body_, entry, entry_);
    put_difference(body_, referrer, referrer_);
    if (++count_ == Chunk::kCountMax) end_chunk();
}

void ChunkPacker::end_chunk() {
    if (count_ == 0) return;
    std::string head;
    put_fixed64(head, next_);
    put_fixed64(head, count_);
    put_fixed64(head, body_.size());
    body_.insert(0, head);
    put_fixed64(ready_, hash64(body_));
    ready_ += body_;
    next_ += count_;
    count_ = 0;
    body_.clear();
    // Each chunk is readable on its own.
    entry_.clear();
    referrer_.clear();
}

std::string ChunkPacker::take(bool all) {
    if (all) end_chunk();
    return std::exchange(ready_, {});
}

Chunk read_chunk_head(std::string_view bytes) {
    Decoder decoder(bytes.substr(kChecksumSize));
    Chunk chunk;
    chunk.first = decoder.fixed64();
    chunk.count = decoder.fixed64();
    // A damaged or forged size must not wrap round to a small one: callers compare it with the
    // bytes that there are.
    const std::uint64_t content = decoder.fixed64();
    chunk.size = content > UINT64_MAX - Chunk::kHeadSize ? UINT64_MAX : Chunk::kHeadSize + content;
    return chunk;
}

ChunkReader::ChunkReader(std::string chunk) : bytes_(std::move(chunk)), place_(Chunk::kHeadSize) {
    const Chunk head = read_chunk_head(bytes_);
    next_ = head.first;
    left_ = head.count;
}

bool ChunkReader::is_good() const {
    return Decoder(bytes_).fixed64() == hash64(std::string_view(bytes_).substr(kChecksumSize));
}

void ChunkReader::advance() {
    Decoder decoder(std::string_view(bytes_).substr(place_));
    read_difference(decoder, entry_);
    read_difference(decoder, referrer_);
    place_ = bytes_.size() - decoder.rest().size();
    ++next_;
    --left_;
}

}  // namespace weft::frontier

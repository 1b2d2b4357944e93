#include "archive/member_reader.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/assert.h"

namespace weft::archive {

namespace {

constexpr std::string_view kGzipMagic = "\x1F\x8B";
constexpr int kGzipWindowBits = 15 + 16;
constexpr std::size_t kStepBytes = 64 << 10;

}  // namespace

MemberReader::~MemberReader() {
    if (is_inflating_) inflateEnd(&stream_);
}

void MemberReader::feed(std::string_view bytes) {
    input_.erase(0, input_start_);
    input_start_ = 0;
    input_ += bytes;
}

std::string_view MemberReader::available() const {
    return std::string_view(plain_).substr(plain_start_);
}

void MemberReader::consume(std::size_t count) {
    WEFT_ASSERT(count <= available().size());
    plain_start_ += count;
    plain_offset_ += count;
    if (plain_start_ == plain_.size()) {
        plain_.clear();
        plain_start_ = 0;
    }
}

MemberReader::Fill MemberReader::fill() {
    if (plain_start_ > kStepBytes) {
        plain_.erase(0, plain_start_);
        plain_start_ = 0;
    }
    switch (kind_) {
        case Kind::unknown: return choose_kind();
        case Kind::plain: return fill_plain();
        case Kind::packed: return is_unit_ended_ ? Fill::unit_end : inflate_some();
    }
    std::unreachable();
}

MemberReader::Fill MemberReader::choose_kind() {
    if (input().size() < kGzipMagic.size() && !is_finished_) return Fill::need_bytes;
    kind_ = input().starts_with(kGzipMagic) ? Kind::packed : Kind::plain;
    return fill();
}

MemberReader::Fill MemberReader::fill_plain() {
    if (input().empty()) return is_finished_ ? Fill::unit_end : Fill::need_bytes;
    plain_ += input();
    drop_input(input().size());
    return Fill::more;
}

MemberReader::Fill MemberReader::inflate_some() {
    if (!is_inflating_) {
        stream_ = {};
        WEFT_ASSERT(inflateInit2(&stream_, kGzipWindowBits) == Z_OK);
        is_inflating_ = true;
    }
    std::array<char, kStepBytes> buffer;
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input().data()));
    stream_.avail_in = static_cast<uInt>(std::min(input().size(), std::size_t{1} << 30));
    const std::size_t offered = stream_.avail_in;
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    stream_.avail_out = buffer.size();
    const int result = inflate(&stream_, Z_NO_FLUSH);
    drop_input(offered - stream_.avail_in);
    const std::size_t made = buffer.size() - stream_.avail_out;
    plain_.append(buffer.data(), made);
    if (result == Z_STREAM_END) {
        inflateEnd(&stream_);
        is_inflating_ = false;
        is_unit_ended_ = true;
        return made > 0 ? Fill::more : Fill::unit_end;
    }
    if (made > 0) return Fill::more;
    if (result != Z_OK && result != Z_BUF_ERROR) return Fill::damaged;
    if (!is_finished_) return Fill::need_bytes;
    is_unit_ended_ = is_unit_cut_ = true;
    return Fill::unit_end;
}

bool MemberReader::start_next_unit() {
    WEFT_ASSERT(available().empty());
    if (kind_ == Kind::plain || (is_finished_ && input().empty())) return false;
    unit_offset_ = input_offset_;
    plain_offset_ = 0;
    is_unit_ended_ = false;
    return true;
}

void MemberReader::drop_input(std::size_t count) {
    input_start_ += count;
    input_offset_ += count;
    if (input_start_ == input_.size()) {
        input_.clear();
        input_start_ = 0;
    }
}

}  // namespace weft::archive

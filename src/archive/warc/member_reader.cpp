#include "archive/warc/member_reader.h"

#include "base/assert.h"

namespace weft::archive {

namespace {

// Consumed bytes are erased only above this size, so that small steps do not move the rest each
// time.
constexpr std::size_t kForgottenBytes = 64 << 10;

}  // namespace

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
    if (plain_start_ > kForgottenBytes) {
        plain_.erase(0, plain_start_);
        plain_start_ = 0;
    }
    if (!is_known_) return choose_decoder();
    if (!decoder_) return fill_plain();
    return is_unit_ended_ ? Fill::unit_end : unpack_some();
}

MemberReader::Fill MemberReader::choose_decoder() {
    const std::optional<Packing> packing = sniff_packing(input());
    if (!packing && !is_finished_) return Fill::need_bytes;
    is_known_ = true;
    if (packing.value_or(Packing::none) != Packing::none) decoder_ = make_member_decoder(*packing);
    return fill();
}

MemberReader::Fill MemberReader::fill_plain() {
    if (input().empty()) return is_finished_ ? Fill::unit_end : Fill::need_bytes;
    plain_ += input();
    drop_input(input().size());
    return Fill::more;
}

MemberReader::Fill MemberReader::unpack_some() {
    const MemberDecoder::Step step = decoder_->decode(input(), plain_);
    drop_input(step.consumed);
    switch (step.state) {
        case MemberDecoder::State::damaged: return Fill::damaged;
        case MemberDecoder::State::member_end:
            is_unit_ended_ = true;
            // The last bytes of the unit are reported first; the next call returns unit_end.
            return step.made > 0 ? Fill::more : Fill::unit_end;
        case MemberDecoder::State::more: break;
    }
    if (step.made > 0 || step.consumed > 0) return Fill::more;
    if (!is_finished_) return Fill::need_bytes;
    // The decoder wants more input, but the file has ended.
    is_unit_ended_ = is_unit_cut_ = true;
    return Fill::unit_end;
}

bool MemberReader::start_next_unit() {
    WEFT_ASSERT(available().empty());
    // A plain file is one unit.
    if (!decoder_ || (is_finished_ && input().empty())) return false;
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

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "archive/warc/member_decoder.h"

namespace weft::archive {

// The bytes of a WARC file, unpacked where needed, unit by unit. A unit is what must hold whole
// records: a gzip member, a zstd frame, or a plain file as a whole.
class MemberReader {
public:
    void feed(std::string_view bytes);
    void finish() { is_finished_ = true; }

    // The bytes of the unit that were not consumed yet. consume() and fill() end the view.
    std::string_view available() const;
    void consume(std::size_t count);

    enum class Fill { more, need_bytes, unit_end, damaged };

    // Tries to add to available(). `unit_end`: there is no more in this unit.
    Fill fill();

    // Goes to the next unit; false if the file is at its end. REQUIRES: fill() said unit_end and
    // nothing is available.
    bool start_next_unit();

    // The unit ended because the file did, not by itself: a member without its end.
    bool is_unit_cut() const { return is_unit_cut_; }

    bool is_packed() const { return decoder_ != nullptr; }
    std::uint64_t unit_offset() const { return unit_offset_; }     // In the file.
    std::uint64_t position() const { return plain_offset_; }       // Of available() in the unit.
    std::uint64_t unit_file_end() const { return input_offset_; }  // Valid at a unit's end.

private:
    std::string_view input() const { return std::string_view(input_).substr(input_start_); }
    Fill choose_decoder();
    Fill fill_plain();
    Fill unpack_some();
    void drop_input(std::size_t count);

    bool is_known_ = false;                   // Whether the file is packed, and how:
    std::unique_ptr<MemberDecoder> decoder_;  // null if it is not.
    bool is_finished_ = false;
    bool is_unit_ended_ = false;
    bool is_unit_cut_ = false;
    std::string input_;
    std::size_t input_start_ = 0;     // Unpacked part of `input_`.
    std::uint64_t input_offset_ = 0;  // Of input() in the file.
    std::string plain_;
    std::size_t plain_start_ = 0;  // Consumed part of `plain_`.
    std::uint64_t plain_offset_ = 0;
    std::uint64_t unit_offset_ = 0;
};

}  // namespace weft::archive

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "archive/warc/member_decoder.h"

namespace weft::archive {

// The bytes of a WARC file, decompressed if needed, unit by unit. A unit contains whole records: it
// is a gzip member, a zstd frame, or the whole of a plain file. No I/O: the caller feeds the bytes.
class MemberReader {
public:
    // Adds the next bytes of the file (copied). finish() says that there are no more.
    void feed(std::string_view bytes);
    void finish() { is_finished_ = true; }

    // The bytes of the unit that are not consumed yet. Valid until consume() or fill().
    std::string_view available() const;
    void consume(std::size_t count);

    enum class Fill { more, need_bytes, unit_end, damaged };

    // Tries to add bytes to available(). `unit_end`: this unit has no more.
    Fill fill();

    // Goes to the next unit. False at the end of the file. REQUIRES: fill() returned unit_end and
    // available() is empty.
    bool start_next_unit();

    // The file ended inside the unit: a member without its end.
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

    bool is_known_ = false;                   // The packing of the file has been determined.
    std::unique_ptr<MemberDecoder> decoder_;  // Null if the file is not packed.
    bool is_finished_ = false;
    bool is_unit_ended_ = false;
    bool is_unit_cut_ = false;
    std::string input_;
    std::size_t input_start_ = 0;     // The part of `input_` before this is decompressed.
    std::uint64_t input_offset_ = 0;  // Where in the file input() begins.
    std::string plain_;
    std::size_t plain_start_ = 0;  // The part of `plain_` before this is consumed.
    std::uint64_t plain_offset_ = 0;
    std::uint64_t unit_offset_ = 0;
};

}  // namespace weft::archive

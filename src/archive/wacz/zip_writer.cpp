#include "archive/wacz/zip_writer.h"

#include <algorithm>
#include <chrono>
#include <span>

#include <fmt/format.h>
#include <libdeflate.h>

#include "aio/task/errors.h"
#include "archive/index/digest.h"
#include "base/units.h"

namespace weft::archive {

namespace {

constexpr std::size_t kCopyBytes = 1_MiB;
// The versions "needed to extract": 2.0, and 4.5 for ZIP64 (APPNOTE, 4.4.3).
constexpr std::uint16_t kVersion = 20;
constexpr std::uint16_t kVersionOfZip64 = 45;
constexpr std::uint16_t kMadeOnUnix = 3 << 8;
constexpr std::uint16_t kNamesAreUtf8 = 1 << 11;
constexpr std::uint16_t kSeeZip64Count = 0xFFFF;
constexpr std::uint32_t kFilePermissions = 0100644;  // A plain file, -rw-r--r--.

// Appends numbers in little-endian, as ZIP has them.
class Fields {
public:
    Fields& u16(std::uint64_t value) { return number(value, 2); }
    Fields& u32(std::uint64_t value) { return number(value, 4); }
    Fields& u64(std::uint64_t value) { return number(value, 8); }
    Fields& text(std::string_view value) {
        bytes_ += value;
        return *this;
    }
    std::string take() { return std::move(bytes_); }

private:
    Fields& number(std::uint64_t value, int size) {
        for (int i = 0; i < size; ++i) bytes_ += static_cast<char>(value >> (8 * i));
        return *this;
    }

    std::string bytes_;
};

// The ZIP64 extra field (kind 1), or nothing if no value needs it (APPNOTE, 4.5.3).
std::string zip64_extra(std::string values) {
    if (values.empty()) return "";
    return Fields().u16(1).u16(values.size()).text(values).take();
}

}  // namespace

ZipWriter::ZipWriter(aio::File& out, WallTime date, Limits limits) : out_(out), limits_(limits) {
    const auto day = std::chrono::floor<std::chrono::days>(date);
    const std::chrono::year_month_day calendar(day);
    const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::seconds>(date - day));
    // MS-DOS dates count from 1980 and have a resolution of two seconds.
    const auto years = static_cast<unsigned>(std::max(0, static_cast<int>(calendar.year()) - 1980));
    date_ = static_cast<std::uint16_t>(years << 9 | static_cast<unsigned>(calendar.month()) << 5 |
                                       static_cast<unsigned>(calendar.day()));
    time_ = static_cast<std::uint16_t>(clock.hours().count() << 11 | clock.minutes().count() << 5 |
                                       clock.seconds().count() / 2);
}

void ZipWriter::put(std::string_view bytes) {
    out_.append(bytes);
    offset_ += bytes.size();
}

// Writes the local header (APPNOTE, 4.3.7). In its ZIP64 field both sizes must be present.
void ZipWriter::begin(ZipEntry entry) {
    entry.offset = offset_;
    const bool is_large = entry.size >= limits_.bytes;
    const std::string extra =
        is_large ? zip64_extra(Fields().u64(entry.size).u64(entry.size).take()) : "";
    const std::uint64_t size = is_large ? kSeeZip64 : entry.size;
    put(Fields()
            .text("PK\x03\x04")
            .u16(is_large ? kVersionOfZip64 : kVersion)
            .u16(kNamesAreUtf8)
            .u16(0)  // Stored.
            .u16(time_)
            .u16(date_)
            .u32(entry.crc)
            .u32(size)
            .u32(size)
            .u16(entry.name.size())
            .u16(extra.size())
            .text(entry.name)
            .text(extra)
            .take());
    entries_.push_back(std::move(entry));
}

ZipMember ZipWriter::add(const std::string& name, std::string_view bytes) {
    begin({.name = name,
           .size = bytes.size(),
           .crc = libdeflate_crc32(0, bytes.data(), bytes.size())});
    put(bytes);
    return {bytes.size(), sha256_label(bytes)};
}

ZipMember ZipWriter::add(const std::string& name, aio::File& file) {
    std::string piece(kCopyBytes, '\0');
    const auto each_piece = [&](std::uint64_t size, const auto& take) {
        for (std::uint64_t offset = 0; offset < size;) {
            const std::size_t room = std::min<std::uint64_t>(piece.size(), size - offset);
            const std::size_t count = file.read_at(offset, std::span(piece).first(room));
            if (count == 0) {
                throw aio::IoError(fmt::format("cannot pack {}: it has become shorter", name),
                                   std::make_error_code(std::errc::io_error));
            }
            take(std::string_view(piece.data(), count));
            offset += count;
        }
    };
    // The size is fixed before the first pass, so that both passes read the same bytes.
    ZipEntry entry{.name = name, .size = file.size()};
    const std::uint64_t size = entry.size;
    MessageDigest sha256(DigestAlgorithm::sha256);
    each_piece(size, [&](std::string_view bytes) {
        entry.crc = libdeflate_crc32(entry.crc, bytes.data(), bytes.size());
        sha256.update(bytes);
    });
    begin(std::move(entry));
    each_piece(size, [&](std::string_view bytes) { put(bytes); });
    return {size, sha256_label(sha256)};
}

// The file's header in the directory (APPNOTE, 4.3.12). Here ZIP64 has only the values that do not
// fit.
std::string ZipWriter::directory_entry(const ZipEntry& entry) const {
    const bool is_large = entry.size >= limits_.bytes;
    const bool is_far = entry.offset >= limits_.bytes;
    Fields wide;
    if (is_large) wide.u64(entry.size).u64(entry.size);
    if (is_far) wide.u64(entry.offset);
    const std::string extra = zip64_extra(wide.take());
    const std::uint16_t version = is_large || is_far ? kVersionOfZip64 : kVersion;
    return Fields()
        .text("PK\x01\x02")
        .u16(kMadeOnUnix | version)
        .u16(version)
        .u16(kNamesAreUtf8)
        .u16(0)  // Stored.
        .u16(time_)
        .u16(date_)
        .u32(entry.crc)
        .u32(is_large ? kSeeZip64 : entry.size)
        .u32(is_large ? kSeeZip64 : entry.size)
        .u16(entry.name.size())
        .u16(extra.size())
        .u16(0)  // No comment.
        .u16(0)  // On the first disk.
        .u16(0)  // Binary, not text.
        .u32(std::uint64_t{kFilePermissions} << 16)
        .u32(is_far ? kSeeZip64 : entry.offset)
        .text(entry.name)
        .text(extra)
        .take();
}

void ZipWriter::finish() {
    const std::uint64_t start = offset_;
    for (const ZipEntry& entry : entries_) put(directory_entry(entry));
    const std::uint64_t size = offset_ - start;
    const std::uint64_t count = entries_.size();
    const bool is_large = start >= limits_.bytes || size >= limits_.bytes || count >= limits_.count;
    // ZIP64's end record and its locator (APPNOTE, 4.3.14 and 4.3.15).
    if (is_large) {
        const std::uint64_t end = offset_;
        put(Fields()
                .text("PK\x06\x06")
                .u64(44)  // Bytes that follow.
                .u16(kMadeOnUnix | kVersionOfZip64)
                .u16(kVersionOfZip64)
                .u32(0)
                .u32(0)
                .u64(count)
                .u64(count)
                .u64(size)
                .u64(start)
                .text("PK\x06\x07")
                .u32(0)
                .u64(end)
                .u32(1)
                .take());
    }
    // The end record, which every ZIP file has (APPNOTE, 4.3.16).
    put(Fields()
            .text("PK\x05\x06")
            .u16(0)
            .u16(0)
            .u16(is_large ? kSeeZip64Count : count)
            .u16(is_large ? kSeeZip64Count : count)
            .u32(is_large ? kSeeZip64 : size)
            .u32(is_large ? kSeeZip64 : start)
            .u16(0)
            .take());
}

}  // namespace weft::archive

#include "archive/wacz/zip_reader.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "archive/wacz/zip_writer.h"
#include "base/units.h"

namespace weft::archive {

namespace {

// Sizes of the fixed parts of the records, by section 4.3 of PKWARE's APPNOTE.
constexpr std::size_t kEndBytes = 22;
constexpr std::size_t kCommentBytesMax = 64_KiB;
constexpr std::size_t kLocatorBytes = 20;
constexpr std::size_t kWideEndBytes = 56;
constexpr std::size_t kEntryBytes = 46;
constexpr std::size_t kLocalBytes = 30;

// ZIP is little-endian.
std::uint64_t number(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint64_t value = 0;
    for (std::size_t i = size; i-- > 0;) {
        value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
    }
    return value;
}

// Returns fewer than `size` bytes only at the end of the file.
std::string read(aio::File& file, std::uint64_t offset, std::size_t size) {
    std::string bytes(size, '\0');
    bytes.resize(file.read_at(offset, bytes));
    return bytes;
}

struct Directory {
    std::uint64_t offset = 0;
    std::uint64_t size = 0;
};

std::optional<Directory> find_directory(aio::File& file) {
    const std::uint64_t total = file.size();
    const std::uint64_t tail = std::min<std::uint64_t>(total, kEndBytes + kCommentBytesMax);
    const std::string bytes = read(file, total - tail, tail);
    // The end record is at the very end, but a comment of up to 64 KiB may follow it.
    const std::size_t end = bytes.rfind("PK\x05\x06");
    if (end == std::string::npos || bytes.size() - end < kEndBytes) return std::nullopt;
    Directory directory{.offset = number(bytes, end + 16, 4), .size = number(bytes, end + 12, 4)};
    // The locator just before the end record leads to ZIP64's own end record.
    const bool is_wide = directory.offset == kSeeZip64 || directory.size == kSeeZip64;
    if (!is_wide && number(bytes, end + 10, 2) != 0xFFFF) return directory;
    if (end < kLocatorBytes ||
        !std::string_view(bytes).substr(end - kLocatorBytes).starts_with("PK\x06\x07")) {
        return is_wide ? std::nullopt : std::optional(directory);
    }
    const std::string wide = read(file, number(bytes, end - kLocatorBytes + 8, 8), kWideEndBytes);
    if (wide.size() < kWideEndBytes || !wide.starts_with("PK\x06\x06")) return std::nullopt;
    return Directory{.offset = number(wide, 48, 8), .size = number(wide, 40, 8)};
}

// The ZIP64 extra field (kind 1) has the sizes and offsets that do not fit into the entry itself,
// in this order (APPNOTE, 4.5.3).
bool read_wide(std::string_view extra, std::uint64_t& unpacked, std::uint64_t& packed,
               std::uint64_t& offset) {
    while (extra.size() >= 4) {
        const std::uint64_t kind = number(extra, 0, 2);
        const std::uint64_t size = number(extra, 2, 2);
        if (extra.size() - 4 < size) return false;
        std::string_view values = extra.substr(4, size);
        extra.remove_prefix(4 + size);
        if (kind != 1) continue;
        for (std::uint64_t* value : {&unpacked, &packed, &offset}) {
            if (*value != kSeeZip64) continue;
            if (values.size() < 8) return false;
            *value = number(values, 0, 8);
            values.remove_prefix(8);
        }
    }
    return true;
}

}  // namespace

std::string_view describe(ZipError error) {
    switch (error) {
        case ZipError::no_directory: return "is no ZIP file, or has lost its end";
        case ZipError::bad_directory: return "is a ZIP file whose directory is damaged";
        case ZipError::too_large: return "is a ZIP file whose directory is larger than 64 MiB";
    }
    std::unreachable();
}

std::expected<std::vector<ZipEntry>, ZipError> read_zip(aio::File& file) {
    const std::optional<Directory> directory = find_directory(file);
    if (!directory) return std::unexpected(ZipError::no_directory);
    if (directory->size > kZipDirectoryBytesMax) return std::unexpected(ZipError::too_large);
    const std::string bytes = read(file, directory->offset, directory->size);
    const std::uint64_t total = file.size();
    std::vector<ZipEntry> entries;
    for (std::string_view rest = bytes; !rest.empty();) {
        if (rest.size() < kEntryBytes || !rest.starts_with("PK\x01\x02")) {
            return std::unexpected(ZipError::bad_directory);
        }
        const std::uint64_t name_size = number(rest, 28, 2);
        const std::uint64_t extra_size = number(rest, 30, 2);
        const std::uint64_t whole = kEntryBytes + name_size + extra_size + number(rest, 32, 2);
        if (rest.size() < whole) return std::unexpected(ZipError::bad_directory);
        ZipEntry entry{.name = std::string(rest.substr(kEntryBytes, name_size)),
                       .size = number(rest, 20, 4),
                       .offset = number(rest, 42, 4),
                       .is_stored = number(rest, 10, 2) == 0};
        std::uint64_t unpacked = number(rest, 24, 4);
        const std::string_view extra = rest.substr(kEntryBytes + name_size, extra_size);
        if (!read_wide(extra, unpacked, entry.size, entry.offset)) {
            return std::unexpected(ZipError::bad_directory);
        }
        // The data begin after the local header, whose name and extra fields may have other lengths
        // than those in the directory.
        const std::string local = read(file, entry.offset, kLocalBytes);
        if (local.size() < kLocalBytes || !local.starts_with("PK\x03\x04")) {
            return std::unexpected(ZipError::bad_directory);
        }
        entry.offset += kLocalBytes + number(local, 26, 2) + number(local, 28, 2);
        if (entry.offset > total || entry.size > total - entry.offset) {
            return std::unexpected(ZipError::bad_directory);
        }
        entries.push_back(std::move(entry));
        rest.remove_prefix(whole);
    }
    return entries;
}

}  // namespace weft::archive

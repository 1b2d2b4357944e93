#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/error.h"

// How numbers and texts are written in the frontier's files: little-endian, lengths first.
// Everything is read after its checksum was verified, so a decoder that runs out of bytes has met a
// bug or a forged file, not a torn one.
namespace weft::frontier {

// A checksum: the hash64() of the bytes that it precedes or follows.
inline constexpr std::size_t kChecksumSize = 8;

// More URLs than any crawl has. Larger numbers come from a forged file, and could overflow.
inline constexpr std::uint64_t kSequenceMax = std::uint64_t{1} << 60;

inline void put_fixed32(std::string& out, std::uint32_t value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
}

inline void put_fixed64(std::string& out, std::uint64_t value) {
    char bytes[sizeof value];
    std::memcpy(bytes, &value, sizeof value);
    out.append(bytes, sizeof value);
}

inline void put_byte(std::string& out, std::uint8_t value) {
    out.push_back(static_cast<char>(value));
}

// Seven bits a byte, the lowest bits first.
inline void put_varint(std::string& out, std::uint64_t value) {
    char bytes[10];
    std::size_t size = 0;
    for (; value >= 0x80; value >>= 7) bytes[size++] = static_cast<char>(value | 0x80);
    bytes[size++] = static_cast<char>(value);
    out.append(bytes, size);
}

inline void put_bytes(std::string& out, std::string_view bytes) {
    put_varint(out, bytes.size());
    out.append(bytes);
}

// For pairs of a file and its size, or a struct of these two.
void put_file_sizes(std::string& out, const auto& sizes) {
    put_varint(out, sizes.size());
    for (const auto& [file, size] : sizes) {
        put_bytes(out, file);
        put_varint(out, size);
    }
}

// Reads what the functions above have written, from front to back. Returned views point into the
// source. Throws Error if the source is too short.
class Decoder {
public:
    explicit Decoder(std::string_view source) : source_(source) {}

    bool is_empty() const { return source_.empty(); }
    std::string_view rest() const { return source_; }

    std::uint8_t byte() { return static_cast<std::uint8_t>(take(1)[0]); }

    std::uint32_t fixed32() {
        std::uint32_t value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }

    std::uint64_t fixed64() {
        std::uint64_t value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }

    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const std::uint8_t next = byte();
            value |= std::uint64_t{next & 0x7fU} << shift;
            if (next < 0x80) break;
        }
        return value;
    }

    std::string_view bytes() { return take(varint()); }

    // Each with the name of the file.
    std::vector<std::pair<std::string_view, std::uint64_t>> file_sizes() {
        std::vector<std::pair<std::string_view, std::uint64_t>> sizes;
        for (std::uint64_t left = varint(); left > 0; --left) {
            const std::string_view file = bytes();
            sizes.emplace_back(file, varint());
        }
        return sizes;
    }

    std::string_view take(std::size_t size) {
        if (size > source_.size()) throw Error("a record of the crawl's state ends too early");
        const std::string_view taken = source_.substr(0, size);
        source_.remove_prefix(size);
        return taken;
    }

private:
    std::string_view source_;
};

}  // namespace weft::frontier

#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>

// What the fuzz targets share: parsers must give the same result however their input is cut.
namespace weft::fuzz {

// Takes small numbers off the front of the fuzzer's bytes to decide with.
class Choices {
public:
    explicit Choices(std::string_view bytes) : bytes_(bytes) {}

    unsigned take() {
        if (bytes_.empty()) return 0;
        const unsigned choice = static_cast<unsigned char>(bytes_.front());
        bytes_.remove_prefix(1);
        return choice;
    }

    std::string_view rest() const { return bytes_; }

private:
    std::string_view bytes_;
};

// A copy of its own size exactly, so that the sanitizer sees a read past the end.
class Piece {
public:
    explicit Piece(std::string_view bytes)
        : bytes_(std::make_unique<char[]>(bytes.size())), size_(bytes.size()) {
        if (size_ > 0) std::memcpy(bytes_.get(), bytes.data(), size_);
    }
    std::string_view view() const { return {bytes_.get(), size_}; }

private:
    std::unique_ptr<char[]> bytes_;
    std::size_t size_;
};

// The length of the next piece: for seed 0 everything, for 1 one byte, else by a small generator.
class Cutter {
public:
    explicit Cutter(unsigned seed) : seed_(seed), state_(seed) {}

    std::size_t next() {
        if (seed_ <= 1) return seed_ == 0 ? std::string_view::npos : 1;
        state_ = state_ * 6364136223846793005U + 1442695040888963407U;
        return 1 + (state_ >> 33) % seed_;
    }

private:
    unsigned seed_;
    std::uint64_t state_;
};

inline void require(bool holds) {
    if (!holds) std::abort();
}

}  // namespace weft::fuzz

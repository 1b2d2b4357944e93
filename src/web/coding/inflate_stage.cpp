#include <algorithm>
#include <array>
#include <climits>
#include <new>

#include <zlib.h>

#include "base/assert.h"
#include "web/coding/decode_stage.h"

namespace weft::web {

namespace {

constexpr std::size_t kInflateBytes = 44 * 1024;  // State and window, as zlib documents it.
// The windowBits argument of inflateInit2() also selects the wrapper.
constexpr int kGzipWindow = MAX_WBITS + 16;
constexpr int kZlibWindow = MAX_WBITS;
constexpr int kRawWindow = -MAX_WBITS;

// zlib's inflate() with one of its three wrappers: gzip, zlib or none.
class Inflater {
public:
    Inflater() = default;
    ~Inflater() { inflateEnd(&stream_); }
    Inflater(const Inflater&) = delete;
    Inflater& operator=(const Inflater&) = delete;

    void start(int window_bits) {
        const int result =
            is_open_ ? inflateReset2(&stream_, window_bits) : inflateInit2(&stream_, window_bits);
        if (result == Z_MEM_ERROR) throw std::bad_alloc();
        WEFT_ASSERT(result == Z_OK);
        is_open_ = true;
    }

    // Returns zlib's result code and sets `consumed` and `produced`.
    int run(std::string_view input, std::span<char> output) {
        // zlib needs a valid output pointer even if there is no room.
        char nowhere = 0;
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
        stream_.avail_in = clamp(input.size());
        stream_.next_out = reinterpret_cast<Bytef*>(output.empty() ? &nowhere : output.data());
        stream_.avail_out = clamp(output.size());
        const int result = inflate(&stream_, Z_NO_FLUSH);
        if (result == Z_MEM_ERROR) throw std::bad_alloc();
        consumed = clamp(input.size()) - stream_.avail_in;
        produced = clamp(output.size()) - stream_.avail_out;
        return result;
    }

    std::size_t consumed = 0;
    std::size_t produced = 0;

private:
    static uInt clamp(std::size_t size) {
        return static_cast<uInt>(std::min<std::size_t>(size, UINT_MAX));
    }

    z_stream stream_{};
    bool is_open_ = false;
};

// Z_BUF_ERROR only means that zlib needs more input or more room.
bool failed(int result) {
    return result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
}

class GzipStage final : public FramedStage {
public:
    using FramedStage::FramedStage;

    std::size_t memory_bytes() const override { return kInflateBytes; }

private:
    bool is_magic_prefix(std::string_view bytes) const override {
        return std::string_view("\x1f\x8b").starts_with(bytes);
    }
    std::size_t magic_bytes() const override { return 2; }
    void start_frame() override { inflater_.start(kGzipWindow); }

    Outcome decode_frame(std::string_view input, std::span<char> output) override {
        const int result = inflater_.run(input, output);
        Outcome outcome{.consumed = inflater_.consumed, .produced = inflater_.produced};
        if (failed(result)) outcome.error = DecodeError::corrupt;
        outcome.ended = result == Z_STREAM_END;
        return outcome;
    }

    Inflater inflater_;
};

// "deflate" means the zlib format (RFC 9110 section 8.4.1.2), but some servers send DEFLATE without
// the zlib wrapper. The first two bytes tell which: no encoder of bare DEFLATE starts with bytes
// that are a valid zlib header (they would be a stored block with a bit set in its padding).
class DeflateStage final : public DecodeStage {
public:
    std::size_t memory_bytes() const override { return kInflateBytes; }

private:
    Outcome decode_some(std::string_view input, std::span<char> output) override {
        if (state_ == State::ended) {
            Outcome outcome;
            if (!input.empty()) outcome.error = DecodeError::trailing_data;
            return outcome;
        }
        if (state_ == State::header) return read_header(input, output);
        return inflate_some(input, output);
    }

    Outcome read_header(std::string_view input, std::span<char> output) {
        Outcome outcome;
        while (header_bytes_ < header_.size() && outcome.consumed < input.size()) {
            header_[header_bytes_++] = input[outcome.consumed++];
        }
        if (header_bytes_ < header_.size()) return outcome;
        const unsigned first = static_cast<unsigned char>(header_[0]);
        const unsigned second = static_cast<unsigned char>(header_[1]);
        // RFC 1950 section 2.2: method 8, window of at most 32 KiB, and a check value.
        const bool is_zlib =
            (first & 0x0F) == 8 && first >> 4 <= 7 && (first << 8 | second) % 31 == 0;
        inflater_.start(is_zlib ? kZlibWindow : kRawWindow);
        state_ = State::body;
        const Outcome opened = inflate_some({header_.data(), header_.size()}, output);
        outcome.produced = opened.produced;
        outcome.error = opened.error;
        // Bare DEFLATE can be complete after these two bytes, or even after the first.
        if (opened.ended && opened.consumed < header_.size()) {
            outcome.error = DecodeError::trailing_data;
        }
        return outcome;
    }

    Outcome inflate_some(std::string_view input, std::span<char> output) {
        const int result = inflater_.run(input, output);
        Outcome outcome{.consumed = inflater_.consumed, .produced = inflater_.produced};
        if (failed(result)) outcome.error = DecodeError::corrupt;
        if (result == Z_STREAM_END) {
            outcome.ended = true;
            state_ = State::ended;
        }
        return outcome;
    }

    std::optional<DecodeError> error_at_end() const override {
        if (state_ == State::ended) return std::nullopt;
        return DecodeError::truncated;
    }

    enum class State { header, body, ended };
    State state_ = State::header;
    std::array<char, 2> header_{};
    std::size_t header_bytes_ = 0;
    Inflater inflater_;
};

}  // namespace

std::unique_ptr<DecodeStage> make_gzip_stage(bool allow_plain) {
    return std::make_unique<GzipStage>(allow_plain);
}

std::unique_ptr<DecodeStage> make_deflate_stage() {
    return std::make_unique<DeflateStage>();
}

}  // namespace weft::web

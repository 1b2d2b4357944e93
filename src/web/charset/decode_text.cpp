#include "web/charset/decode_text.h"

#include <algorithm>
#include <cstring>
#include <type_traits>
#include <utility>

#include "base/assert.h"
#include "web/charset/codecs.h"
#include "web/charset/utf8_text.h"

namespace weft::web {

namespace {

using detail::Step;

// The output's capacity is checked once for this many bytes of input.
constexpr std::size_t kBlockBytes = 16 << 10;

// One byte of any encoding becomes at most three bytes of UTF-8, and a step writes at most four.
constexpr std::size_t kExpansionMax = 3;
constexpr std::size_t kStepBytesMax = 4;

constexpr std::uint64_t kHighBits = 0x8080808080808080;

const unsigned char* begin_of(std::string_view bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

char* put(char* out, char32_t c) {
    const auto trail = [&](int shift) { return static_cast<char>(0x80 | (c >> shift & 0x3F)); };
    if (c >= 0x800 && c < 0x10000) [[likely]] {
        out[0] = static_cast<char>(0xE0 | c >> 12);
        out[1] = trail(6);
        out[2] = trail(0);
        return out + 3;
    }
    if (c < 0x80) {
        out[0] = static_cast<char>(c);
        return out + 1;
    }
    if (c < 0x800) {
        out[0] = static_cast<char>(0xC0 | c >> 6);
        out[1] = trail(0);
        return out + 2;
    }
    out[0] = static_cast<char>(0xF0 | c >> 18);
    out[1] = trail(12);
    out[2] = trail(6);
    out[3] = trail(0);
    return out + 4;
}

// Steps start before `stop` and may read up to `end`.
struct Input {
    const unsigned char* begin;
    const unsigned char* stop;
    const unsigned char* end;
};

enum class Halt : std::uint8_t { stop, incomplete, malformed };

struct Progress {
    const unsigned char* read;
    char* written;
    Halt halt;
};

// Copies ASCII, eight bytes at a time.
Progress copy_ascii(const unsigned char* p, const unsigned char* stop, char* out) {
    for (; stop - p >= 8; p += 8, out += 8) {
        std::uint64_t word;
        std::memcpy(&word, p, sizeof word);
        if (word & kHighBits) break;
        std::memcpy(out, &word, sizeof word);
    }
    while (p < stop && *p < 0x80) *out++ = static_cast<char>(*p++);
    return {p, out, Halt::stop};
}

// Decodes to `out`, which has enough room. The position is in local variables: a write to a char*
// may alias any member, so the compiler would have to load members again after each step.
template <class Codec>
Progress run(Codec& codec, const Input in, char* out, bool fatal) {
    const unsigned char* p = in.begin;
    while (p < in.stop) {
        if constexpr (Codec::kAsciiIsItself) {
            if (*p < 0x80) {
                const Progress copied = copy_ascii(p, in.stop, out);
                p = copied.read;
                out = copied.written;
                continue;
            }
        }
        const Step step = codec.step(p, static_cast<std::size_t>(in.end - p));
        if (step.code_point <= 0x10FFFF) [[likely]] {
            out = put(out, step.code_point);
            if (step.combining != 0) out = put(out, step.combining);
        } else if (step.code_point == detail::kIncomplete) {
            return {p, out, Halt::incomplete};
        } else if (step.code_point == detail::kMalformed) {
            if (fatal) return {p, out, Halt::malformed};
            out = std::ranges::copy(kReplacementText, out).out;
        }
        p += step.length;
    }
    return {p, out, Halt::stop};
}

// The same, but it appends to a string.
struct Read {
    const unsigned char* end;
    Halt halt;
};
template <class Codec>
Read run(Codec& codec, const Input in, std::string& out, bool fatal) {
    Read read{};
    const auto room = static_cast<std::size_t>(in.stop - in.begin) * kExpansionMax + kStepBytesMax;
    const std::size_t before = out.size();
    out.resize_and_overwrite(before + room, [&](char* text, std::size_t) {
        const Progress progress = run(codec, in, text + before, fatal);
        read = {progress.read, progress.halt};
        return static_cast<std::size_t>(progress.written - text);
    });
    return read;
}

}  // namespace

std::string_view describe(TextError error) {
    switch (error) {
        case TextError::malformed: return "the bytes are not text of this encoding";
    }
    std::unreachable();
}

template <class Use>
void TextDecoder::with_codec(Use use) {
    const auto use_new = [&](auto codec) { use(codec); };
    switch (encoding_) {
        case Encoding::utf_8: return use_new(detail::Utf8Codec());
        case Encoding::gbk:
        case Encoding::gb18030: return use_new(detail::Gb18030Codec());
        case Encoding::big5: return use_new(detail::Big5Codec());
        case Encoding::euc_jp: return use_new(detail::EucJpCodec());
        case Encoding::iso_2022_jp: return use(iso_2022_jp_);
        case Encoding::shift_jis: return use_new(detail::ShiftJisCodec());
        case Encoding::euc_kr: return use_new(detail::EucKrCodec());
        case Encoding::utf_16be: return use_new(detail::Utf16Codec<true>());
        case Encoding::utf_16le: return use_new(detail::Utf16Codec<false>());
        case Encoding::x_user_defined: return use_new(detail::UserDefinedCodec());
        case Encoding::replacement: return;  // It has no characters; see replace_all().
        default: {
            const auto row = std::to_underlying(encoding_) - std::to_underlying(Encoding::ibm866);
            return use_new(detail::SingleByteCodec{detail::kSingleByte[row]});
        }
    }
}

void TextDecoder::feed(std::string_view bytes, std::string& out) {
    if (has_failed_) return;
    const std::size_t before = out.size();
    if (encoding_ == Encoding::replacement) replace_all(bytes, out);
    with_codec([&](auto& codec) {
        const std::string_view rest = decode_pending(codec, bytes, out);
        if constexpr (std::is_same_v<decltype(codec), detail::Utf8Codec&>) {
            decode_utf8(rest, out);
        } else {
            decode(codec, rest, out);
        }
    });
    // The first output decides about the byte order mark. A piece may end inside the mark; then the
    // decoder holds its bytes back and there is no output yet.
    if (has_started_ || out.size() == before) return;
    has_started_ = true;
    if (drops_byte_order_mark() &&
        std::string_view(out).substr(before).starts_with(kByteOrderMark)) {
        out.erase(before, kByteOrderMark.size());
    }
}

void TextDecoder::finish(std::string& out) {
    if (!has_failed_) with_codec([&](auto& codec) { flush(codec, out); });
    pending_count_ = 0;
    has_started_ = false;
    iso_2022_jp_ = {};
}

std::string_view TextDecoder::feed_view(std::string_view bytes, std::string& scratch) {
    // Bytes can be returned as they are if they are ASCII (in most encodings) or valid UTF-8.
    // ISO-2022-JP and the encodings from `replacement` on are always decoded.
    const bool is_utf8 = encoding_ == Encoding::utf_8;
    const bool ascii_is_itself =
        encoding_ < Encoding::replacement && encoding_ != Encoding::iso_2022_jp;
    if (pending_count_ == 0 && ascii_is_itself) {
        if (is_utf8 && !has_started_ && drops_byte_order_mark() &&
            bytes.starts_with(kByteOrderMark)) {
            has_started_ = true;
            bytes.remove_prefix(kByteOrderMark.size());
        }
        const std::size_t same =
            is_utf8 ? detail::valid_utf8_prefix(bytes) : detail::ascii_prefix(bytes);
        const std::string_view rest = bytes.substr(same);
        const bool only_cut =
            is_utf8 && !rest.empty() &&
            detail::utf8_sequence(rest).kind == detail::Utf8Sequence::Kind::incomplete;
        if (rest.empty() || only_cut) {
            hold(begin_of(rest), begin_of(rest) + rest.size());
            has_started_ = has_started_ || same > 0;
            return bytes.substr(0, same);
        }
    }
    scratch.clear();
    feed(bytes, scratch);
    return scratch;
}

// Only UTF-8 and UTF-16 have a byte order mark.
bool TextDecoder::drops_byte_order_mark() const {
    return !options_.keep_byte_order_mark && output_encoding(encoding_) == Encoding::utf_8 &&
           encoding_ != Encoding::replacement;
}

void TextDecoder::hold(const unsigned char* begin, const unsigned char* end) {
    WEFT_ASSERT(end - begin < static_cast<std::ptrdiff_t>(pending_.size()));
    std::copy(begin, end, pending_.begin());
    pending_count_ = static_cast<std::uint8_t>(end - begin);
}

// Decodes the bytes that were held back together with the first new ones. Returns the rest of the
// new bytes.
template <class Codec>
std::string_view TextDecoder::decode_pending(Codec& codec, std::string_view bytes,
                                             std::string& out) {
    if (pending_count_ == 0 || bytes.empty()) return bytes;
    std::array<unsigned char, 8> joined;
    const std::size_t taken = std::min<std::size_t>(bytes.size(), joined.size() - pending_count_);
    auto* end = std::copy_n(pending_.begin(), pending_count_, joined.begin());
    end = std::copy_n(begin_of(bytes), taken, end);

    const unsigned char* const held_end = joined.data() + pending_count_;
    const Read read = run(codec, Input{joined.data(), held_end, end}, out, is_strict_);
    has_failed_ = read.halt == Halt::malformed;
    if (read.halt == Halt::incomplete) {
        hold(read.end, end);  // A sequence has at most four bytes, so all new bytes belong to it.
        return {};
    }
    pending_count_ = 0;
    return has_failed_ ? "" : bytes.substr(static_cast<std::size_t>(read.end - held_end));
}

template <class Codec>
void TextDecoder::decode(Codec& codec, std::string_view bytes, std::string& out) {
    const unsigned char* const end = begin_of(bytes) + bytes.size();
    const unsigned char* p = begin_of(bytes);
    while (p < end) {
        const unsigned char* const stop = p + std::min<std::ptrdiff_t>(end - p, kBlockBytes);
        const Read read = run(codec, Input{p, stop, end}, out, is_strict_);
        p = read.end;
        has_failed_ = read.halt == Halt::malformed;
        if (read.halt == Halt::incomplete) hold(p, end);
        if (read.halt != Halt::stop) return;
    }
}

void TextDecoder::decode_utf8(std::string_view bytes, std::string& out) {
    using enum detail::Utf8Sequence::Kind;
    while (!bytes.empty()) {
        // One step first: if there are many errors, checking far ahead would cost more than it
        // gains.
        const auto [kind, length] = detail::utf8_sequence(bytes);
        if (kind == valid) {
            const std::size_t valid_bytes = detail::valid_utf8_prefix(bytes);
            out.append(bytes.substr(0, valid_bytes));
            bytes.remove_prefix(valid_bytes);
        } else if (kind == incomplete) {
            return hold(begin_of(bytes), begin_of(bytes) + bytes.size());
        } else if (is_strict_) {
            has_failed_ = true;
            return;
        } else {
            out += kReplacementText;
            bytes.remove_prefix(length);
        }
    }
}

template <class Codec>
void TextDecoder::flush(Codec& codec, std::string& out) {
    const unsigned char* const end = pending_.data() + pending_count_;
    const unsigned char* p = pending_.data();
    while (p < end && !has_failed_) {
        const Read read = run(codec, Input{p, end, end}, out, is_strict_);
        if (read.halt == Halt::stop) return;
        has_failed_ = is_strict_;
        if (!has_failed_) out += kReplacementText;
        // A cut escape sequence is one error for the escape byte; its other bytes are text.
        const bool is_escape = encoding_ == Encoding::iso_2022_jp && *read.end == 0x1B;
        p = is_escape ? read.end + 1 : end;
    }
}

// The "replacement" decoder: the whole text is one U+FFFD, unless it is empty.
void TextDecoder::replace_all(std::string_view bytes, std::string& out) {
    if (bytes.empty() || has_started_) return;
    has_failed_ = is_strict_;
    if (!has_failed_) out += kReplacementText;
}

std::expected<void, TextError> StrictTextDecoder::feed(std::string_view bytes, std::string& out) {
    decoder_.feed(bytes, out);
    if (decoder_.has_failed_) return std::unexpected(TextError::malformed);
    return {};
}

std::expected<void, TextError> StrictTextDecoder::finish(std::string& out) {
    decoder_.finish(out);
    if (std::exchange(decoder_.has_failed_, false)) return std::unexpected(TextError::malformed);
    return {};
}

std::string decode_text(Encoding encoding, std::string_view bytes) {
    TextDecoder decoder(encoding);
    std::string text;
    decoder.feed(bytes, text);
    decoder.finish(text);
    return text;
}

}  // namespace weft::web

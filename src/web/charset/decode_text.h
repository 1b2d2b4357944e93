#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "web/charset/encoding.h"
#include "web/charset/iso_2022_jp.h"

namespace weft::web {

struct TextDecoderOptions {
    // Keep a byte order mark at the start of UTF-8 or UTF-16 as U+FEFF in the text. By default it
    // is dropped. Later ones always stay.
    bool keep_byte_order_mark = false;
};

// Decodes bytes of one encoding to UTF-8, by the Encoding standard: a malformed sequence becomes
// U+FFFD and never swallows an ASCII byte. The output is always valid UTF-8 (H46), and the cuts
// between pieces of input do not change it.
//
// It holds back at most three bytes of input, for a character that is cut at the end of a piece.
// The output of a piece has at most three times its length plus nine bytes.
//
// It does not detect the encoding: a byte order mark of another encoding is decoded like any text.
// sniff_encoding() finds the encoding. Used by one thread at a time.
class TextDecoder {
public:
    explicit TextDecoder(Encoding encoding, TextDecoderOptions options = {})
        : encoding_(encoding), options_(options) {}

    // Appends the text of the next bytes to `out`.
    void feed(std::string_view bytes, std::string& out);

    // Ends the input: appends U+FFFD for an unfinished character. Then the decoder is like a new
    // one.
    void finish(std::string& out);

    // The text of the next bytes, like feed(), but without a copy where possible. If `bytes` are
    // UTF-8 (or ASCII) already, the result is a view of them. Else it is a view of `scratch`, which
    // is overwritten.
    std::string_view feed_view(std::string_view bytes, std::string& scratch);

    Encoding encoding() const { return encoding_; }

private:
    friend class StrictTextDecoder;

    // Calls `use` with the codec of the encoding.
    template <class Use>
    void with_codec(Use use);

    template <class Codec>
    void decode(Codec& codec, std::string_view bytes, std::string& out);
    void decode_utf8(std::string_view bytes, std::string& out);
    template <class Codec>
    std::string_view decode_pending(Codec& codec, std::string_view bytes, std::string& out);
    template <class Codec>
    void flush(Codec& codec, std::string& out);
    void replace_all(std::string_view bytes, std::string& out);
    void hold(const unsigned char* begin, const unsigned char* end);
    bool drops_byte_order_mark() const;

    Encoding encoding_;
    TextDecoderOptions options_;
    bool is_strict_ = false;
    bool has_failed_ = false;   // Only if strict: a malformed sequence was found.
    bool has_started_ = false;  // There was output, so a byte order mark cannot come any more.
    std::uint8_t pending_count_ = 0;
    std::array<unsigned char, 4> pending_{};  // The beginning of an unfinished character.
    detail::Iso2022JpCodec iso_2022_jp_;
};

enum class [[nodiscard]] TextError : std::uint8_t { malformed };
std::string_view describe(TextError error);

// The same without replacement, the standard's "fatal" error mode. At the first malformed sequence
// it appends the text before it and returns an error. Every later call returns the error, too, up
// to and including finish().
class StrictTextDecoder {
public:
    explicit StrictTextDecoder(Encoding encoding, TextDecoderOptions options = {})
        : decoder_(encoding, options) {
        decoder_.is_strict_ = true;
    }

    std::expected<void, TextError> feed(std::string_view bytes, std::string& out);
    std::expected<void, TextError> finish(std::string& out);

private:
    TextDecoder decoder_;
};

// Decodes all of `bytes` at once, with replacement.
std::string decode_text(Encoding encoding, std::string_view bytes);

}  // namespace weft::web

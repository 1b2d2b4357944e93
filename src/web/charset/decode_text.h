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
    // A byte order mark at the start of UTF-8 or UTF-16 stays in the text as U+FEFF; else it is
    // dropped. Later ones stay in any case.
    bool keep_byte_order_mark = false;
};

// Turns bytes of one encoding into UTF-8, as the Encoding standard has it: malformed sequences
// become U+FFFD, and an ASCII byte is never swallowed by one. What comes out is always valid UTF-8
// (H46), and is the same however the input is cut into pieces.
//
// Holds at most three bytes of input back, for a character cut at the end of a piece. The output of
// a piece is at most three times as long as the piece, and nine bytes.
//
// Does not look for the encoding: a byte order mark of another encoding is decoded like any text.
// sniff_encoding() finds the encoding.
class TextDecoder {
public:
    explicit TextDecoder(Encoding encoding, TextDecoderOptions options = {})
        : encoding_(encoding), options_(options) {}

    // Appends the text of the next bytes to `out`.
    void feed(std::string_view bytes, std::string& out);

    // Appends what an unfinished character at the end of the input becomes. The decoder is then as
    // new.
    void finish(std::string& out);

    // The text of the next bytes, as feed() gives it, but not copied where it can be helped: if
    // `bytes` are UTF-8 (or ASCII) already, the result views them; if not, it views `scratch`,
    // which is overwritten.
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
    bool has_failed_ = false;   // At something malformed, being strict.
    bool has_started_ = false;  // Some text came out; it is too late for a byte order mark.
    std::uint8_t pending_count_ = 0;
    std::array<unsigned char, 4> pending_{};
    detail::Iso2022JpCodec iso_2022_jp_;
};

enum class [[nodiscard]] TextError : std::uint8_t { malformed };
std::string_view describe(TextError error);

// The same, for who would rather have no text than replaced text: the first malformed sequence is
// an error, with the text before it appended, and so is every later call, up to finish().
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

// All of `bytes` at once, with replacement.
std::string decode_text(Encoding encoding, std::string_view bytes);

}  // namespace weft::web

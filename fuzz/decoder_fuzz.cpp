// Coded bodies: the same bytes and the same end however cut (unless corrupt), never more bytes than
// allowed, never more than a step at once.
#include <algorithm>
#include <optional>
#include <string>

#include "base/limits.h"
#include "fuzz/cuts.h"
#include "web/coding/decoder.h"

namespace weft::web {
namespace {

struct Result {
    std::string bytes;
    std::optional<DecodeError> error;
    bool was_plain = false;
};

Result decode_cut(std::string_view body, const Codings& codings, const DecoderOptions& options,
                  fuzz::Cutter cutter) {
    Decoder decoder(codings, options);
    Result result;
    std::string scratch(std::min(cutter.next(), limits::kDecodeStepBytes), '\0');
    while (!result.error) {
        const fuzz::Piece piece(body.substr(0, cutter.next()));
        const bool is_last = piece.view().empty();
        std::string_view input = piece.view();
        for (bool is_hungry = false; !is_hungry;) {
            const auto step = decoder.next(input, scratch);
            if (!step) {
                result.error = step.error();
                break;
            }
            fuzz::require(step->consumed <= input.size() && step->produced <= scratch.size());
            fuzz::require(!step->is_hungry || step->consumed == input.size());
            result.bytes.append(scratch, 0, step->produced);
            fuzz::require(result.bytes.size() <= options.decoded_bytes_max);
            fuzz::require(result.bytes.size() == decoder.decoded_bytes());
            input.remove_prefix(step->consumed);
            is_hungry = step->is_hungry;
        }
        body.remove_prefix(piece.view().size());
        if (is_last) break;
    }
    const auto finished = decoder.finish();
    fuzz::require(!result.error || !finished);
    if (!finished) result.error = finished.error();
    result.was_plain = decoder.was_plain();
    return result;
}

}  // namespace
}  // namespace weft::web

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    using web::Coding;
    fuzz::Choices choices({reinterpret_cast<const char*>(data), size});
    const unsigned seed = 2 + choices.take();
    const unsigned kinds = choices.take();
    web::Codings codings;
    codings.count = kinds % 8 == 7 ? 2 : 1;
    codings.list[0] = static_cast<Coding>(kinds / 8 % 4);
    codings.list[1] = static_cast<Coding>(kinds / 32 % 4);
    const web::DecoderOptions options{.decoded_bytes_max = 1U << (choices.take() % 18),
                                      .allow_plain = kinds >= 128};
    const std::string_view body = choices.rest();

    const web::Result whole = web::decode_cut(body, codings, options, fuzz::Cutter(0));
    for (unsigned cut : {1U, seed}) {
        const web::Result other = web::decode_cut(body, codings, options, fuzz::Cutter(cut));
        if (whole.error == web::DecodeError::corrupt) {
            // With fewer bytes at once more may come out first, and break another rule.
            fuzz::require(other.error.has_value());
            continue;
        }
        fuzz::require(whole.error == other.error && whole.bytes == other.bytes);
        fuzz::require(whole.was_plain == other.was_plain);
    }
    return 0;
}

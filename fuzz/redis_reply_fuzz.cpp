// What a server sends that may be Redis: the replies and the end are the same however the bytes are
// cut, and no reply is beyond the limits.
#include <cstdint>

#include "fuzz/cuts.h"
#include "redis/reply_reader.h"
#include "redis/slots.h"

namespace weft::redis {
namespace {

constexpr ReplyLimits kLimits{.bytes_max = 256, .elements_max = 20, .depth_max = 3};

struct Reading {
    std::vector<Reply> replies;
    std::expected<void, ReplyError> end;

    friend bool operator==(const Reading&, const Reading&) = default;
};

Reading read_cut(std::string_view bytes, fuzz::Cutter cutter) {
    ReplyReader reader(kLimits);
    Reading reading;
    while (!bytes.empty() && reading.end) {
        const fuzz::Piece piece(bytes.substr(0, cutter.next()));
        bytes.remove_prefix(piece.view().size());
        reading.end = reader.read(piece.view(), reading.replies);
    }
    return reading;
}

std::size_t element_count(const Reply& reply) {
    std::size_t count = reply.elements.size();
    for (const Reply& element : reply.elements) count += element_count(element);
    return count;
}

}  // namespace
}  // namespace weft::redis

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    fuzz::Choices choices({reinterpret_cast<const char*>(data), size});
    const unsigned seed = 2 + choices.take();
    const std::string_view bytes = choices.rest();
    const redis::Reading whole = redis::read_cut(bytes, fuzz::Cutter(0));
    fuzz::require(whole == redis::read_cut(bytes, fuzz::Cutter(1)));
    fuzz::require(whole == redis::read_cut(bytes, fuzz::Cutter(seed)));
    const redis::Node asked{.host = "a.test"};
    for (const redis::Reply& reply : whole.replies) {
        fuzz::require(redis::element_count(reply) <= redis::kLimits.elements_max);
        const auto map = redis::SlotMap::read(reply, asked);
        if (map) fuzz::require(map->masters().size() <= redis::kLimits.elements_max);
        redis::parse_moved(reply.text, asked);
    }
    return 0;
}

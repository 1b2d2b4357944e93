#include "aio/net/buffer.h"

#include <vector>

#include <gtest/gtest.h>
#include <malloc.h>

namespace weft::aio {
namespace {

TEST(Buffer, HoldsNoMemoryOnceAllIsConsumed) {
    std::vector<Buffer> buffers(1'000);
    const std::size_t before = mallinfo2().uordblks;  // 0 for ever under sanitizers.

    for (Buffer& buffer : buffers) {
        buffer.room()[0] = 'x';
        buffer.add(1);
        buffer.consume(1);
    }

    EXPECT_LT(mallinfo2().uordblks - before, 100 * Buffer::kBlockBytes);
}

TEST(Buffer, KeepsWhatIsNotConsumed) {
    Buffer buffer;
    const std::string body(3 * Buffer::kBlockBytes, 'x');
    const std::string text = body + "end";
    for (std::string_view rest = text; !rest.empty();) {
        const std::span<char> room = buffer.room();
        const std::size_t count = rest.copy(room.data(), room.size());
        buffer.add(count);
        rest.remove_prefix(count);
    }

    buffer.consume(body.size());

    EXPECT_EQ(buffer.view(), "end");
}

}  // namespace
}  // namespace weft::aio

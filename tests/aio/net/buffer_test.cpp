#include "aio/net/buffer.h"

#include <algorithm>
#include <cstring>
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

void read_into(Buffer& buffer, std::size_t count) {
    while (count > 0) {
        const std::span<char> room = buffer.room();
        const std::size_t got = std::min(count, room.size());
        std::memset(room.data(), 'x', got);
        buffer.add(got);
        count -= got;
    }
}

TEST(Buffer, TakesLargeBlocksAfterLargeReads) {
    Buffer buffer;
    EXPECT_EQ(buffer.room().size(), Buffer::kBlockBytes);
    read_into(buffer, Buffer::kBlockBytes / 2);
    buffer.consume(buffer.size());

    EXPECT_EQ(buffer.room().size(), Buffer::kLargeBlockBytes);

    read_into(buffer, Buffer::kBlockBytes / 2 - 1);
    buffer.consume(buffer.size());
    EXPECT_EQ(buffer.room().size(), Buffer::kBlockBytes);
}

TEST(Buffer, SettlesFewBytesInASmallBlock) {
    for (const std::size_t left : {std::size_t{1}, Buffer::kBlockBytes, Buffer::kBlockBytes + 1}) {
        Buffer buffer;
        read_into(buffer, Buffer::kBlockBytes);
        buffer.consume(buffer.size());
        read_into(buffer, Buffer::kLargeBlockBytes);
        buffer.consume(buffer.size() - left);
        const std::string bytes(buffer.view());

        buffer.settle();

        EXPECT_EQ(buffer.view(), bytes);
        const bool is_small = left <= Buffer::kBlockBytes;
        EXPECT_EQ(buffer.view().size() + buffer.room().size() <= 2 * Buffer::kBlockBytes, is_small);
    }
}

}  // namespace
}  // namespace weft::aio

#include "frontier/store/chunk.h"

#include <gtest/gtest.h>

#include "frontier/store/codec.h"

namespace weft::frontier {

// It wrapped round to 0: a merge of runs with such a chunk never came to its end.
TEST(Chunk, AForgedSizeStaysLargerThanAnyFile) {
    std::string head(8, '\0');  // The checksum, which is verified when the content is read.
    put_fixed64(head, 1);
    put_fixed64(head, 1);
    put_fixed64(head, UINT64_MAX - Chunk::kHeadSize + 1);

    EXPECT_EQ(read_chunk_head(head).size, UINT64_MAX);
}

}  // namespace weft::frontier

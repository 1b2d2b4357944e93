#include "web/html/text_store.h"

#include <utility>

namespace weft::web {
namespace {

TEST(TextStore, TextsStayWhereTheyAreWhenTheStoreMoves) {
    TextStore store(1 << 20);
    std::vector<std::string_view> kept;
    for (int i = 0; i < 10'000; ++i) kept.push_back(store.keep(std::to_string(i)));

    const TextStore moved = std::move(store);

    for (int i = 0; i < 10'000; ++i) {
        ASSERT_EQ(kept[static_cast<std::size_t>(i)], std::to_string(i));
    }
}

TEST(TextStore, RoomShrinksToNothing) {
    TextStore store(10);
    store.keep("1234567");
    EXPECT_EQ(store.room_bytes(), 3u);

    EXPECT_EQ(store.keep("890"), "890");

    EXPECT_EQ(store.room_bytes(), 0u);
    EXPECT_EQ(store.keep(""), "");
}

}  // namespace
}  // namespace weft::web

#include "base/chain.h"

#include <vector>

#include <gtest/gtest.h>

namespace weft {
namespace {

struct ByColour;

struct Bead : ChainLink<Bead>, ChainLink<Bead, ByColour> {};

std::vector<Bead*> beads_of(const Chain<Bead>& chain) {
    std::vector<Bead*> all;
    for (Bead* bead = chain.first(); bead; bead = chain.next(*bead)) all.push_back(bead);
    return all;
}

TEST(Chain, KeepsTheOrderHoweverElementsLeave) {
    Bead a, b, c;
    Chain<Bead> chain;
    Chain<Bead, ByColour> other;
    for (Bead* bead : {&a, &b, &c}) chain.push(*bead);
    other.push(b);

    chain.remove(b);
    EXPECT_EQ(beads_of(chain), (std::vector{&a, &c}));
    EXPECT_EQ(chain.previous(c), &a);
    chain.push(b);
    EXPECT_EQ(chain.pop(), &a);
    EXPECT_EQ(beads_of(chain), (std::vector{&c, &b}));
    EXPECT_EQ(other.first(), &b);

    chain.remove(b);
    chain.remove(c);
    EXPECT_TRUE(chain.empty());
    EXPECT_EQ(chain.pop(), nullptr);
}

TEST(ChainDeathTest, AnElementIsInOneChainOnce) {
    Bead a, b;
    Chain<Bead> chain;
    chain.push(a);
    EXPECT_DEATH(chain.push(a), "last_ != &element");
    EXPECT_DEATH(chain.remove(b), "last_ == &element");
}

}  // namespace
}  // namespace weft

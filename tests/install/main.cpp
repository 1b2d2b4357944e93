#include <cstdio>

#include "base/hash.h"
#include "base/units.h"

int main() {
    weft::Sha1 digest;
    digest.update("abc");
    const bool links = digest.finish().size() == 20 && weft::hash64("abc") != 0;
    std::puts(weft::human_bytes(1536).c_str());
    return links ? 0 : 1;
}

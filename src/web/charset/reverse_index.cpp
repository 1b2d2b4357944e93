#include "web/charset/reverse_index.h"

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "web/charset/codecs.h"
#include "web/charset/encoding_tables.h"

namespace weft::web::detail {

namespace {

// The pointers of an index, sorted by their code points. `Index` gives the code point of a pointer
// (0 if the encoder must not use the pointer), and whether the last of several pointers is used.
template <class Index>
class Reverse {
public:
    Reverse() {
        for (unsigned p = 0; p < Index::kCount; ++p) {
            if (Index::code_point(p) != 0) pointers_.push_back(static_cast<std::uint16_t>(p));
        }
        std::ranges::sort(pointers_, {},
                          [](unsigned p) { return std::pair(Index::code_point(p), p); });
        pointers_.shrink_to_fit();
    }

    std::optional<unsigned> find(char32_t code_point) const {
        const auto range = std::ranges::equal_range(pointers_, code_point, {}, Index::code_point);
        if (range.empty()) return std::nullopt;
        return Index::prefers_last(code_point) ? range.back() : range.front();
    }

private:
    std::vector<std::uint16_t> pointers_;
};

template <const auto& Table>
struct PlainIndex {
    static constexpr std::size_t kCount = std::size(Table);
    static char32_t code_point(unsigned pointer) { return Table[pointer]; }
    static bool prefers_last(char32_t) { return false; }
};

struct ShiftJisIndex : PlainIndex<kJis0208> {
    // "Index Shift_JIS pointer" leaves out these pointers: they are NEC's copies of the IBM
    // extensions, which come later in the index.
    static char32_t code_point(unsigned pointer) {
        return in_range(pointer, 8272, 8835) ? 0 : kJis0208[pointer];
    }
};

struct Big5Index {
    static constexpr std::size_t kCount = kBig5Count;
    // "Index Big5 pointer": the Hong Kong extensions are decoded, but never encoded.
    static char32_t code_point(unsigned pointer) {
        return pointer < (0xA1 - 0x81) * 157 ? 0 : big5_code_point(pointer);
    }
    static bool prefers_last(char32_t c) {
        return c == 0x2550 || c == 0x255E || c == 0x2561 || c == 0x256A || c == 0x5341 ||
               c == 0x5345;
    }
};

template <class Index>
std::optional<unsigned> find(char32_t code_point) {
    static const Reverse<Index> reverse;  // Built by the first caller; thread-safe.
    return reverse.find(code_point);
}

}  // namespace

std::optional<unsigned> big5_pointer(char32_t code_point) {
    return find<Big5Index>(code_point);
}

std::optional<unsigned> euc_kr_pointer(char32_t code_point) {
    return find<PlainIndex<kEucKr>>(code_point);
}

std::optional<unsigned> gb18030_pointer(char32_t code_point) {
    return find<PlainIndex<kGb18030>>(code_point);
}

std::optional<unsigned> jis0208_pointer(char32_t code_point) {
    return find<PlainIndex<kJis0208>>(code_point);
}

std::optional<unsigned> shift_jis_pointer(char32_t code_point) {
    return find<ShiftJisIndex>(code_point);
}

unsigned gb18030_range_pointer(char32_t code_point) {
    if (code_point == 0xE7C7) return 7457;
    if (code_point >= 0x10000) return 189000 + (code_point - 0x10000);
    const auto* range = std::ranges::upper_bound(kGb18030RangeCodePoints, code_point) - 1;
    return kGb18030RangePointers[range - kGb18030RangeCodePoints] + (code_point - *range);
}

}  // namespace weft::web::detail

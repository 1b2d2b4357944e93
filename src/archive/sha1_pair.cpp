#include "archive/sha1_pair.h"

#include <algorithm>
#include <array>
#include <utility>

#include "archive/digest.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#include "base/bytes.h"
#endif

namespace weft::archive {
namespace {

using Labels = std::pair<std::string, std::string>;

#if defined(__x86_64__)

constexpr std::size_t kBlockBytes = 64;

bool has_sha_instructions() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

// A message cut into blocks, with the padding that FIPS 180-4, 5.1.1 puts behind it.
class Blocks {
public:
    Blocks(std::string_view first, std::string_view second) : start_(first) {
        const std::size_t gap = (0 - first.size()) % kBlockBytes;
        start_ += second.substr(0, gap);
        second.remove_prefix(std::min(gap, second.size()));

        const std::size_t bytes = start_.size() + second.size();
        const std::size_t left = bytes % kBlockBytes;
        const std::string_view rest = second.empty() ? std::string_view(start_) : second;
        std::ranges::copy(rest.substr(rest.size() - left), end_.begin());
        end_[left] = '\x80';
        const std::size_t end_bytes = left < kBlockBytes - 8 ? kBlockBytes : 2 * kBlockBytes;
        for (std::size_t i = 0; i < 8; ++i) {
            end_[end_bytes - 1 - i] = static_cast<char>(8 * bytes >> 8 * i);
        }
        parts_ = {whole(start_), whole(second), std::string_view(end_.data(), end_bytes)};
    }
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;

    // Whole blocks that lie in a row; empty at the end.
    std::string_view row() {
        while (parts_[part_].empty() && part_ + 1 < parts_.size()) ++part_;
        return parts_[part_];
    }

    // Of row(), these are done with.
    void skip(std::size_t bytes) { parts_[part_].remove_prefix(bytes); }

private:
    static std::string_view whole(std::string_view bytes) {
        return bytes.substr(0, bytes.size() - bytes.size() % kBlockBytes);
    }

    std::string start_;
    std::array<char, 2 * kBlockBytes> end_{};
    std::array<std::string_view, 3> parts_;
    std::size_t part_ = 0;
};

#define WEFT_SHA [[gnu::target("sha,sse4.1"), gnu::always_inline]] inline

// One digest in the making. Its eighty rounds go four at a time.
class Lane {
public:
    WEFT_SHA Lane()
        : abcd_(_mm_set_epi32(0x67452301, static_cast<int>(0xEFCDAB89),
                              static_cast<int>(0x98BADCFE), 0x10325476)),
          e_(_mm_set_epi32(static_cast<int>(0xC3D2E1F0), 0, 0, 0)) {}

    WEFT_SHA void begin(const char* block) {
        const __m128i turn = _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F);
        const auto* words = reinterpret_cast<const __m128i*>(block);
        for (int i = 0; i < 4; ++i) words_[i] = _mm_shuffle_epi8(_mm_loadu_si128(words + i), turn);
        abcd_before_ = abcd_;
        e_before_ = e_;
    }

    template <int kStep>
    WEFT_SHA void step() {
        __m128i& word = words_[kStep % 4];
        if constexpr (kStep >= 4) {
            // What sha1msg1 does, by instructions that do not wait for the others' unit.
            const __m128i next = words_[(kStep + 1) % 4];
            word = _mm_xor_si128(word, _mm_castpd_si128(_mm_shuffle_pd(_mm_castsi128_pd(next),
                                                                       _mm_castsi128_pd(word), 1)));
            word = _mm_xor_si128(word, words_[(kStep + 2) % 4]);
            word = _mm_sha1msg2_epu32(word, words_[(kStep + 3) % 4]);
        }
        const __m128i e = kStep == 0 ? _mm_add_epi32(e_, word) : _mm_sha1nexte_epu32(e_, word);
        e_ = abcd_;
        abcd_ = _mm_sha1rnds4_epu32(abcd_, e, kStep / 5);
    }

    WEFT_SHA void end() {
        e_ = _mm_sha1nexte_epu32(e_, e_before_);
        abcd_ = _mm_add_epi32(abcd_, abcd_before_);
    }

    WEFT_SHA std::string label() const {
        const __m128i turn = _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F);
        std::array<char, 32> bytes;
        auto* place = reinterpret_cast<__m128i*>(bytes.data());
        _mm_storeu_si128(place, _mm_shuffle_epi8(abcd_, turn));
        _mm_storeu_si128(place + 1, _mm_shuffle_epi8(e_, turn));
        return "sha1:" + to_base32(std::string_view(bytes.data(), 20));
    }

private:
    __m128i abcd_;
    __m128i e_;
    __m128i abcd_before_;
    __m128i e_before_;
    __m128i words_[4];
};

constexpr int kStepCount = 20;

template <int... kSteps, class... Lanes>
WEFT_SHA void digest(std::integer_sequence<int, kSteps...>, Lanes&... lanes) {
    const auto step = [&]<int kStep> __attribute__((target("sha,sse4.1"), always_inline)) {
        (lanes.template step<kStep>(), ...);
    };
    (step.template operator()<kSteps>(), ...);
}

[[gnu::target("sha,sse4.1")]] void finish(Blocks& blocks, Lane& lane) {
    for (std::string_view row = blocks.row(); !row.empty(); row = blocks.row()) {
        lane.begin(row.data());
        digest(std::make_integer_sequence<int, kStepCount>(), lane);
        lane.end();
        blocks.skip(kBlockBytes);
    }
}

// As far as both go: what is left of the longer is finish()'s.
[[gnu::target("sha,sse4.1")]] Labels both_at_once(Blocks& first, Blocks& second) {
    Lane first_lane;
    Lane second_lane;
    for (;;) {
        const std::string_view from_first = first.row();
        const std::string_view from_second = second.row();
        const std::size_t bytes = std::min(from_first.size(), from_second.size());
        if (bytes == 0) break;
        for (std::size_t at = 0; at < bytes; at += kBlockBytes) {
            first_lane.begin(from_first.data() + at);
            second_lane.begin(from_second.data() + at);
            digest(std::make_integer_sequence<int, kStepCount>(), first_lane, second_lane);
            first_lane.end();
            second_lane.end();
        }
        first.skip(bytes);
        second.skip(bytes);
    }
    finish(first, first_lane);
    finish(second, second_lane);
    return {first_lane.label(), second_lane.label()};
}

#undef WEFT_SHA
#endif

// Of a message in two parts, and of another.
Labels labels_of(std::string_view head, std::string_view body, std::string_view other) {
#if defined(__x86_64__)
    static const bool is_quick = has_sha_instructions();
    if (is_quick) {
        Blocks first(head, body);
        Blocks second("", other);
        return both_at_once(first, second);
    }
#endif
    const std::array parts = {head, body};
    return {sha1_label(parts), sha1_label(std::span(&other, 1))};
}

}  // namespace

Sha1Pair sha1_pair(std::string_view head, std::string_view body) {
    auto [block, payload] = labels_of(head, body, body);
    return {.block = std::move(block), .payload = std::move(payload)};
}

std::pair<std::string, std::string> sha1_labels(std::string_view first, std::string_view second) {
    return labels_of(first, "", second);
}

}  // namespace weft::archive

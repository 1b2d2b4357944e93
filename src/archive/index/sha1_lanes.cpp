#include "archive/index/sha1_lanes.h"

#include <algorithm>
#include <array>
#include <utility>

#include "archive/index/digest.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

#include "base/bytes.h"
#endif

namespace weft::archive {
namespace {

#if defined(__x86_64__)

constexpr std::size_t kBlockBytes = 64;

bool has_sha_instructions() {
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

// A message as a sequence of whole blocks, with the padding of FIPS 180-4, 5.1.1 at its end. Only
// the block across both parts (seam_) and the last ones (end_) are copied.
class Blocks {
public:
    Blocks() = default;
    Blocks(const Blocks&) = delete;
    Blocks& operator=(const Blocks&) = delete;

    void set(std::string_view first, std::string_view second) {
        const std::size_t bytes = first.size() + second.size();
        part_ = 0;
        parts_[0] = take_whole(first);
        std::size_t in_seam = first.copy(seam_.data(), first.size());
        if (in_seam + second.size() >= kBlockBytes && in_seam > 0) {
            const std::size_t gap = kBlockBytes - in_seam;
            second.copy(seam_.data() + in_seam, gap);
            second.remove_prefix(gap);
            parts_[1] = {seam_.data(), kBlockBytes};
            in_seam = 0;
        } else {
            parts_[1] = {};
        }
        parts_[2] = take_whole(second);

        end_ = {};
        std::copy_n(seam_.data(), in_seam, end_.data());
        const std::size_t left = in_seam + second.copy(end_.data() + in_seam, second.size());
        // A 1 bit, zeros, and the length in bits as 64 bits big-endian. If the length does not fit
        // into the block, there is one block more.
        end_[left] = '\x80';
        const std::size_t end_bytes = left < kBlockBytes - 8 ? kBlockBytes : 2 * kBlockBytes;
        for (std::size_t i = 0; i < 8; ++i) {
            end_[end_bytes - 1 - i] = static_cast<char>(8 * bytes >> 8 * i);
        }
        parts_[3] = {end_.data(), end_bytes};
    }

    // Whole blocks that are adjacent in memory; empty at the end of the message.
    std::string_view row() {
        while (parts_[part_].empty() && part_ + 1 < parts_.size()) ++part_;
        return parts_[part_];
    }

    // The first `bytes` of row() are processed.
    void skip(std::size_t bytes) { parts_[part_].remove_prefix(bytes); }

private:
    static std::string_view take_whole(std::string_view& bytes) {
        const std::string_view whole = bytes.substr(0, bytes.size() - bytes.size() % kBlockBytes);
        bytes.remove_prefix(whole.size());
        return whole;
    }

    std::array<char, kBlockBytes> seam_;  // The end of the first part and the start of the second.
    std::array<char, 2 * kBlockBytes> end_;
    std::array<std::string_view, 4> parts_;
    std::size_t part_ = 0;
};

#define WEFT_SHA [[gnu::target("sha,sse4.1"), gnu::always_inline]] inline

// The state after the blocks so far, in the order that the SHA instructions use. The initial values
// are those of FIPS 180-4, 5.3.1.
struct Digest {
    __m128i abcd = _mm_set_epi32(0x67452301, static_cast<int>(0xEFCDAB89),
                                 static_cast<int>(0x98BADCFE), 0x10325476);
    __m128i e = _mm_set_epi32(static_cast<int>(0xC3D2E1F0), 0, 0, 0);

    WEFT_SHA std::string label() const {
        const __m128i turn = _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F);
        std::array<char, 32> bytes;
        auto* place = reinterpret_cast<__m128i*>(bytes.data());
        _mm_storeu_si128(place, _mm_shuffle_epi8(abcd, turn));
        _mm_storeu_si128(place + 1, _mm_shuffle_epi8(e, turn));
        return "sha1:" + to_base32(std::string_view(bytes.data(), 20));
    }
};

// One block being processed. Its 80 rounds are computed four at a time, in 20 steps.
class Lane {
public:
    WEFT_SHA Lane(const Digest& digest, const char* block) : abcd_(digest.abcd), e_(digest.e) {
        const __m128i turn = _mm_set_epi64x(0x0001020304050607, 0x08090A0B0C0D0E0F);
        const auto* words = reinterpret_cast<const __m128i*>(block);
        for (int i = 0; i < 4; ++i) words_[i] = _mm_shuffle_epi8(_mm_loadu_si128(words + i), turn);
    }

    template <int kStep>
    WEFT_SHA void step() {
        __m128i& word = words_[kStep % 4];
        // The message schedule (FIPS 180-4, 6.1.2): four new words from the last sixteen.
        if constexpr (kStep >= 4) {
            word = _mm_sha1msg1_epu32(word, words_[(kStep + 1) % 4]);
            word = _mm_xor_si128(word, words_[(kStep + 2) % 4]);
            word = _mm_sha1msg2_epu32(word, words_[(kStep + 3) % 4]);
        }
        const __m128i e = kStep == 0 ? _mm_add_epi32(e_, word) : _mm_sha1nexte_epu32(e_, word);
        e_ = abcd_;
        // The function and the constant change every 20 rounds, that is every 5 steps.
        abcd_ = _mm_sha1rnds4_epu32(abcd_, e, kStep / 5);
    }

    WEFT_SHA void add_to(Digest& digest) const {
        digest.e = _mm_sha1nexte_epu32(e_, digest.e);
        digest.abcd = _mm_add_epi32(abcd_, digest.abcd);
    }

private:
    __m128i abcd_;
    __m128i e_;
    __m128i words_[4];
};

constexpr int kStepCount = 20;

// The steps of all lanes interleaved, so that one lane computes while another one waits.
template <int... kSteps, class... Lanes>
WEFT_SHA void run(std::integer_sequence<int, kSteps...>, Lanes&... lanes) {
    const auto step = [&]<int kStep> __attribute__((target("sha,sse4.1"), always_inline)) {
        (lanes.template step<kStep>(), ...);
    };
    (step.template operator()<kSteps>(), ...);
}

// A message being processed, and the state of its digest.
struct Stream {
    Blocks blocks;
    Digest digest;
    Sha1Message* message = nullptr;
};

// A fifth lane would need more registers than there are.
constexpr std::size_t kLaneCount = 4;
using Streams = std::array<Stream*, kLaneCount>;

// Processes the first streams side by side, up to the end of the shortest of their rows.
template <std::size_t... kLanes>
[[gnu::target("sha,sse4.1")]] void digest_rows(const Streams& streams,
                                               std::index_sequence<kLanes...>) {
    const std::size_t bytes = std::min({streams[kLanes]->blocks.row().size()...});
    const char* const rows[] = {streams[kLanes]->blocks.row().data()...};
    Digest digests[] = {streams[kLanes]->digest...};
    for (std::size_t at = 0; at < bytes; at += kBlockBytes) {
        Lane lanes[] = {Lane(digests[kLanes], rows[kLanes] + at)...};
        run(std::make_integer_sequence<int, kStepCount>(), lanes[kLanes]...);
        (lanes[kLanes].add_to(digests[kLanes]), ...);
    }
    ((streams[kLanes]->digest = digests[kLanes]), ...);
    (streams[kLanes]->blocks.skip(bytes), ...);
}

void digest_rows(const Streams& streams, std::size_t count) {
    switch (count) {
        case 1: return digest_rows(streams, std::make_index_sequence<1>());
        case 2: return digest_rows(streams, std::make_index_sequence<2>());
        case 3: return digest_rows(streams, std::make_index_sequence<3>());
        default: return digest_rows(streams, std::make_index_sequence<kLaneCount>());
    }
}

// Keeps all lanes busy: when a message ends, the next one takes its lane.
[[gnu::target("sha,sse4.1")]] void label_in_lanes(std::span<Sha1Message> messages) {
    std::array<Stream, kLaneCount> room;
    Streams streams;
    std::size_t count = 0;
    std::size_t next = 0;
    const auto start = [&](Stream& stream) __attribute__((target("sha,sse4.1"))) {
        stream.message = &messages[next++];
        stream.digest = {};
        stream.blocks.set(stream.message->first, stream.message->second);
    };
    for (; count < kLaneCount && next < messages.size(); ++count) {
        streams[count] = &room[count];
        start(room[count]);
    }
    while (count > 0) {
        digest_rows(streams, count);
        // Backwards, because a finished stream is replaced by the last one.
        for (std::size_t i = count; i-- > 0;) {
            if (!streams[i]->blocks.row().empty()) continue;
            streams[i]->message->label = streams[i]->digest.label();
            if (next < messages.size()) {
                start(*streams[i]);
            } else {
                streams[i] = streams[--count];
            }
        }
    }
}

#undef WEFT_SHA
#endif

}  // namespace

void label_by_sha1(std::span<Sha1Message> messages) {
#if defined(__x86_64__)
    static const bool is_quick = has_sha_instructions();
    if (is_quick) return label_in_lanes(messages);
#endif
    for (Sha1Message& message : messages) {
        const std::array parts = {message.first, message.second};
        message.label = sha1_label(parts);
    }
}

}  // namespace weft::archive

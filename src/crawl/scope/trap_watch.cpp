#include "crawl/scope/trap_watch.h"

#include <algorithm>
#include <array>
#include <bit>

#include "base/bytes.h"
#include "base/hash.h"
#include "crawl/scope/traps.h"

namespace weft::crawl {
namespace {

constexpr std::size_t kPatternCountMin = 1 << 13;
constexpr std::size_t kPatternCountMax = 1 << 16;
constexpr std::size_t kSkeletonKindsMax = 128;  // Twelve months, each beginning on any weekday.
constexpr std::uint32_t kLookEveryMax = 64;
constexpr std::uint32_t kLookEveryWhenWide = 16;
constexpr std::uint32_t kFreshPenalty = 2;  // What a new skeleton takes off the score.

// The kinds of bytes that words are made of. All bytes of UTF-8 beyond ASCII count as letters.
constexpr std::uint8_t kLetter = 1;
constexpr std::uint8_t kDigit = 2;

constexpr std::array<std::uint8_t, 256> kKinds = [] {
    std::array<std::uint8_t, 256> kinds{};
    for (std::size_t byte = 0; byte < 256; ++byte) {
        const char c = static_cast<char>(byte);
        if (is_digit(c)) kinds[byte] = kDigit;
        if (is_alpha(c) || byte >= 0x80) kinds[byte] = kLetter;
    }
    return kinds;
}();

}  // namespace

void Skeleton::add(std::string_view text) {
    std::uint64_t word = word_;
    unsigned kinds = kinds_;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (at != end) {
        for (; at != end; ++at) {
            const auto byte = static_cast<unsigned char>(*at);
            if (kKinds[byte] == 0) break;
            kinds |= kKinds[byte];
            word = std::rotl(word, 5) ^ byte;
        }
        if (at == end) break;
        if (kinds == kLetter) add_word(word);
        word = 0;
        kinds = 0;
        while (at != end && kKinds[static_cast<unsigned char>(*at)] == 0) ++at;
    }
    word_ = word;
    kinds_ = kinds;
}

std::uint64_t Skeleton::finish() {
    if (kinds_ == kLetter) add_word(word_);
    word_ = 0;
    kinds_ = 0;
    return std::exchange(hash_, 0) | 1;
}

void Skeleton::add_word(std::uint64_t word) {
    hash_ = (hash_ ^ word) * 0x9E3779B97F4A7C15 + 0x632BE59BD9B4E019;
}

std::uint64_t TrapWatch::pattern_key(std::uint64_t host, std::string_view shape) const {
    return hash64(shape, hash_seed_ ^ host);
}

std::optional<Refusal> TrapWatch::refuses(std::uint64_t host, const web::Url& url) const {
    if (cut_hosts_.empty() || !cut_hosts_.contains(host)) return std::nullopt;
    const auto found = cut_patterns_.find(pattern_key(host, url_shape(url)));
    return found == cut_patterns_.end() ? std::nullopt : std::optional(found->second);
}

TrapWatch::Look TrapWatch::begin(std::uint64_t host, const web::Url& url) {
    const std::string shape = url_shape(url);
    if (!shape.contains('{') && !shape.contains('?')) return {};  // Such a URL is one page only.
    if (patterns_.size() >= pattern_count_max()) make_room();
    const std::uint64_t key = pattern_key(host, shape);
    PatternState& state = patterns_[key];
    Look look{.pattern = key};
    if (config_.pages_per_pattern_max && state.page_count >= *config_.pages_per_pattern_max) {
        look.is_spent = true;
        return look;
    }
    ++state.page_count;
    if (config_.pattern_probe_count > 0 && --state.look_in == 0) {
        look.wants_skeleton = true;
        state.look_in = state.look_every;
    }
    return look;
}

void TrapWatch::note(std::uint64_t host, const web::Url& url, const Look& look,
                     std::uint64_t skeleton, std::uint32_t depth) {
    const auto found = patterns_.find(look.pattern);
    if (found == patterns_.end()) return;
    PatternState& state = found->second;
    if (std::ranges::find(state.skeletons, skeleton) != state.skeletons.end()) {
        ++state.alike_score;
        state.look_every = 1;
    } else {
        state.alike_score -= std::min(state.alike_score, kFreshPenalty);
        state.look_every = std::min(state.look_every * 2, kLookEveryMax);
        if (state.skeletons.size() < kSkeletonKindsMax) {
            state.skeletons.push_back(skeleton);
        } else {
            state.skeletons[state.next_skeleton++ % kSkeletonKindsMax] = skeleton;
        }
    }
    state.look_in = state.look_every;
    if (state.alike_score < config_.pattern_probe_count) return;
    const Refusal trap = trap_name(url, url_shape(url));
    const bool is_narrow =
        depth >= kTrapDepthMin && state.page_count <= kPagesPerStepMax * std::uint64_t{depth};
    if (!is_narrow && trap != Refusal::session_id) {
        // A wide site of alike pages, such as a table of numbers. A skeleton reads every byte of a
        // page, so it is taken of some pages only, to see whether the site has become narrow.
        state.look_in = state.look_every = kLookEveryWhenWide;
        return;
    }
    cut_hosts_.insert(host);
    cut_patterns_.emplace(look.pattern, trap);
}

// A pattern takes up to a KiB, as a host does, so the bound on hosts serves for both.
std::size_t TrapWatch::pattern_count_max() const {
    return std::clamp(config_.host_count_max, kPatternCountMin, kPatternCountMax);
}

void TrapWatch::make_room() {
    std::erase_if(patterns_, [](const auto& row) { return row.second.page_count <= 2; });
    // If hardly any pattern is rare, all are forgotten. Patterns that were cut off stay cut off.
    if (patterns_.size() >= pattern_count_max()) patterns_.clear();
}

}  // namespace weft::crawl

#include "web/markup/html_names.h"

#include <array>
#include <bit>
#include <cstddef>
#include <cstring>

#include "base/bytes.h"

namespace weft::web {
namespace {

constexpr std::string_view kNames[] = {
    "",
#define WEFT_ELEMENT(enumerator, name) name,
#include "web/markup/html_names.inc"
};
constexpr std::size_t kNameCount = std::size(kNames);
static_assert(kNameCount <= 256);

constexpr std::size_t kElementBytesMax = 16;
constexpr std::size_t kSlotCount = 1024;

template <typename T>
constexpr T load(const char* p) {
    std::array<char, sizeof(T)> bytes;
    for (std::size_t i = 0; i < sizeof(T); ++i) bytes[i] = p[i];
    return std::bit_cast<T>(bytes);
}

// The key of a name: all letters of a name of up to eight letters, the first and last four of a
// longer one. Setting one bit makes letters lower case and does not change '-' and digits.
constexpr std::uint64_t key_of(const char* p, std::size_t size) {
    if (size >= 4) {
        const std::uint64_t last = load<std::uint32_t>(p + size - 4);
        return (load<std::uint32_t>(p) | last << 32) | 0x2020202020202020u;
    }
    const auto letter = [p](std::size_t i) {
        return std::uint64_t{static_cast<unsigned char>(p[i])};
    };
    return letter(0) | letter(size / 2) << 8 | letter(size - 1) << 16 | 0x202020u;
}

constexpr std::size_t slot_of(std::uint64_t key, std::size_t size) {
    return ((key + size) * 0x9E3779B97F4A7C15u) >> 54;
}

struct Slot {
    std::uint64_t key = 0;
    std::uint8_t size = 0;
    std::uint8_t element = 0;
    // The key identifies the name completely: it has all letters, and there is no digit. With a
    // digit, a control character could have the same key, because that bit is set in the key.
    bool is_told_by_key = false;
};

// A hash table that the compiler builds, with linear probing.
constexpr auto kSlots = [] {
    std::array<Slot, kSlotCount> slots{};
    for (std::size_t i = 1; i < kNameCount; ++i) {
        const std::uint64_t key = key_of(kNames[i].data(), kNames[i].size());
        std::size_t slot = slot_of(key, kNames[i].size());
        while (slots[slot].element != 0) slot = (slot + 1) % kSlotCount;
        slots[slot] = {.key = key,
                       .size = static_cast<std::uint8_t>(kNames[i].size()),
                       .element = static_cast<std::uint8_t>(i),
                       .is_told_by_key = kNames[i].size() <= 8 && !is_digit(kNames[i].back())};
    }
    return slots;
}();

}  // namespace

Element element_of(std::string_view name) {
    if (name.empty() || name.size() > kElementBytesMax) return Element::unknown;
    const std::uint64_t key = key_of(name.data(), name.size());
    for (std::size_t i = slot_of(key, name.size()); kSlots[i].element != 0;
         i = (i + 1) % kSlotCount) {
        const Slot& slot = kSlots[i];
        if (slot.key != key || slot.size != name.size()) continue;
        if (slot.is_told_by_key || equals_ignore_case(name, kNames[slot.element])) {
            return static_cast<Element>(slot.element);
        }
    }
    return Element::unknown;
}

std::string_view name_of(Element element) {
    return kNames[static_cast<std::size_t>(element)];
}

}  // namespace weft::web

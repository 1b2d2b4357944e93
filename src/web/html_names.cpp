#include "web/html_names.h"

#include <array>
#include <cstddef>

#include "base/bytes.h"

namespace weft::web {
namespace {

constexpr std::string_view kNames[] = {
    "",
#define WEFT_ELEMENT(enumerator, name) name,
#include "web/html_names.inc"
#undef WEFT_ELEMENT
};
constexpr std::size_t kNameCount = std::size(kNames);
static_assert(kNameCount <= 256);

constexpr std::size_t kNameBytesMax = 16;
constexpr std::size_t kSlotCount = 1024;

// The names differ in length, ends and second letter enough that few of them share a slot.
constexpr std::size_t slot_of(std::string_view name) {
    const auto letter = [&](std::size_t i) {
        return static_cast<std::size_t>(static_cast<unsigned char>(name[i]) | 0x20);
    };
    const std::size_t last = name.size() - 1;
    const std::size_t key = letter(0) | letter(last) << 8 | letter(name.size() / 2) << 16 |
                            letter(last > 0 ? 1 : 0) << 24 | name.size() << 32;
    return (key * 0x9E3779B97F4A7C15u) >> 54;
}

constexpr auto kSlots = [] {
    std::array<std::uint8_t, kSlotCount> slots{};
    for (std::size_t i = 1; i < kNameCount; ++i) {
        std::size_t slot = slot_of(kNames[i]);
        while (slots[slot] != 0) slot = (slot + 1) % kSlotCount;
        slots[slot] = static_cast<std::uint8_t>(i);
    }
    return slots;
}();

bool is_spelled(std::string_view name, std::string_view known) {
    if (name.size() != known.size()) return false;
    for (std::size_t i = 0; i < name.size(); ++i) {
        if (to_lower(name[i]) != known[i]) return false;
    }
    return true;
}

}  // namespace

Element element_of(std::string_view name) {
    if (name.empty() || name.size() > kNameBytesMax) return Element::unknown;
    for (std::size_t slot = slot_of(name); kSlots[slot] != 0; slot = (slot + 1) % kSlotCount) {
        if (is_spelled(name, kNames[kSlots[slot]])) return static_cast<Element>(kSlots[slot]);
    }
    return Element::unknown;
}

std::string_view name_of(Element element) {
    return kNames[static_cast<std::size_t>(element)];
}

}  // namespace weft::web

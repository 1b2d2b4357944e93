#pragma once

#include <cstddef>

// The measures of a case's memory (E3).
namespace weft::hostile {

// What operator new has given out in this program. What C libraries take from malloc by themselves
// is not in it.
std::size_t live_heap_bytes();

// The most since the last reset.
std::size_t peak_heap_bytes();
void reset_heap_peak();

// What the whole process has in memory, and the most since the last reset; 0 where a sanitizer
// makes it meaningless.
std::size_t resident_bytes();
std::size_t peak_resident_bytes();
void reset_resident_peak();

}  // namespace weft::hostile

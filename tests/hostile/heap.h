#pragma once

#include <cstddef>

// What operator new has given out in this program: the measure of a case's memory (E3). What C
// libraries take from malloc by themselves is not in it.
namespace weft::hostile {

std::size_t live_heap_bytes();

// The most since the last reset.
std::size_t peak_heap_bytes();
void reset_heap_peak();

}  // namespace weft::hostile

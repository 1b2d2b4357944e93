# Sets weft_compiler_problem to what is wrong with the compiler, or to nothing. For our own build
# and for find_package(weft). The header aio/task/co.h says the same to those who use neither.
set(weft_compiler_problem "")
set(weft_way_out
  "use clang++-19, in a new build folder: cmake -B build -DCMAKE_CXX_COMPILER=clang++-19")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  set(weft_compiler_problem "g++ ${CMAKE_CXX_COMPILER_VERSION} miscompiles coroutines, \
as all before 13 do: ${weft_way_out}")
elseif(CMAKE_CXX_COMPILER_ID STREQUAL "Clang" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 17)
  set(weft_compiler_problem "clang ${CMAKE_CXX_COMPILER_VERSION} is too old for aio, \
which needs 17 or newer: ${weft_way_out}")
endif()

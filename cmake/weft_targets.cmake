set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)

set(WEFT_SANITIZE "" CACHE STRING "Sanitizers to build with, e.g. address;undefined")

option(WEFT_FUZZ "Build the fuzz targets instead of the tests" OFF)

# One target for what every target of ours shares; never exported.
add_library(weft_flags INTERFACE)
target_compile_options(weft_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fno-omit-frame-pointer -fno-plt)
target_compile_definitions(weft_flags INTERFACE _GLIBCXX_ASSERTIONS)
if(WEFT_SANITIZE)
  string(REPLACE ";" "," sanitizers "${WEFT_SANITIZE}")
  target_compile_options(weft_flags INTERFACE -fsanitize=${sanitizers} -fno-sanitize-recover=all)
  target_link_options(weft_flags INTERFACE -fsanitize=${sanitizers})
endif()
if(WEFT_FUZZ)
  target_compile_options(weft_flags INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  target_link_options(weft_flags INTERFACE -fsanitize=address,undefined)
endif()

# weft_library(aio HEADERS task.h ... SOURCES loop.cpp ... DEPENDS weft::base)
function(weft_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;SOURCES;DEPENDS")
  add_library(weft_${name} STATIC)
  add_library(weft::${name} ALIAS weft_${name})
  set_target_properties(weft_${name} PROPERTIES EXPORT_NAME ${name})
  target_sources(weft_${name} PRIVATE ${arg_SOURCES}
    PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${arg_HEADERS})
  target_compile_features(weft_${name} PUBLIC cxx_std_23)
  target_link_libraries(weft_${name} PUBLIC ${arg_DEPENDS} PRIVATE $<BUILD_INTERFACE:weft_flags>)
endfunction()

# weft_test(aio task_test.cpp ...): one executable per library, one ctest entry per TEST.
function(weft_test name)
  add_executable(${name}_test ${ARGN})
  target_link_libraries(${name}_test PRIVATE weft::${name} weft_flags GTest::gtest_main)
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_precompile_headers(${name}_test PRIVATE <gtest/gtest.h> <string> <vector> <fmt/format.h>)
  gtest_discover_tests(${name}_test DISCOVERY_TIMEOUT 60)
endfunction()

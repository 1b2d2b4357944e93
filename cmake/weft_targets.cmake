include(GNUInstallDirs)
include(${CMAKE_CURRENT_LIST_DIR}/weft_pkgconfig.cmake)

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_VERIFY_INTERFACE_HEADER_SETS ON)

# Where ccache is installed a tree built before costs seconds; nothing needs it.
find_program(WEFT_CCACHE ccache)
if(WEFT_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${WEFT_CCACHE})
endif()

# The sanitizers alone, for what we build but did not write.
add_library(weft_sanitize INTERFACE)
if(WEFT_SANITIZE)
  string(REPLACE ";" "," sanitizers "${WEFT_SANITIZE}")
  target_compile_options(weft_sanitize INTERFACE
    -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(weft_sanitize INTERFACE -fsanitize=${sanitizers})
endif()

# What programs allocate with: glibc's malloc takes three times as long once millions of small
# pieces live. For programs alone: a library leaves the choice to who links it.
add_library(weft_allocator INTERFACE)
if(NOT WEFT_SANITIZE AND NOT WEFT_AIO_ONLY)
  pkg_check_modules(jemalloc REQUIRED QUIET IMPORTED_TARGET jemalloc)
  target_link_libraries(weft_allocator INTERFACE PkgConfig::jemalloc)
endif()

option(WEFT_FUZZ "Build the fuzz targets instead of the tests" OFF)

# One target for what every target of ours shares; never exported.
add_library(weft_flags INTERFACE)
target_compile_options(weft_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -fno-omit-frame-pointer -fno-plt -pthread
  -Wno-missing-designated-field-initializers)  # Options are structs of which one names a few.
# Coroutines whose locals or results ask for more than 16 bytes' alignment get it. For all targets:
# precompiled headers are shared only between equal flags.
target_compile_options(weft_flags INTERFACE $<$<CXX_COMPILER_ID:Clang>:-fcoro-aligned-allocation>)
target_compile_definitions(weft_flags INTERFACE _GLIBCXX_ASSERTIONS)
target_link_libraries(weft_flags INTERFACE weft_sanitize)
target_compile_options(weft_flags INTERFACE  # Without time stamps ccache finds them again.
  "SHELL:-Xclang -fno-pch-timestamp")
find_program(WEFT_LLD NAMES ld.lld-19 ld.lld)
if(WEFT_LLD)
  target_link_options(weft_flags INTERFACE -fuse-ld=lld)
endif()
if(WEFT_FUZZ)
  target_compile_options(weft_flags INTERFACE
    -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all)
  target_link_options(weft_flags INTERFACE -fsanitize=address,undefined)
endif()

# What nearly every file includes, compiled once for all libraries and once for all tests: a second
# less for each file. Sources include what they use all the same; the tidy preset goes without.
function(weft_precompile name)
  file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
  add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
  target_link_libraries(${name} PRIVATE weft_flags fmt::fmt)
  target_precompile_headers(${name} PRIVATE
    <algorithm> <array> <chrono> <coroutine> <cstdint> <exception> <expected> <functional> <map>
    <memory> <optional> <span> <string> <string_view> <unordered_map> <utility> <variant> <vector>
    <fmt/format.h>)
endfunction()
weft_precompile(weft_std)

# The libraries that make up aio: an export, an install component and a package of their own.
set(WEFT_AIO_LIBRARIES base aio)
add_custom_target(libraries)  # All that weft_library() makes.

# weft_library(aio HEADERS task/task.h ... PRIVATE_HEADERS task/task_base.h ... SOURCES ...
#   DEPENDS weft::base PRIVATE OpenSSL::SSL)
# HEADERS are the contract: they are installed, each compiles alone, and they include no other of
# weft's headers (`tools/tidy` checks). PRIVATE_HEADERS stay in the source tree. DEPENDS are what
# the headers show, PRIVATE what only the sources use.
function(weft_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "HEADERS;PRIVATE_HEADERS;SOURCES;DEPENDS;PRIVATE")
  add_library(weft_${name} STATIC)
  add_library(weft::${name} ALIAS weft_${name})
  set_target_properties(weft_${name} PROPERTIES EXPORT_NAME ${name})
  target_sources(weft_${name} PRIVATE ${arg_SOURCES}
    PRIVATE FILE_SET private_headers TYPE HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src
      FILES ${arg_PRIVATE_HEADERS}
    PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}/src FILES ${arg_HEADERS})
  target_compile_features(weft_${name} PUBLIC cxx_std_23)
  target_link_libraries(weft_${name}
    PUBLIC ${arg_DEPENDS} PRIVATE ${arg_PRIVATE} $<BUILD_INTERFACE:weft_flags>)
  target_precompile_headers(weft_${name} REUSE_FROM weft_std)
  add_dependencies(libraries weft_${name})
  set(component devel)
  set(exports weft_exports)
  if(name IN_LIST WEFT_AIO_LIBRARIES)
    set(component aio)
    set(exports weft_aio_exports)
  endif()
  install(TARGETS weft_${name} EXPORT ${exports}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${component}
    FILE_SET HEADERS DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/weft COMPONENT ${component})
  weft_pkgconfig(${name} COMPONENT ${component} DEPENDS ${arg_DEPENDS} ${arg_PRIVATE})
endfunction()

# Everything that ./test runs under ThreadSanitizer.
add_custom_target(threads_tests)

# weft_test(aio [THREADS] task_test.cpp ...): one executable per library, one ctest entry per TEST.
# THREADS: several loops or threads at work, so the tests also run under ThreadSanitizer.
function(weft_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "THREADS" "" "")
  add_executable(${name}_test ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name}_test PRIVATE weft::${name} weft_flags weft_test_flags)
  target_include_directories(${name}_test PRIVATE ${PROJECT_SOURCE_DIR}/tests)
  target_precompile_headers(${name}_test REUSE_FROM weft_std_gtest)
  if(arg_THREADS)
    set(properties PROPERTIES LABELS threads)
    add_dependencies(threads_tests ${name}_test)
  endif()
  weft_discover_tests(${name}_test ${properties})
endfunction()

# weft_discover_tests(TARGET [PROPERTIES ...]): each of its tests is one for ctest. CMake 3.25 calls
# a typed test whose types have names Suite.Test<Suite/Name.  # TypeParam = ...>; here it is
# Suite/Name.Test, as gtest itself has it.
function(weft_discover_tests target)
  gtest_discover_tests(${target} NO_PRETTY_VALUES DISCOVERY_TIMEOUT 60 ${ARGN})
  set(typed "(\\w+)[.](\\w+)<\\1/(\\w+)[.] +# TypeParam = [^]]*>")
  add_custom_command(TARGET ${target} POST_BUILD VERBATIM
    COMMAND sed -i -E "s,${typed},\\1/\\3.\\2,"
      "${CMAKE_CURRENT_BINARY_DIR}/${target}[1]_tests.cmake")
endfunction()

# weft_script_test(name COMMAND...): a test that is no C++ of ours. Label `once`: the sanitizers'
# stages leave it out. It may print 'SKIPPED: why'.
function(weft_script_test name)
  add_test(NAME ${name} COMMAND ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS once SKIP_REGULAR_EXPRESSION "^SKIPPED: ")
endfunction()

# weft_bench(base base/hash.cpp ...): each file a program, build/bench/bench/base/hash, all of them
# together the target bench_base. bench/run builds and runs it. Peers may be missing.
function(weft_bench name)
  if(NOT TARGET bench_${name})
    add_custom_target(bench_${name})
  endif()
  foreach(source IN LISTS ARGN)
    cmake_path(GET source STEM stem)
    add_executable(bench_${name}_${stem} ${source})
    set_target_properties(bench_${name}_${stem} PROPERTIES
      OUTPUT_NAME ${stem} RUNTIME_OUTPUT_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name})
    target_include_directories(bench_${name}_${stem} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(bench_${name}_${stem} PRIVATE weft::${name} weft_flags bench_process
      $<TARGET_NAME_IF_EXISTS:benchmark::benchmark> $<TARGET_NAME_IF_EXISTS:CURL::libcurl>
      ZLIB::ZLIB ${GUMBO_LIBRARY})
    target_compile_definitions(bench_${name}_${stem} PRIVATE
      WEFT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    add_dependencies(bench_${name} bench_${name}_${stem})
  endforeach()
endfunction()

# weft_fuzz(web url.cpp ...): each file is a libFuzzer program, build/fuzz/fuzz/url. Without
# WEFT_FUZZ all of them are parts of fuzz_seeds_test, which reads the seeds with each, so that a
# target that no longer compiles or passes is found without fuzzing.
function(weft_fuzz name)
  foreach(source IN LISTS ARGN)
    cmake_path(GET source STEM stem)
    if(NOT WEFT_FUZZ)
      target_sources(fuzz_seeds_test PRIVATE ${source})
      target_link_libraries(fuzz_seeds_test PRIVATE weft::${name})
      set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON
        COMPILE_DEFINITIONS LLVMFuzzerTestOneInput=${stem})
      file(APPEND ${CMAKE_CURRENT_BINARY_DIR}/targets.inc "WEFT_FUZZ_TARGET(${stem})\n")
      continue()
    endif()
    add_executable(fuzz_${stem} ${source})
    set_target_properties(fuzz_${stem} PROPERTIES OUTPUT_NAME ${stem})
    target_include_directories(fuzz_${stem} PRIVATE ${PROJECT_SOURCE_DIR})
    target_link_libraries(fuzz_${stem} PRIVATE weft::${name} weft_flags)
    target_link_options(fuzz_${stem} PRIVATE -fsanitize=fuzzer)
    add_dependencies(fuzz_targets fuzz_${stem})
  endforeach()
endfunction()

# GoogleTest, as GTest::gtest_main. Debian has its source in one place; built here with our compiler
# and sanitizers, in one step and without the C compiler that its own project() asks for. Elsewhere
# an installed one has to do.
set(WEFT_GTEST_SOURCE /usr/src/googletest CACHE PATH "GoogleTest's source tree")
if(EXISTS ${WEFT_GTEST_SOURCE}/googletest/src/gtest-all.cc)
  add_library(weft_gtest STATIC
    ${WEFT_GTEST_SOURCE}/googletest/src/gtest-all.cc
    ${WEFT_GTEST_SOURCE}/googletest/src/gtest_main.cc)
  target_include_directories(weft_gtest
    SYSTEM PUBLIC ${WEFT_GTEST_SOURCE}/googletest/include
    PRIVATE ${WEFT_GTEST_SOURCE}/googletest)
  set_target_properties(weft_gtest PROPERTIES CXX_CLANG_TIDY "")
  # Its own speed is no matter, and optimised under ASan it alone takes 27 s to compile, else 6.
  target_compile_options(weft_gtest PRIVATE -O0 -g0)
  target_link_libraries(weft_gtest PUBLIC Threads::Threads PRIVATE weft_sanitize)
  add_library(GTest::gtest_main ALIAS weft_gtest)
else()
  find_package(GTest REQUIRED)
endif()

# Under a sanitizer the tests themselves are not optimised, only what they test: compiling them
# takes a third of the time.
add_library(weft_test_flags INTERFACE)
target_link_libraries(weft_test_flags INTERFACE GTest::gtest_main)
if(WEFT_SANITIZE)
  target_compile_options(weft_test_flags INTERFACE -O0)
endif()

weft_precompile(weft_std_gtest)
target_link_libraries(weft_std_gtest PRIVATE weft_test_flags)
target_precompile_headers(weft_std_gtest PRIVATE <gtest/gtest.h>)

# cpack -G DEB, for Debian 12: `weft`, the program with its man page and completions; with
# `libweft-aio-dev` and `libweft-dev` others build on our libraries. A tree that is optimised across
# files packs the program alone, because its libraries hold bitcode of one compiler's version and no
# code; presets `package-dev` and `package-aio` make the libraries.
if(NOT PROJECT_IS_TOP_LEVEL)
  return()
endif()
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME weft)
set(CPACK_PACKAGE_VENDOR "weft")
set(CPACK_PACKAGE_CONTACT "the weft developers <weft@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "")  # It would be the first line of each description.
set(CPACK_INSTALL_CMAKE_PROJECTS "${PROJECT_BINARY_DIR};weft;ALL;/")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_COMPONENTS_ALL program aio devel)
if(WEFT_AIO_ONLY)
  set(CPACK_COMPONENTS_ALL aio)
elseif(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
  set(CPACK_COMPONENTS_ALL program)
endif()

set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME weft)
set(CPACK_DEBIAN_PROGRAM_DESCRIPTION "crawls web sites, archives them, checks their links
weft fetches politely, writes standard WARC files, survives being killed,
and says what became of every URL.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "ca-certificates, publicsuffix")

set(CPACK_DEBIAN_AIO_PACKAGE_NAME libweft-aio-dev)
set(CPACK_DEBIAN_AIO_DESCRIPTION "asyncio for C++ coroutines, to build programs with
Tasks, streams, servers, TLS, timeouts, processes and tests in virtual time:
static libraries, headers, files for CMake and pkg-config, and a guide.")
set(CPACK_DEBIAN_AIO_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_AIO_PACKAGE_DEPENDS
  "libfmt-dev, libssl-dev, libc-ares-dev, libxxhash-dev, pkgconf")
set(CPACK_DEBIAN_AIO_PACKAGE_RECOMMENDS "clang-19, cmake")

set(CPACK_DEBIAN_DEVEL_PACKAGE_NAME libweft-dev)
set(CPACK_DEBIAN_DEVEL_DESCRIPTION "a web crawler's parts, to build programs with
URLs, HTML, robots.txt, HTTP/1.1 and HTTP/2, WARC files, a frontier and the
crawler that uses them: static libraries, headers, files for CMake and
pkg-config, and a guide.")
set(CPACK_DEBIAN_DEVEL_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVEL_PACKAGE_DEPENDS "libweft-aio-dev (= ${PROJECT_VERSION}), libnghttp2-dev, \
zlib1g-dev, libbrotli-dev, libzstd-dev, libdeflate-dev, libisal-dev, libpsl-dev, libre2-dev, \
libhiredis-dev, libcld2-dev, nlohmann-json3-dev, publicsuffix")
include(CPack)

# The outside libraries of weft::base and weft::aio, found in the same way by our build and, from
# the install tree, by find_package(weft). Their Debian packages are in packages/build.txt, and
# libweft-aio-dev depends on them (weft_package.cmake).
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(cares REQUIRED QUIET IMPORTED_TARGET libcares)
pkg_check_modules(xxhash REQUIRED QUIET IMPORTED_TARGET libxxhash)

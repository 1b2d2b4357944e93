# The outside libraries, found in the same way by our build and, from the install tree, by whoever
# says find_package(weft). Their Debian packages are in packages/build.txt.
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(ZLIB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(PkgConfig REQUIRED)

# Each becomes the target PkgConfig::<name>.
foreach(library IN ITEMS
    "cares libcares"
    "nghttp2 libnghttp2"
    "brotlidec libbrotlidec"
    "zstd libzstd"
    "deflate libdeflate"
    "psl libpsl"
    "re2 re2"
    "xxhash libxxhash")
  separate_arguments(library)
  list(GET library 0 name)
  list(GET library 1 module)
  pkg_check_modules(${name} REQUIRED QUIET IMPORTED_TARGET ${module})
endforeach()

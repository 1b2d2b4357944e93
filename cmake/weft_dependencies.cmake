# The outside libraries of everything above weft::aio; weft_aio_dependencies.cmake comes before. The
# package libweft-dev depends on them (weft_package.cmake).
find_package(ZLIB REQUIRED)
find_package(nlohmann_json REQUIRED)

# Each becomes the target PkgConfig::<name>.
foreach(library IN ITEMS
    "nghttp2 libnghttp2"
    "brotlidec libbrotlidec"
    "zstd libzstd"
    "deflate libdeflate"
    "isal libisal"
    "psl libpsl"
    "re2 re2"
    "hiredis hiredis")
  separate_arguments(library)
  list(GET library 0 name)
  list(GET library 1 module)
  pkg_check_modules(${name} REQUIRED QUIET IMPORTED_TARGET ${module})
endforeach()

# Debian's libcld2-dev has neither a CMake file nor one for pkg-config.
if(NOT TARGET CLD2::CLD2)
  find_library(WEFT_CLD2 cld2 REQUIRED)
  add_library(CLD2::CLD2 UNKNOWN IMPORTED)
  set_target_properties(CLD2::CLD2 PROPERTIES IMPORTED_LOCATION ${WEFT_CLD2})
endif()

# cmake --install: the program, and for find_package(weft) the libraries weft::base, weft::aio, ...
include(CMakePackageConfigHelpers)

set(weft_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
install(EXPORT weft_exports
  NAMESPACE weft:: DESTINATION ${weft_package_dir} FILE weft-exports.cmake)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/weft-config.cmake.in
  ${PROJECT_BINARY_DIR}/weft-config.cmake INSTALL_DESTINATION ${weft_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weft-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES
  ${PROJECT_BINARY_DIR}/weft-config.cmake
  ${PROJECT_BINARY_DIR}/weft-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/weft_dependencies.cmake
  DESTINATION ${weft_package_dir})

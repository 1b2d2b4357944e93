# cmake --install: the program, and for find_package(weft) the libraries weft::base, weft::aio, ...
# Three components, each a package (weft_package.cmake): `program`; `aio`, which is complete without
# the others; `devel`, the other libraries, which stand on `aio`.
include(CMakePackageConfigHelpers)
include(${CMAKE_CURRENT_LIST_DIR}/weft_guides.cmake)

set(weft_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/weft)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/weft-config.cmake.in
  ${PROJECT_BINARY_DIR}/weft-config.cmake INSTALL_DESTINATION ${weft_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/weft-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(EXPORT weft_aio_exports NAMESPACE weft:: FILE weft-aio-exports.cmake
  DESTINATION ${weft_package_dir} COMPONENT aio)
install(FILES
  ${PROJECT_BINARY_DIR}/weft-config.cmake
  ${PROJECT_BINARY_DIR}/weft-config-version.cmake
  ${CMAKE_CURRENT_LIST_DIR}/weft_compiler.cmake
  ${CMAKE_CURRENT_LIST_DIR}/weft_aio_dependencies.cmake
  DESTINATION ${weft_package_dir} COMPONENT aio)
weft_install_documents(aio libweft-aio-dev
  GUIDES aio.md from-asyncio.md
  EXAMPLES 01_hello.cpp 02_gather.cpp 03_task_group.cpp 04_timeout.cpp 05_queue_of_workers.cpp
    06_echo_server.cpp 07_generator_asend.cpp 08_async_with.cpp 09_virtual_time.cpp
    10_stack_dump.cpp 11_tls_client.cpp 13_subprocess.cpp 14_graceful_stop.cpp)
if(WEFT_AIO_ONLY)
  return()
endif()

install(EXPORT weft_exports NAMESPACE weft:: FILE weft-exports.cmake
  DESTINATION ${weft_package_dir} COMPONENT devel)
install(FILES ${CMAKE_CURRENT_LIST_DIR}/weft_dependencies.cmake
  DESTINATION ${weft_package_dir} COMPONENT devel)
weft_install_documents(devel libweft-dev GUIDES library.md
  EXAMPLES 12_custom_crawler.cpp 15_http_get.cpp)

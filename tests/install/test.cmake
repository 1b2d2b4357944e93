# cmake -DBUILD=... -DOUTSIDE=... -DSCRATCH=... -DCOMPILER=... -DPYTHON=... -P test.cmake
# Installs the build into a scratch prefix, then builds and runs the outside projects against it.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${SCRATCH}/prefix)
foreach(project outside co_alone)
  set(source ${OUTSIDE})
  if(NOT project STREQUAL outside)
    set(source ${OUTSIDE}/${project})
  endif()
  run(${CMAKE_COMMAND} -G Ninja -S ${source} -B ${SCRATCH}/${project}
    -DCMAKE_CXX_COMPILER=${COMPILER} -DCMAKE_PREFIX_PATH=${SCRATCH}/prefix
    -DCMAKE_CXX_FLAGS=-Werror)
  run(${CMAKE_COMMAND} --build ${SCRATCH}/${project})
  run(${SCRATCH}/${project}/${project})
endforeach()
run(${SCRATCH}/prefix/bin/weft --version)
run(${PYTHON} ${OUTSIDE}/links.py ${SCRATCH}/prefix)

# Public headers compile there; private ones are not there.
foreach(header web/url/url.h frontier/store/ledger.h)
  file(WRITE ${SCRATCH}/one_header.cpp "#include \"${header}\"\n")
  execute_process(
    COMMAND ${COMPILER} -std=c++23 -fsyntax-only -I${SCRATCH}/prefix/include/weft
      ${SCRATCH}/one_header.cpp
    RESULT_VARIABLE status ERROR_VARIABLE said)
  set(is_private FALSE)
  if(said MATCHES "'${header}' file not found")
    set(is_private TRUE)
  endif()
  if(header STREQUAL "web/url/url.h" AND NOT status EQUAL 0)
    message(FATAL_ERROR "${header} does not compile:\n${said}")
  elseif(header STREQUAL "frontier/store/ledger.h" AND NOT is_private)
    message(FATAL_ERROR "${header} is private, but an outside program can include it")
  endif()
endforeach()

# The other libraries, by pkg-config: what is static needs all that is below it.
set(ENV{PKG_CONFIG_PATH} ${SCRATCH}/prefix/lib/pkgconfig)
run(sh -c "${COMPILER} -o ${SCRATCH}/http_get \
${SCRATCH}/prefix/share/doc/libweft-dev/examples/15_http_get.cpp \
$(pkg-config --cflags --libs weft-http)")
run(${SCRATCH}/http_get)

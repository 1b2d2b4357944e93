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

# The other libraries, by pkg-config: what is static needs all that is below it.
set(ENV{PKG_CONFIG_PATH} ${SCRATCH}/prefix/lib/pkgconfig)
run(sh -c "${COMPILER} -o ${SCRATCH}/http_get \
${SCRATCH}/prefix/share/doc/libweft-dev/examples/15_http_get.cpp \
$(pkg-config --cflags --libs weft-http)")
run(${SCRATCH}/http_get)

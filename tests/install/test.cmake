# cmake -DBUILD=... -DOUTSIDE=... -DSCRATCH=... -DCOMPILER=... -DPYTHON=... -P test.cmake
# Installs the build into a scratch prefix, then builds and runs the outside projects against it.
function(run)
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

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
run(${PYTHON} ${OUTSIDE}/links.py ${SCRATCH}/prefix/share/doc)

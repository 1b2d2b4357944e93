# cmake -DBUILD=... -DSOURCE=... -DSCRATCH=... -DCOMPILER=... -DPYTHON=... -P aio.cmake
# Installs the component aio alone into a scratch prefix and builds the guide's programs against it,
# where nothing that only the crawler needs can be found.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)
set(prefix ${SCRATCH}/prefix)
set(documents ${prefix}/share/doc/libweft-aio-dev)
file(REMOVE_RECURSE ${SCRATCH})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix} --component aio)
run(${PYTHON} ${CMAKE_CURRENT_LIST_DIR}/links.py ${prefix})

# The outside libraries of aio and no others.
find_program(PKG_CONFIG pkg-config REQUIRED)
file(MAKE_DIRECTORY ${SCRATCH}/modules)
foreach(module fmt libssl libcrypto openssl libcares libxxhash)
  execute_process(COMMAND ${PKG_CONFIG} --variable=pcfiledir ${module}
    OUTPUT_VARIABLE folder OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  file(CREATE_LINK ${folder}/${module}.pc ${SCRATCH}/modules/${module}.pc SYMBOLIC)
endforeach()
set(ENV{PKG_CONFIG_LIBDIR} ${SCRATCH}/modules)
set(aio_alone -G Ninja --no-warn-unused-cli -DCMAKE_CXX_COMPILER=${COMPILER}
  -DCMAKE_DISABLE_FIND_PACKAGE_ZLIB=ON -DCMAKE_DISABLE_FIND_PACKAGE_nlohmann_json=ON)

# By CMake: all of them, each run to its end.
run(${CMAKE_COMMAND} ${aio_alone} -S ${CMAKE_CURRENT_LIST_DIR}/guide -B ${SCRATCH}/guide
  -DEXAMPLES=${documents}/examples -DCMAKE_PREFIX_PATH=${prefix} -DCMAKE_CXX_FLAGS=-Werror)
run(${CMAKE_COMMAND} --build ${SCRATCH}/guide)
file(GLOB programs ${documents}/examples/*.cpp)
foreach(program IN LISTS programs)
  cmake_path(GET program STEM name)
  message(STATUS "Running ${name}")
  run(${CMAKE_COMMAND} -E chdir ${SCRATCH} guide/${name})  # Some leave files where they run.
endforeach()

# By pkg-config: the command of the guide.
set(ENV{PKG_CONFIG_PATH} ${prefix}/lib/pkgconfig)
run(sh -c "${COMPILER} -o ${SCRATCH}/hello ${documents}/examples/01_hello.cpp \
$(${PKG_CONFIG} --cflags --libs weft-aio)")
run(${SCRATCH}/hello)
unset(ENV{PKG_CONFIG_PATH})

# What cannot work says what to do.
file(WRITE ${SCRATCH}/find.cmake "list(APPEND CMAKE_PREFIX_PATH ${prefix})
find_package(weft REQUIRED COMPONENTS \${WANTED})")
refused("g++ 12.2.0 miscompiles coroutines, as all before 13 do: use clang++-19" ${CMAKE_COMMAND}
  -DCMAKE_CXX_COMPILER_ID=GNU -DCMAKE_CXX_COMPILER_VERSION=12.2.0 -DWANTED=aio
  -P ${SCRATCH}/find.cmake)
file(WRITE ${SCRATCH}/more/CMakeLists.txt "cmake_minimum_required(VERSION 3.25)
project(more LANGUAGES CXX)
find_package(weft REQUIRED COMPONENTS aio http)")
refused("aio alone is installed: the other libraries are in libweft-dev" ${CMAKE_COMMAND}
  ${aio_alone} -S ${SCRATCH}/more -B ${SCRATCH}/more/build -DCMAKE_PREFIX_PATH=${prefix})

# The source, aio alone.
run(${CMAKE_COMMAND} ${aio_alone} -S ${SOURCE} -B ${SCRATCH}/source -DWEFT_AIO_ONLY=ON)

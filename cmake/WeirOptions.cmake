# Options, build types and compiler flags of every target.

option(WEIR_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(WEIR_BENCH "Build the benchmarks" ${PROJECT_IS_TOP_LEVEL})
option(WEIR_FUZZ "Build libFuzzer programs (Clang only)" OFF)
# Builds from nothing are a third quicker. GCC forgets which of precompiled headers are a system's,
# and warns inside them once it inlines.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(precompile OFF)
else()
  set(precompile ON)
endif()
option(WEIR_PCH "Precompile headers of other libraries" ${precompile})
option(WEIR_UNITY "Compile several files at a time: most of the time of one goes into headers" ON)
option(WEIR_SIMULATOR_ONLY "Leave out experiments, reports and the program" OFF)
option(WEIR_LTO "Optimize across files when linking" OFF)
option(WEIR_WERROR "Treat compiler warnings as errors" ${PROJECT_IS_TOP_LEVEL})
set(WEIR_SANITIZERS "" CACHE STRING "Sanitizers, comma separated, such as address,undefined")

# Build type of the sanitizer presets: readable stacks. Only the library is optimized (WeirLibrary):
# that halves the time of its tests, while optimized tests would take longer to compile than they save.
set(CMAKE_CXX_FLAGS_SANITIZE "-g1 -fno-omit-frame-pointer")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
  find_program(WEIR_CCACHE ccache)
  mark_as_advanced(WEIR_CCACHE)
  if(WEIR_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # ccache takes precompiled headers only when told that times do not matter to them.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
        CCACHE_SLOPPINESS=pch_defines,time_macros "${WEIR_CCACHE}")
  endif()
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_PCH_INSTANTIATE_TEMPLATES ON)

if(WEIR_LTO)
  include(CheckIPOSupported)
  check_ipo_supported()
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()

# Groups the files of a library or of a test program; see CONTRIBUTING.md.
function(weir_unity target)
  if(WEIR_UNITY)
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
  endif()
endfunction()

add_library(weir_options INTERFACE)
target_compile_options(
  weir_options
  INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wpedantic
            -fno-semantic-interposition
            # The same bits on every machine: no fused multiply-add where the source has two steps.
            -ffp-contract=off)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # Wrong about "literal" + std::string (GCC bug 105651, fixed in 13).
  target_compile_options(weir_options INTERFACE -Wno-restrict)
endif()
if(WEIR_WERROR)
  target_compile_options(weir_options INTERFACE -Werror)
endif()
target_compile_definitions(
  weir_options INTERFACE $<$<NOT:$<CONFIG:Release,RelWithDebInfo,MinSizeRel>>:_GLIBCXX_ASSERTIONS>)

if(WEIR_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "WEIR_FUZZ needs Clang; this is ${CMAKE_CXX_COMPILER_ID}")
  endif()
  if(NOT WEIR_SANITIZERS)
    set(WEIR_SANITIZERS "address,undefined")
  endif()
  target_compile_options(weir_options INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(WEIR_SANITIZERS)
  target_compile_options(weir_options INTERFACE -fsanitize=${WEIR_SANITIZERS}
                                                -fno-sanitize-recover=all)
  target_link_options(weir_options INTERFACE -fsanitize=${WEIR_SANITIZERS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # Instrumented code defeats the flow analysis behind this warning.
    target_compile_options(weir_options INTERFACE -Wno-maybe-uninitialized)
  endif()
endif()

# Libraries that weir is built on; Debian packages in scripts/packages.txt.

set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(tomlplusplus REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(SQLiteCpp REQUIRED)
find_package(Boost REQUIRED)
find_package(ZLIB REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
find_package(cereal REQUIRED)
find_package(Protobuf REQUIRED) # with protoc

find_path(RANDOM123_INCLUDE_DIR Random123/philox.h REQUIRED)
mark_as_advanced(RANDOM123_INCLUDE_DIR)

# Debian ships muParser without a CMake package.
find_path(MUPARSER_INCLUDE_DIR muParser.h REQUIRED)
find_library(MUPARSER_LIBRARY muparser REQUIRED)
mark_as_advanced(MUPARSER_INCLUDE_DIR MUPARSER_LIBRARY)
add_library(muparser::muparser UNKNOWN IMPORTED)
set_target_properties(
  muparser::muparser PROPERTIES IMPORTED_LOCATION "${MUPARSER_LIBRARY}"
                                INTERFACE_INCLUDE_DIRECTORIES "${MUPARSER_INCLUDE_DIR}")

# Nor does btparse, a parser of BibTeX, have one.
find_path(BTPARSE_INCLUDE_DIR btparse.h REQUIRED)
find_library(BTPARSE_LIBRARY btparse REQUIRED)
mark_as_advanced(BTPARSE_INCLUDE_DIR BTPARSE_LIBRARY)
add_library(btparse::btparse UNKNOWN IMPORTED)
set_target_properties(btparse::btparse PROPERTIES IMPORTED_LOCATION "${BTPARSE_LIBRARY}"
                                                  INTERFACE_INCLUDE_DIRECTORIES
                                                  "${BTPARSE_INCLUDE_DIR}")

# Nor does METIS, which divides networks among threads.
find_path(METIS_INCLUDE_DIR metis.h REQUIRED)
find_library(METIS_LIBRARY metis REQUIRED)
mark_as_advanced(METIS_INCLUDE_DIR METIS_LIBRARY)
add_library(metis::metis UNKNOWN IMPORTED)
set_target_properties(metis::metis PROPERTIES IMPORTED_LOCATION "${METIS_LIBRARY}"
                                              INTERFACE_INCLUDE_DIRECTORIES "${METIS_INCLUDE_DIR}")

# And utf8proc, the widths of characters, has one for pkg-config only.
find_path(UTF8PROC_INCLUDE_DIR utf8proc.h REQUIRED)
find_library(UTF8PROC_LIBRARY utf8proc REQUIRED)
mark_as_advanced(UTF8PROC_INCLUDE_DIR UTF8PROC_LIBRARY)
add_library(utf8proc::utf8proc UNKNOWN IMPORTED)
set_target_properties(utf8proc::utf8proc PROPERTIES IMPORTED_LOCATION "${UTF8PROC_LIBRARY}"
                                                    INTERFACE_INCLUDE_DIRECTORIES
                                                    "${UTF8PROC_INCLUDE_DIR}")

# What code outside the library sees through weir's headers, and what it never sees.
set(WEIR_PUBLIC_LIBRARIES fmt::fmt Threads::Threads)
set(WEIR_PRIVATE_LIBRARIES
    tomlplusplus::tomlplusplus nlohmann_json::nlohmann_json Boost::boost SQLiteCpp SQLite::SQLite3
    ZLIB::ZLIB muparser::muparser Eigen3::Eigen cereal::cereal btparse::btparse metis::metis
    utf8proc::utf8proc protobuf::libprotobuf ${CMAKE_DL_LIBS})

# Only for the workload otf2, which says so where there is none. Debian ships OTF2 without a CMake package.
option(WEIR_OTF2 "read OTF2 archives of MPI programs" ON)
set(WEIR_HAS_OTF2 OFF)
if(WEIR_OTF2)
  find_path(OTF2_INCLUDE_DIR otf2/otf2.h)
  find_library(OTF2_LIBRARY NAMES otf2 open-trace-format2)
  mark_as_advanced(OTF2_INCLUDE_DIR OTF2_LIBRARY)
  if(OTF2_INCLUDE_DIR AND OTF2_LIBRARY)
    set(WEIR_HAS_OTF2 ON)
    add_library(otf2::otf2 UNKNOWN IMPORTED)
    set_target_properties(
      otf2::otf2
      PROPERTIES IMPORTED_LOCATION "${OTF2_LIBRARY}"
                 INTERFACE_COMPILE_DEFINITIONS WEIR_HAS_OTF2
                 INTERFACE_INCLUDE_DIRECTORIES "${OTF2_INCLUDE_DIR}")
  else()
    message(STATUS "No workload otf2: it needs the OTF2 library (Debian: libotf2-trace-dev)")
  endif()
endif()

# Only for `mpirun weir run`; built without where there is none.
option(WEIR_MPI "spread the runs of a sweep, or a large network, over the ranks that mpirun starts" ON)
if(WEIR_MPI)
  set(MPI_CXX_SKIP_MPICXX ON)
  find_package(MPI QUIET COMPONENTS CXX)
endif()

# Only for programs; they work without, and take longer where networks are large. Sanitizers have
# allocators of their own.
option(WEIR_JEMALLOC "have programs allocate in huge pages, with jemalloc" ON)
add_library(weir_allocator INTERFACE)
if(WEIR_JEMALLOC AND NOT WEIR_SANITIZERS)
  find_library(JEMALLOC_LIBRARY jemalloc)
  mark_as_advanced(JEMALLOC_LIBRARY)
  if(JEMALLOC_LIBRARY)
    target_sources(weir_allocator INTERFACE "${PROJECT_SOURCE_DIR}/cli/allocator/jemalloc.cpp")
    target_link_libraries(weir_allocator INTERFACE "${JEMALLOC_LIBRARY}")
  else()
    message(STATUS "No huge pages for all memory: they need jemalloc (Debian: libjemalloc-dev)")
  endif()
endif()

if(WEIR_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  # Linear programs to compare max-min fair rates with.
  find_path(GLPK_INCLUDE_DIR glpk.h REQUIRED)
  find_library(GLPK_LIBRARY glpk REQUIRED)
  mark_as_advanced(GLPK_INCLUDE_DIR GLPK_LIBRARY)
  add_library(glpk::glpk UNKNOWN IMPORTED)
  set_target_properties(glpk::glpk PROPERTIES IMPORTED_LOCATION "${GLPK_LIBRARY}"
                                              INTERFACE_INCLUDE_DIRECTORIES "${GLPK_INCLUDE_DIR}")
endif()
if(WEIR_BENCH)
  find_package(benchmark REQUIRED)
endif()

# For `import weir`. AUTO: with the tests, where there is pybind11; sanitized modules would need a
# sanitized interpreter.
set(WEIR_PYTHON AUTO CACHE STRING "build the Python package: ON, OFF or AUTO")
set_property(CACHE WEIR_PYTHON PROPERTY STRINGS AUTO ON OFF)
set(WEIR_HAS_PYTHON OFF)
if(WEIR_PYTHON STREQUAL "ON" OR (WEIR_PYTHON STREQUAL "AUTO" AND WEIR_TESTS
                                 AND NOT WEIR_SANITIZERS AND NOT WEIR_SIMULATOR_ONLY))
  # Debian's packages are those of its own interpreter, whatever else the path has.
  if(NOT Python_EXECUTABLE AND EXISTS /usr/bin/python3)
    set(Python_EXECUTABLE /usr/bin/python3)
  endif()
  find_package(Python 3.11 QUIET COMPONENTS Interpreter Development.Module)
  set(PYBIND11_NEWPYTHON ON)
  if(Python_FOUND)
    find_package(pybind11 2.10 QUIET CONFIG)
  endif()
  if(Python_FOUND AND pybind11_FOUND)
    set(WEIR_HAS_PYTHON ON)
  elseif(WEIR_PYTHON STREQUAL "ON")
    message(FATAL_ERROR "WEIR_PYTHON needs headers of Python and pybind11 (Debian: python3-dev, "
                        "pybind11-dev)")
  else()
    message(STATUS "No Python package: it needs python3-dev and pybind11-dev")
  endif()
endif()

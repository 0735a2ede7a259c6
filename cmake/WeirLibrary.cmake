# The library: one object library a top-level folder, joined into one shared library. Models register
# themselves from static initializers, which a linker would drop from a plain archive.

# What nearly every file includes, and is slow to read. Nothing of weir: its headers change.
set(WEIR_PRECOMPILED <algorithm> <array> <cmath> <cstdint> <filesystem> <functional> <limits> <map>
                     <memory> <optional> <span> <stdexcept> <string> <string_view> <utility> <vector>
                     <fmt/format.h>)

# The top-level folders, as the list of rooms has them (which scripts/check-layers enforces).
set(rooms "${PROJECT_SOURCE_DIR}/src/weir/layers.txt")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${rooms}")
file(STRINGS "${rooms}" rooms REGEX "^[a-z]")
set(WEIR_LAYERS "")
foreach(room IN LISTS rooms)
  string(REGEX MATCH "^[a-z_]+" layer "${room}")
  list(APPEND WEIR_LAYERS ${layer})
endforeach()
list(REMOVE_DUPLICATES WEIR_LAYERS)
if(WEIR_SIMULATOR_ONLY)
  list(REMOVE_ITEM WEIR_LAYERS experiment report)
endif()

add_library(weir SHARED)
add_library(weir::weir ALIAS weir)

# The headers that are installed, and the interface that they are to plug-ins.
set(WEIR_PUBLIC_HEADER_LIST "${PROJECT_SOURCE_DIR}/cmake/public_headers.txt")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
                                                               "${WEIR_PUBLIC_HEADER_LIST}")
file(STRINGS "${WEIR_PUBLIC_HEADER_LIST}" WEIR_PUBLIC_HEADERS REGEX "^weir/")
set(WEIR_GENERATED "${PROJECT_BINARY_DIR}/generated")
set(plugin_interface "${WEIR_GENERATED}/weir/base/plugin_interface.hpp")
list(TRANSFORM WEIR_PUBLIC_HEADERS PREPEND "${PROJECT_SOURCE_DIR}/src/" OUTPUT_VARIABLE headers)
add_custom_command(
  OUTPUT "${plugin_interface}"
  COMMAND
    "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}/src" "-DHEADERS=${WEIR_PUBLIC_HEADER_LIST}"
    "-DVERSION=${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}" "-DOUTPUT=${plugin_interface}" -P
    "${PROJECT_SOURCE_DIR}/cmake/plugin_interface.cmake"
  DEPENDS ${headers} "${WEIR_PUBLIC_HEADER_LIST}"
          "${PROJECT_SOURCE_DIR}/cmake/plugin_interface.cmake"
  VERBATIM)
add_custom_target(weir_plugin_interface DEPENDS "${plugin_interface}")

foreach(layer IN LISTS WEIR_LAYERS)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/weir/${layer}/*.cpp")
  if(NOT sources)
    continue()
  endif()
  add_library(weir_${layer} OBJECT ${sources})
  target_include_directories(weir_${layer} PUBLIC "${PROJECT_SOURCE_DIR}/src"
                                                  "${RANDOM123_INCLUDE_DIR}")
  target_link_libraries(weir_${layer} PRIVATE weir_options ${WEIR_PUBLIC_LIBRARIES}
                                              ${WEIR_PRIVATE_LIBRARIES})
  target_compile_options(weir_${layer} PRIVATE $<$<CONFIG:Sanitize>:-O1>)
  weir_unity(weir_${layer})
  if(layer MATCHES "^(engine|traffic|fabric|metrics)$")
    # Where runs spend their time. GCC inlines less in large units, such as groups of files are.
    target_compile_options(
      weir_${layer}
      PRIVATE $<$<AND:$<CONFIG:Release>,$<CXX_COMPILER_ID:GNU>>:--param=large-unit-insns=1000000>
              $<$<CONFIG:Release>:-O3>)
  elseif(layer MATCHES "^(experiment|report)$")
    # No run spends its time here: a quarter less to compile.
    target_compile_options(weir_${layer} PRIVATE $<$<CONFIG:Release>:-O1>)
  endif()
  target_sources(weir PRIVATE $<TARGET_OBJECTS:weir_${layer}>)
  if(NOT WEIR_PCH)
    continue()
  elseif(layer STREQUAL base)
    target_precompile_headers(weir_base PRIVATE ${WEIR_PRECOMPILED})
  else()
    target_precompile_headers(weir_${layer} REUSE_FROM weir_base)
  endif()
endforeach()

# Messages of Chakra traces. protoc writes the C++ of them, whose warnings are not ours.
set(WEIR_CHAKRA "${WEIR_GENERATED}/chakra")
set(chakra_proto "${PROJECT_SOURCE_DIR}/src/weir/workload/chakra/chakra.proto")
add_custom_command(
  OUTPUT "${WEIR_CHAKRA}/chakra.pb.cc" "${WEIR_CHAKRA}/chakra.pb.h"
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${WEIR_CHAKRA}"
  COMMAND protobuf::protoc "--cpp_out=${WEIR_CHAKRA}" -I
          "${PROJECT_SOURCE_DIR}/src/weir/workload/chakra" "${chakra_proto}"
  DEPENDS "${chakra_proto}"
  VERBATIM)
add_library(weir_chakra OBJECT "${WEIR_CHAKRA}/chakra.pb.cc" "${WEIR_CHAKRA}/chakra.pb.h")
target_link_libraries(weir_chakra PRIVATE protobuf::libprotobuf)
target_sources(weir PRIVATE $<TARGET_OBJECTS:weir_chakra>)
target_include_directories(weir_workload SYSTEM PRIVATE "${WEIR_CHAKRA}")
add_dependencies(weir_workload weir_chakra)

# Archives of OTF2, where its library is.
if(WEIR_HAS_OTF2)
  target_link_libraries(weir_workload PRIVATE otf2::otf2)
  target_link_libraries(weir PRIVATE otf2::otf2)
endif()

if(TARGET weir_experiment)
  # It loads plug-ins.
  target_include_directories(weir_experiment PRIVATE "${WEIR_GENERATED}")
  add_dependencies(weir_experiment weir_plugin_interface)
endif()

# The version reaches the program as weir::version(); one small file is rebuilt when it changes.
configure_file("${PROJECT_SOURCE_DIR}/cmake/version.cpp.in" "${PROJECT_BINARY_DIR}/version.cpp"
               @ONLY)
target_sources(weir PRIVATE "${PROJECT_BINARY_DIR}/version.cpp")
# So does the bibliography.
if(NOT WEIR_SIMULATOR_ONLY)
  file(READ "${PROJECT_SOURCE_DIR}/docs/references.bib" WEIR_REFERENCES)
  configure_file("${PROJECT_SOURCE_DIR}/cmake/references.cpp.in"
                 "${PROJECT_BINARY_DIR}/references.cpp" @ONLY)
  set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND
               PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/docs/references.bib")
  target_sources(weir PRIVATE "${PROJECT_BINARY_DIR}/references.cpp")
endif()
target_include_directories(
  weir PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<BUILD_INTERFACE:${WEIR_GENERATED}>
              $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(weir PUBLIC cxx_std_20)
target_link_libraries(weir PUBLIC ${WEIR_PUBLIC_LIBRARIES}
                           PRIVATE $<BUILD_INTERFACE:weir_options> ${WEIR_PRIVATE_LIBRARIES})
if(NOT WEIR_SANITIZERS AND NOT APPLE)
  # Calls inside the library go straight to their target.
  target_link_options(weir PRIVATE -Wl,-Bsymbolic-functions)
endif()
set_target_properties(weir PROPERTIES VERSION ${PROJECT_VERSION}
                                      SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

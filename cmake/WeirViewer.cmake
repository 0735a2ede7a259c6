# The report page: npm bundles viewer/ into one HTML file, which becomes part of the library
# (src/weir/report/page/template.cpp). Without npm, or when it cannot fetch what the page is made
# of, the build warns and goes on: all but `weir report` works.

option(WEIR_PAGE "Build the report page (needs nodejs and npm)" ON)
set(WEIR_PAGE_FILE "" CACHE FILEPATH "A report page built elsewhere (viewer/dist), to use instead")

set(WEIR_PAGE_TEMPLATE "${PROJECT_BINARY_DIR}/report.template.html")

# Build folders beside each other (the presets) share what npm fetched and built.
cmake_path(GET PROJECT_BINARY_DIR PARENT_PATH folder)
if(PROJECT_IS_TOP_LEVEL AND folder STREQUAL "${PROJECT_SOURCE_DIR}/build")
  set(WEIR_VIEWER_FOLDER "${folder}/viewer")
else()
  set(WEIR_VIEWER_FOLDER "${PROJECT_BINARY_DIR}/viewer")
endif()

file(GLOB_RECURSE viewer_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/viewer/src/*")
file(GLOB viewer_settings CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/viewer/*.json"
     "${PROJECT_SOURCE_DIR}/viewer/*.mjs" "${PROJECT_SOURCE_DIR}/viewer/.npmrc")

add_custom_command(
  OUTPUT "${WEIR_PAGE_TEMPLATE}"
  COMMAND
    "${CMAKE_COMMAND}" "-DSOURCE=${PROJECT_SOURCE_DIR}/viewer" "-DFOLDER=${WEIR_VIEWER_FOLDER}"
    "-DOUTPUT=${WEIR_PAGE_TEMPLATE}" "-DGIVEN=${WEIR_PAGE_FILE}" "-DWANTED=${WEIR_PAGE}" -P
    "${PROJECT_SOURCE_DIR}/cmake/build_viewer.cmake"
  DEPENDS ${viewer_sources} ${viewer_settings} ${WEIR_PAGE_FILE}
          "${PROJECT_SOURCE_DIR}/cmake/build_viewer.cmake"
  COMMENT "Bundling the report page"
  VERBATIM)

set(page_source "${PROJECT_SOURCE_DIR}/src/weir/report/page/template.cpp")
set_source_files_properties(
  "${page_source}" PROPERTIES OBJECT_DEPENDS "${WEIR_PAGE_TEMPLATE}" COMPILE_DEFINITIONS
                                             "WEIR_PAGE_TEMPLATE=\"${WEIR_PAGE_TEMPLATE}\"")
target_sources(weir_report PRIVATE "${WEIR_PAGE_TEMPLATE}")

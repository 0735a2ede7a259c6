# Makes OUTPUT, the template of the report page, from SOURCE (viewer/), in FOLDER. There npm's
# packages stay until package-lock.json changes, and the page until one of its sources does: a
# second build folder copies it. An empty OUTPUT: there is no npm, or it cannot reach its registry.
cmake_minimum_required(VERSION 3.25)

function(finish page)
  file(COPY_FILE "${page}" "${OUTPUT}")
  file(TOUCH_NOCREATE "${OUTPUT}")
endfunction()

function(go_without why)
  message(WARNING "The report page is left out: ${why}\n"
                  "Everything else is built. To get `weir report` later: install nodejs (18 or "
                  "newer) and npm, then 'touch viewer/package.json' and build again.")
  file(WRITE "${OUTPUT}" "")
endfunction()

function(hash_of result)
  set(text "")
  foreach(file IN LISTS ARGN)
    file(SHA256 "${SOURCE}/${file}" hash)
    string(APPEND text "${file} ${hash}\n")
  endforeach()
  string(SHA256 hash "${text}")
  set(${result} "${hash}" PARENT_SCOPE)
endfunction()

if(NOT GIVEN STREQUAL "")
  finish("${GIVEN}")
  return()
endif()
if(NOT WANTED)
  file(WRITE "${OUTPUT}" "")
  return()
endif()
if(NOT EXISTS "${SOURCE}/package-lock.json")
  go_without("${SOURCE} holds no page.")
  return()
endif()

file(MAKE_DIRECTORY "${FOLDER}")
file(LOCK "${FOLDER}" DIRECTORY GUARD PROCESS TIMEOUT 900)

file(GLOB_RECURSE sources RELATIVE "${SOURCE}" "${SOURCE}/src/*")
file(GLOB settings RELATIVE "${SOURCE}" "${SOURCE}/*.json" "${SOURCE}/*.mjs" "${SOURCE}/.npmrc")
list(SORT sources)
list(SORT settings)
hash_of(state ${sources} ${settings})
set(page "${FOLDER}/dist/report.template.html")
set(page_stamp "${FOLDER}/page.stamp")
if(EXISTS "${page_stamp}" AND EXISTS "${page}")
  file(READ "${page_stamp}" built)
  if(built STREQUAL state)
    finish("${page}")
    return()
  endif()
endif()

find_program(npm npm)
find_program(node node)
if(NOT npm OR NOT node)
  go_without("npm is not installed.")
  return()
endif()
execute_process(COMMAND "${node}" --version OUTPUT_VARIABLE version
                OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT version MATCHES "^v([0-9]+)" OR CMAKE_MATCH_1 LESS 18)
  go_without("it needs Node.js 18 or newer; ${node} is ${version}.")
  return()
endif()

file(REMOVE "${page_stamp}")
foreach(old IN ITEMS src dist)
  file(REMOVE_RECURSE "${FOLDER}/${old}")
endforeach()
file(COPY "${SOURCE}/src" DESTINATION "${FOLDER}")
foreach(file IN LISTS settings)
  file(COPY "${SOURCE}/${file}" DESTINATION "${FOLDER}")
endforeach()

set(log "${FOLDER}/npm.log")
set(packages_stamp "${FOLDER}/packages.stamp")
hash_of(packages package.json package-lock.json)
set(fetched "")
if(EXISTS "${packages_stamp}" AND IS_DIRECTORY "${FOLDER}/node_modules")
  file(READ "${packages_stamp}" fetched)
endif()
if(NOT fetched STREQUAL packages)
  file(REMOVE "${packages_stamp}")
  # Nothing of what is fetched is run while it is installed.
  execute_process(
    COMMAND "${npm}" ci --ignore-scripts --no-audit --no-fund --loglevel=error --fetch-retries=1
            --fetch-timeout=60000
    WORKING_DIRECTORY "${FOLDER}"
    TIMEOUT 600
    RESULT_VARIABLE failed
    OUTPUT_FILE "${log}"
    ERROR_FILE "${log}")
  if(failed)
    file(READ "${log}" told LIMIT 2000)
    go_without("npm could not fetch its packages (${log}):\n${told}")
    return()
  endif()
  file(WRITE "${packages_stamp}" "${packages}")
endif()

execute_process(
  COMMAND "${npm}" run --silent build
  WORKING_DIRECTORY "${FOLDER}"
  RESULT_VARIABLE failed
  OUTPUT_FILE "${log}"
  ERROR_FILE "${log}")
if(failed OR NOT EXISTS "${page}")
  file(READ "${log}" told)
  message(FATAL_ERROR "viewer/ cannot be bundled:\n${told}")
endif()
file(WRITE "${page_stamp}" "${state}")
finish("${page}")

# Writes OUTPUT, a header with the commit that SOURCE is at; touches it only when that changes.

set(revision "")
find_package(Git QUIET)
if(Git_FOUND)
  execute_process(
    COMMAND "${GIT_EXECUTABLE}" -C "${SOURCE}" describe --always --dirty --abbrev=10 --exclude=*
    OUTPUT_VARIABLE revision
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET)
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#pragma once\n#define WEIR_REVISION \"${revision}\"\n"
     @ONLY)

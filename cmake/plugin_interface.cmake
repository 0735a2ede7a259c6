# Writes OUTPUT, the header with the interface that plug-ins are built for: VERSION and a digest of
# the HEADERS (names below SOURCE) that they may include. A plug-in of other headers may not fit.
cmake_minimum_required(VERSION 3.25)

set(text "")
file(STRINGS "${HEADERS}" names REGEX "^weir/")
foreach(name IN LISTS names)
  file(SHA256 "${SOURCE}/${name}" hash)
  string(APPEND text "${name} ${hash}\n")
endforeach()
string(SHA256 digest "${text}")
string(SUBSTRING "${digest}" 0 12 digest)
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT
     "#pragma once\n\n#define WEIR_PLUGIN_INTERFACE \"@VERSION@-@digest@\"\n" @ONLY)

# cmake --install: public headers, library, program, shipped experiments, and the packages for
# find_package(weir) and pkg-config.

include(CMakePackageConfigHelpers)

file(RELATIVE_PATH WEIR_LIBRARY_FROM_PROGRAM "${CMAKE_INSTALL_FULL_BINDIR}"
     "${CMAKE_INSTALL_FULL_LIBDIR}")

install(TARGETS weir EXPORT weirTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
foreach(header IN LISTS WEIR_PUBLIC_HEADERS)
  cmake_path(GET header PARENT_PATH folder)
  install(FILES "${PROJECT_SOURCE_DIR}/src/${header}"
          DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/${folder}")
endforeach()
install(FILES "${WEIR_GENERATED}/weir/base/plugin_interface.hpp"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/weir/base")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/experiments" DESTINATION "${CMAKE_INSTALL_DATADIR}/weir")

set(WEIR_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/weir")
install(EXPORT weirTargets NAMESPACE weir:: DESTINATION "${WEIR_PACKAGE_DIR}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/weirConfig.cmake.in" "${PROJECT_BINARY_DIR}/weirConfig.cmake"
  INSTALL_DESTINATION "${WEIR_PACKAGE_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/weirConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/weirConfig.cmake"
              "${PROJECT_BINARY_DIR}/weirConfigVersion.cmake" DESTINATION "${WEIR_PACKAGE_DIR}")

# For pkg-config: paths relative to where the file lies, so that an installed weir can be moved.
set(WEIR_PKGCONFIG_DIR "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
file(RELATIVE_PATH WEIR_PREFIX_FROM_PKGCONFIG "${CMAKE_INSTALL_PREFIX}/${WEIR_PKGCONFIG_DIR}"
     "${CMAKE_INSTALL_PREFIX}")
string(REGEX REPLACE "/$" "" WEIR_PREFIX_FROM_PKGCONFIG "${WEIR_PREFIX_FROM_PKGCONFIG}")
configure_file("${PROJECT_SOURCE_DIR}/cmake/weir.pc.in" "${PROJECT_BINARY_DIR}/weir.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/weir.pc" DESTINATION "${WEIR_PKGCONFIG_DIR}")

# Pages, and what shells complete (written by the program itself).
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/README.md" "${PROJECT_SOURCE_DIR}/CHANGELOG.md"
              "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(NOT CMAKE_CROSSCOMPILING)
  foreach(
    completion IN
    ITEMS bash:bash-completion/completions/weir zsh:zsh/vendor-completions/_weir
          fish:fish/vendor_completions.d/weir.fish)
    string(REGEX MATCH "^([a-z]+):(.*)" matched "${completion}")
    set(shell "${CMAKE_MATCH_1}")
    set(file "${PROJECT_BINARY_DIR}/completions/${shell}/${CMAKE_MATCH_2}")
    cmake_path(GET file PARENT_PATH folder)
    install(
      CODE "
      file(MAKE_DIRECTORY \"${folder}\")
      execute_process(COMMAND \"$<TARGET_FILE:weir-cli>\" completion ${shell}
                      OUTPUT_FILE \"${file}\" COMMAND_ERROR_IS_FATAL ANY)")
    cmake_path(GET CMAKE_MATCH_2 PARENT_PATH place)
    install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_DATADIR}/${place}")
  endforeach()
endif()

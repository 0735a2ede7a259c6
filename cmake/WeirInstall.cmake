# cmake --install: headers, library, program, shipped experiments and the package for find_package(weir).

include(CMakePackageConfigHelpers)

file(RELATIVE_PATH WEIR_LIBRARY_FROM_PROGRAM "${CMAKE_INSTALL_FULL_BINDIR}"
     "${CMAKE_INSTALL_FULL_LIBDIR}")

install(TARGETS weir EXPORT weirTargets LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(
  DIRECTORY "${PROJECT_SOURCE_DIR}/src/weir"
  DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  FILES_MATCHING
  PATTERN "*.hpp")

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

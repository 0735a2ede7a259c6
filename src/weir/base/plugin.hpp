#pragma once

#include <string>

// Generated: WEIR_PLUGIN_INTERFACE, "0.2-" and a digest of the installed headers.
#include "weir/base/plugin_interface.hpp"

// What else has to be the same on both sides of a library of C++.
#if defined(_LIBCPP_VERSION)
#define WEIR_PLUGIN_STRINGS "libc++"
#elif defined(_GLIBCXX_USE_CXX11_ABI) && _GLIBCXX_USE_CXX11_ABI
#define WEIR_PLUGIN_STRINGS "libstdc++"
#else
#define WEIR_PLUGIN_STRINGS "libstdc++ with strings from before C++11"
#endif
#if defined(_GLIBCXX_DEBUG)
#define WEIR_PLUGIN_CONTAINERS " with _GLIBCXX_DEBUG"
#else
#define WEIR_PLUGIN_CONTAINERS ""
#endif

/// What a plug-in says about itself: "weir-plugin:INTERFACE;BUILD;". It is read from the file
/// before the library is loaded, since code for another interface must not be run.
#define WEIR_PLUGIN_MARK "weir-plugin:"
#define WEIR_PLUGIN_BUILD WEIR_PLUGIN_STRINGS WEIR_PLUGIN_CONTAINERS
#define WEIR_PLUGIN_FACTS WEIR_PLUGIN_MARK WEIR_PLUGIN_INTERFACE ";" WEIR_PLUGIN_BUILD ";"

/// Makes a shared library a plug-in that `weir --plugin FILE` loads: stands once, outside
/// functions, in one of its files. The models of a plug-in register themselves (Registration), like
/// weir's own.
#define WEIR_PLUGIN                                                       \
  extern "C" {                                                            \
  extern __attribute__((visibility("default"))) const char weir_plugin[]; \
  __attribute__((used)) const char weir_plugin[] = WEIR_PLUGIN_FACTS;     \
  }                                                                       \
  static_assert(true)

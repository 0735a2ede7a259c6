// What makes a plug-in of the models in this folder: once, in one file of the library.
#include "weir/base/plugin.hpp"

WEIR_PLUGIN;

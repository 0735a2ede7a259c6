#pragma once

#include <string>

namespace weir::cli {

/// The folder of shipped experiments: that of the environment variable WEIR_EXPERIMENTS; else the
/// one installed beside the program (share/weir/experiments); else the one that the program was
/// built from. Throws InputError when there is none.
std::string experiments_folder();

}  // namespace weir::cli

#pragma once

#include <string>

#include "weir/experiment/claims/document.hpp"

namespace weir::cli {

/// The folder of shipped experiments: that of the environment variable WEIR_EXPERIMENTS; else the
/// one installed beside the program (share/weir/experiments); else the one that the program was
/// built from. Throws InputError when there is none.
std::string experiments_folder();

/// The document of that name in it; throws InputError with the nearest name.
experiment::claims::Document document_called(const std::string& name);

}  // namespace weir::cli

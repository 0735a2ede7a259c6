#include "experiments_folder.hpp"

#include <cstdlib>
#include <filesystem>

#include "output.hpp"
#include "weir/base/error.hpp"
#include "weir/experiment/claims/reproduction.hpp"

namespace weir::cli {

namespace fs = std::filesystem;

std::string experiments_folder() {
  std::error_code ignored;
  if (const char* given = std::getenv("WEIR_EXPERIMENTS"); given != nullptr && *given != '\0') {
    if (fs::is_directory(given, ignored)) return given;
    throw InputError(fmt::format("WEIR_EXPERIMENTS names '{}', which is no folder", given));
  }
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const fs::path installed =
      (program.parent_path() / WEIR_INSTALLED_EXPERIMENTS).lexically_normal();
  for (const fs::path& folder : {installed, fs::path(WEIR_SOURCE_EXPERIMENTS)}) {
    if (fs::is_directory(folder, ignored)) return folder.string();
  }
  throw InputError(
      fmt::format("no shipped experiments in '{}'; WEIR_EXPERIMENTS may name their "
                  "folder",
                  installed.string()));
}

experiment::claims::Document document_called(const std::string& name) {
  return experiment::claims::find_document(experiments_folder(), name);
}

}  // namespace weir::cli

#pragma once

#include <filesystem>
#include <string>

#include "support/temporary_folder.hpp"

namespace weir::cli {

/// What a run of the program did.
struct Outcome {
  int status = -1;
  std::string output;  ///< standard output
  std::string errors;  ///< standard error
};

/// A folder of its own for one test, removed at the end.
class Workplace {
 public:
  /// Writes a file below the folder; returns its path.
  std::string write(const std::string& name, const std::string& text) const;
  /// Runs `weir ARGUMENTS` in the folder, as a shell would.
  [[nodiscard]] Outcome weir(const std::string& arguments) const;
  /// Runs any command in the folder.
  [[nodiscard]] Outcome shell(const std::string& command) const;
  [[nodiscard]] const std::filesystem::path& folder() const { return folder_.path(); }

 private:
  support::TemporaryFolder folder_;
};

std::string read_file(const std::filesystem::path& path);

}  // namespace weir::cli

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weir/experiment/config/configuration.hpp"

namespace weir::experiment {

/// The file in which one run keeps its state. It is there whole or not at all, whenever the program
/// ends, and understood by the build that wrote it alone.
class CheckpointFile {
 public:
  /// Of the run with this configuration, in the folder that it names.
  explicit CheckpointFile(const Configuration& configuration);

  /// The state in it; empty: there is none, or it is of another build, version or configuration, or
  /// damaged.
  [[nodiscard]] std::string read() const;
  /// In place of what was there. Throws InputError when the file cannot be written.
  void write(std::string_view state) const;
  /// The run is over.
  void remove() const;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::string head_;  ///< first lines of the file: who understands it
};

}  // namespace weir::experiment

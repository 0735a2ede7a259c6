#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "program.hpp"

namespace weir::cli {

/// 16 short runs.
inline constexpr int kSweepRuns = 16;
extern const std::string kSweep;

/// The finished runs of a results database: id and time of the start. A run that is repeated gets
/// another id.
std::map<std::int64_t, std::string> done_in(const std::filesystem::path& database);

/// A program that goes on beside the test; killed at the end. Its standard error goes to
/// FOLDER/.errors.
class Process {
 public:
  Process(const std::filesystem::path& folder, std::vector<std::string> arguments);
  Process(const Process&) = delete;
  Process& operator=(const Process&) = delete;
  ~Process();

  [[nodiscard]] pid_t id() const { return pid_; }
  bool has_ended();
  void signal(int number);
  /// Exit status; -1 when it was killed.
  int wait();
  /// Until so many runs are done, or it has ended.
  void wait_for(std::size_t runs, const std::filesystem::path& database);

 private:
  pid_t pid_ = -1;
  int status_ = -1;
};

/// Both results folders below `place` export the same, byte for byte.
void expect_same_exports(const Workplace& place, const std::string& one, const std::string& other);

}  // namespace weir::cli

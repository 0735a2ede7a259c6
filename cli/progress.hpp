#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "weir/experiment/runner.hpp"

namespace weir::cli {

/// Bars on a terminal at standard error, one for each run at work and one line for all of them:
///
///   dbbm    [############........]  61 %  0.61 ms  4.1 M hops/s  3 s left
///   2 of 4 runs
///
/// Silent when standard error is no terminal, or when asked to be.
class ProgressBars {
 public:
  ProgressBars(std::vector<std::string> names, bool is_quiet);
  ~ProgressBars();
  ProgressBars(const ProgressBars&) = delete;
  ProgressBars& operator=(const ProgressBars&) = delete;

  void start(std::size_t run);
  void update(const experiment::RunProgress& progress);
  void end(std::size_t run);

 private:
  using Clock = std::chrono::steady_clock;

  void draw();
  void erase();
  [[nodiscard]] std::string line(const experiment::RunProgress& progress) const;

  std::vector<std::string> names_;
  bool is_shown_;
  std::size_t name_width_ = 0;
  std::size_t finished_ = 0;
  std::map<std::size_t, experiment::RunProgress> active_;
  std::size_t drawn_lines_ = 0;
  Clock::time_point drawn_at_;
};

}  // namespace weir::cli

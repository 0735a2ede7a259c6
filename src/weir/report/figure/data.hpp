#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "weir/experiment/store/results_record.hpp"
#include "weir/report/figure/figure.hpp"

namespace weir::report {

/// The mean over seeds of one number.
class Estimate {
 public:
  /// NaN counts as nothing measured.
  void add(double value, double half_width = std::numeric_limits<double>::quiet_NaN());
  /// A run without steady state: the number is not known, whatever other seeds say.
  void add_not_stationary() { is_unknown_ = true; }

  /// NaN: nothing measured, or not known.
  [[nodiscard]] double mean() const;
  /// Half of the 95 % interval by Student's t; of a single value its own half width; or NaN.
  [[nodiscard]] double half_width() const;

 private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;  ///< sum of squared distances from the mean
  double own_half_width_ = std::numeric_limits<double>::quiet_NaN();
  bool is_unknown_ = false;
};

/// What tells runs apart: their case and the swept keys, where they differ. Seeds do not.
class RunNames {
 public:
  static constexpr const char* kCase = "case";

  explicit RunNames(const std::vector<const experiment::RunRecord*>& runs);

  /// "case" where there are several, and swept keys that take several values in one of them.
  [[nodiscard]] const std::vector<std::string>& keys() const { return keys_; }
  /// Value of a key ("case": the name) in a run; empty where it is not set.
  [[nodiscard]] static std::string value(const experiment::RunRecord& run, const std::string& key);
  /// "voqsw", or "queues = 3, mtu = 4 KiB": the values of all keys but those in `without`. Where a
  /// group of cases is among these, the other groups stand for the case.
  [[nodiscard]] std::string text(const experiment::RunRecord& run,
                                 const std::vector<std::string>& without) const;
  /// One key with its value, as text() writes it.
  [[nodiscard]] std::string part(const std::string& key, const std::string& value) const;

 private:
  std::vector<std::string> keys_;
  std::vector<std::string> groups_;  ///< keys that the case tells: groups of cases
};

/// The lines of a figure while runs are read.
class LineTable {
 public:
  /// Order along the line to the point there.
  struct Cell {
    Estimate x;
    Estimate y;
  };
  using Cells = std::map<double, Cell>;

  /// The line of that panel and name; new ones come last.
  Cells& line(const std::string& panel, const std::string& label);
  [[nodiscard]] bool empty() const { return panels_.empty(); }

  /// Panels, lines and points with their means and half widths; names of all lines.
  void write(Figure& figure) const;

 private:
  std::vector<std::pair<std::string, std::vector<std::pair<std::string, Cells>>>> panels_;
};

}  // namespace weir::report

#pragma once

#include <pybind11/pybind11.h>

#include <vector>

#include "weir/experiment/store/results_record.hpp"
#include "weir/topology/port_counters.hpp"

namespace weir::python {

/// Runs and what they measured. Each part comes as a dict of columns of equal length; `run` is the
/// place of a row's run among all.
class Records {
 public:
  explicit Records(std::vector<experiment::RunRecord> runs) : runs_(std::move(runs)) {}

  [[nodiscard]] const std::vector<experiment::RunRecord>& all() const { return runs_; }

  /// A row a run: what it was.
  [[nodiscard]] pybind11::dict runs() const;
  /// Per run: swept keys and their values as they are written, in order.
  [[nodiscard]] pybind11::list parameters() const;
  /// Per run: warnings to be shown with the numbers.
  [[nodiscard]] pybind11::list notes() const;
  [[nodiscard]] pybind11::dict scalars() const;
  /// A row a bin.
  [[nodiscard]] pybind11::dict series() const;
  /// A row a bucket.
  [[nodiscard]] pybind11::dict histograms() const;
  [[nodiscard]] pybind11::dict links() const;
  /// A row a link of each run that is done: counters of the real fabric beside it.
  [[nodiscard]] pybind11::dict counters(const topology::CounterFiles& files) const;
  [[nodiscard]] pybind11::dict trees() const;
  [[nodiscard]] pybind11::dict set_aside_trees() const;
  /// Runs that differ only in the seed as one, with intervals.
  [[nodiscard]] Records across_seeds() const;

 private:
  std::vector<experiment::RunRecord> runs_;
};

/// Puts metrics into the order in which results stores give them.
void order(metrics::RunResult& result);

void add_records(pybind11::module_& module);

}  // namespace weir::python
